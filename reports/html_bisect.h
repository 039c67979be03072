/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A bisection as a page: where the answer may lie, commit by commit, and the path taken. */
#ifndef KREGRESS_REPORTS_HTML_BISECT_H
#define KREGRESS_REPORTS_HTML_BISECT_H

#include "reports/bisect_report.h"

/*
 * Appends the whole page, self-contained as every page (html_page.h). `report` holds the whole
 * range, older commits first, as bisect_write_bars() wants it.
 */
int bisect_write_html(const struct bisect_report *report, struct strbuf *out, struct error *err);

#endif
