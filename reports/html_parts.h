/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The parts of the HTML report, a file each; internal to it. */
#ifndef KREGRESS_REPORTS_HTML_PARTS_H
#define KREGRESS_REPORTS_HTML_PARTS_H

#include "reports/format.h"
#include "reports/html_page.h"
#include "reports/plot_scale.h"
#include "reports/shapes.h"

/* A finding with its series. */
struct html_finding {
	const struct report_series *series;
	const struct report_finding *finding;
};

/* All findings, the gravest first; context series last. */
struct html_findings {
	struct html_finding *items;
	size_t count;
	size_t capacity;
	size_t detailed; /* so many of the first have details below the table */
};

struct html_report {
	struct page *page;
	const struct report *report;
	struct html_findings findings;
	struct plot_scale forest; /* of the ratio's change in percent */
};

/* What a verdict looks like: "regressed" with its sign. Opens and closes a badge. */
void html_badge(struct page *page, enum verdict verdict);

/* The class of an element of one verdict that the filter may hide: "row v-regressed". */
const char *html_row_class(enum verdict verdict);

/* The anchor of a finding's details; "#" in front for links. Owned by the caller. */
char *html_anchor(const struct html_finding *item);

/* "+7.1%", or "-" where there is none. */
void html_change(struct strbuf *out, const struct report_finding *finding);

/* Title, what was compared, and the counts that filter the page. */
void html_head(struct html_report *html);

/* The table of all verdicts. */
void html_verdicts(struct html_report *html);

/* The scale that all effects share, and one effect on it. */
struct plot_scale html_forest_scale(const struct report *report);
void html_forest(struct page *page, const struct plot_scale *scale,
		 const struct report_finding *finding);

/* The details of the first findings. */
void html_details(struct html_report *html);

/* The plots of one finding, and the tables behind them. */
void html_plots(struct html_report *html, const struct html_finding *item,
		const struct finding_shape *shape, const struct scale *scale);
void html_plot_tables(struct html_report *html, const struct html_finding *item,
		      const struct finding_shape *shape, const struct scale *scale);

/* What differs between the environments, notes, and boots that failed. */
void html_environment(struct html_report *html);
void html_failures(struct html_report *html);

/* The raw samples, or how to get them where there are too many. */
void html_data(struct html_report *html);

#endif
