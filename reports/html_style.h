/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The style of every page; see html_style.c. */
#ifndef KREGRESS_REPORTS_HTML_STYLE_H
#define KREGRESS_REPORTS_HTML_STYLE_H

/* A style sheet that may stand in a <style> of HTML and XML alike: without < and &. */
extern const char html_style[];

#endif
