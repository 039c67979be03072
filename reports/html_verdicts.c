/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <math.h>

#include "common/number.h"
#include "reports/html_parts.h"

static void head(struct page *page, const char *class_name, const char *text)
{
	page_start(page, "th", class_name);
	page_attribute(page, "scope", "col");
	page_text(page, text);
	page_end(page);
}

/* The head over the effects is their axis, too. */
static void write_axis(struct page *page, const struct plot_scale *scale)
{
	_cleanup_(strbuf_release) struct strbuf text = STRBUF_INIT;
	const double ends[] = {1 + scale->low / 100, 1 + scale->high / 100};

	page_start(page, "th", NULL);
	page_attribute(page, "scope", "col");
	page_element(page, "span", NULL, "effect, interval and limit");
	page_start(page, "span", "axis");
	for (size_t i = 0; i < ARRAY_SIZE(ends); i++) {
		if (i)
			page_element(page, "span", NULL, "0");
		number_append_fixed(&text, 100 * (ends[i] - 1), 0);
		strbuf_append_char(&text, '%');
		page_element_take(page, "span", NULL, &text);
	}
	page_end(page);
	page_end(page);
}

static void write_heads(struct html_report *html)
{
	struct page *page = html->page;

	page_start(page, "thead", NULL);
	page_start(page, "tr", NULL);
	head(page, NULL, "verdict");
	head(page, NULL, "benchmark");
	if (html->report->variants.count > 1)
		head(page, "name", "variant");
	head(page, "n", "change");
	write_axis(page, &html->forest);
	head(page, "n w", "base");
	head(page, "n w", "new");
	head(page, "n o", "q");
	head(page, "n w", "boots");
	page_end(page);
	page_end(page);
}

static void write_name(struct html_report *html, const struct html_finding *item, bool link)
{
	_cleanup_(strbuf_release) struct strbuf name = STRBUF_INIT;
	_cleanup_free_ char *anchor = html_anchor(item);

	format_series_name(&name, item->series);
	page_start(html->page, "th", NULL);
	page_attribute(html->page, "scope", "row");
	if (link) {
		page_start(html->page, "a", NULL);
		page_attribute_format(html->page, "href", "#%s", anchor);
	}
	page_name(html->page, strbuf_text(&name));
	if (link)
		page_end(html->page);
	if (item->series->context)
		page_element(html->page, "span", "muted", " (context: the harness itself)");
	page_end(html->page);
}

static void write_effect(struct html_report *html, const struct report_finding *finding)
{
	page_start(html->page, "td", NULL);
	if (finding->problem != PROBLEM_NONE)
		page_element(html->page, "span", "muted", finding_problem_name(finding->problem));
	else if (finding->comparison.ratio_known)
		html_forest(html->page, &html->forest, finding);
	else
		page_element(html->page, "span", "muted", "no ratio");
	page_end(html->page);
}

static void write_mean(struct page *page, const struct summary *summary, const struct scale *scale)
{
	_cleanup_(strbuf_release) struct strbuf text = STRBUF_INIT;

	if (summary->n)
		format_value(&text, summary->mean, scale);
	page_element_take(page, "td", "n w", &text);
}

static void write_numbers(struct html_report *html, const struct html_finding *item)
{
	const struct comparison *comparison = &item->finding->comparison;
	_cleanup_(scale_release) struct scale scale =
		scale_for(series_typical_value(item->series), item->series->unit);
	_cleanup_(strbuf_release) struct strbuf text = STRBUF_INIT;

	write_mean(html->page, &comparison->base, &scale);
	write_mean(html->page, &comparison->candidate, &scale);
	if (comparison->p_known && comparison->q < 1e-4)
		strbuf_append(&text, "\u2264 0.0001");
	else if (comparison->p_known)
		number_append_significant(&text, comparison->q, 2);
	page_element_take(html->page, "td", "n o", &text);
	strbuf_printf(&text, "%zu + %zu", comparison->base.n, comparison->candidate.n);
	page_element_take(html->page, "td", "n w", &text);
}

static void write_row(struct html_report *html, size_t index)
{
	const struct html_finding *item = &html->findings.items[index];
	const struct report_finding *finding = item->finding;
	_cleanup_(strbuf_release) struct strbuf change = STRBUF_INIT;

	page_raw(html->page, "\n");
	page_start(html->page, "tr", html_row_class(finding->comparison.verdict));
	page_start(html->page, "td", NULL);
	html_badge(html->page, finding->comparison.verdict);
	page_end(html->page);
	write_name(html, item, index < html->findings.detailed);
	if (html->report->variants.count > 1) {
		page_start(html->page, "td", NULL);
		page_name(html->page, html->report->variants.items[finding->variant].name);
		page_end(html->page);
	}
	html_change(&change, finding);
	page_element_take(html->page, "td", "n", &change);
	write_effect(html, finding);
	write_numbers(html, item);
	page_end(html->page);
}

void html_verdicts(struct html_report *html)
{
	page_section(html->page, "verdicts", "Verdicts");
	page_start(html->page, "div", "card");
	page_table(html->page, "verdicts",
		   "All verdicts, the gravest first; green: changes within the limit");
	write_heads(html);
	page_start(html->page, "tbody", NULL);
	for (size_t i = 0; i < html->findings.count; i++)
		write_row(html, i);
	page_table_end(html->page);
	page_end(html->page);
	page_end(html->page);
}
