/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The parts of the page of a history, a file each; internal to it. */
#ifndef KREGRESS_REPORTS_HISTORY_HTML_H
#define KREGRESS_REPORTS_HISTORY_HTML_H

#include "reports/history_describe.h"
#include "reports/html_page.h"

struct history_page {
	struct page *page;
	const struct history_report *report;
	ARRAY_OF(size_t) order; /* series: those with the gravest changes first, steady ones last */
	size_t detailed;	/* so many of the first have a plot */
	size_t rows_left;	/* of tables of points, on the whole page */
};

/* The verdict of html_style.c whose colours a grade has, and whose box hides it. */
const char *history_tone(enum history_grade grade);

/* "row v-regressed": what the filter may hide. */
const char *history_row_class(enum history_grade grade);

/* The change's verdict with a sign. */
void history_badge(struct page *page, const struct history_change *change);

/* The gravest change of a series; NULL for a steady one. */
const struct history_change *history_gravest(const struct history_series *series);

/* Title, what was searched, and the counts that filter the page. */
void history_html_head(struct history_page *html);

/* The table of all changes. */
void history_html_changes(struct history_page *html);

/* What is known of each series. */
void history_html_series(struct history_page *html);

/* The points of a series with its levels and changes, for wide and for narrow screens. */
void history_html_plots(struct page *page, const struct history_report *report,
			const struct history_series *series, const struct scale *scale);

#endif
