/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Pieces of a comment in the Markdown of GitLab and GitHub. */
#ifndef KREGRESS_REPORTS_MARKDOWN_TEXT_H
#define KREGRESS_REPORTS_MARKDOWN_TEXT_H

#include "common/strbuf.h"

/* Rows beyond are counted only: a comment is to be read, and forges limit its size. */
#define MARKDOWN_MOST_ROWS 40

/*
 * Appends text from outside as literal text, cut after 500 bytes: no markup, no table separator, no
 * mention, no HTML.
 */
void markdown_append(struct strbuf *out, const char *text);

/* A part that opens on demand; `summary` is literal HTML. */
void markdown_open_fold(struct strbuf *out, const char *summary);
void markdown_close_fold(struct strbuf *out);

#endif
