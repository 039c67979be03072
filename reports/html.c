/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The HTML report: one file that shows everything without network or script, for reading in a
 * dashboard's artifact viewer, in a mail, or on paper. docs/html-report.md describes it.
 */
#include <math.h>

#include "reports/html_parts.h"
#include "reports/writers.h"

/* Details of more findings make a page that browsers open slowly; the table has all of them. */
#define MOST_DETAILED 200

/* The order in which a reader wants to know. */
static int rank_of(const struct html_finding *item)
{
	static const int ranks[] = {
		[VERDICT_REGRESSED] = 0,    [VERDICT_FAILED] = 1,     [VERDICT_IMPROVED] = 2,
		[VERDICT_INCONCLUSIVE] = 3, [VERDICT_EQUIVALENT] = 4,
	};

	return item->series->context ? 9 : ranks[item->finding->comparison.verdict];
}

static double size_of(const struct html_finding *item)
{
	const struct comparison *comparison = &item->finding->comparison;

	return comparison->ratio_known && comparison->ratio > 0 ? fabs(log(comparison->ratio)) : 0;
}

/* Equal ones stay in the order of the report, which pointers into its arrays have. */
static int compare_findings(const void *left, const void *right)
{
	const struct html_finding *a = left, *b = right;
	int order = rank_of(a) - rank_of(b);

	if (!order)
		order = (size_of(a) < size_of(b)) - (size_of(a) > size_of(b));
	if (!order)
		order = (a->series > b->series) - (a->series < b->series);
	return order ? order : (a->finding > b->finding) - (a->finding < b->finding);
}

static void gather_findings(struct html_findings *findings, const struct report *report)
{
	array_for_each (series, &report->series) {
		array_for_each (finding, &series->findings) {
			struct html_finding *item = array_append(findings);

			item->series = series;
			item->finding = finding;
		}
	}
	if (findings->count)
		qsort(findings->items, findings->count, sizeof(*findings->items), compare_findings);
	findings->detailed = findings->count < MOST_DETAILED ? findings->count : MOST_DETAILED;
}

static char *title_of(const struct report *report)
{
	struct strbuf title = STRBUF_INIT;

	array_for_each (variant, &report->variants)
		strbuf_printf(&title, "%s%s", variant == report->variants.items ? "" : ", ",
			      variant->name);
	strbuf_printf(&title, " against %s: ", report->base.name);
	format_counts(&title, report);
	strbuf_append(&title, " - kregress");
	return strbuf_take(&title);
}

int report_write_html(const struct report *report, struct strbuf *out, struct error *err)
{
	_cleanup_free_ char *title = title_of(report);
	struct page page;
	struct html_report html = {.page = &page, .report = report};

	if (page_open(&page, title, err) < 0)
		return -1;
	gather_findings(&html.findings, report);
	html.forest = html_forest_scale(report);
	html_head(&html);
	page_start(&page, "main", NULL);
	page_attribute(&page, "id", "main");
	html_verdicts(&html);
	html_failures(&html);
	html_details(&html);
	html_environment(&html);
	html_data(&html);
	page_end(&page);
	array_release(&html.findings);
	return page_close(&page, "Written by kregress " KREGRESS_VERSION, out, err);
}
