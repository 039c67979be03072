/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "reports/history_html.h"

/* The boxes of the filter: grades that one reader looks for, under one tone. */
static const struct {
	const char *tone;
	const char *sign; /* says without colour what the word says */
	const char *row_class;
	const char *tile_class;
	const char *label;
} looks[] = {
	{"regressed", "\u25bc", "row v-regressed", "tile card v-regressed", "regressed"},
	{"inconclusive", "!", "row v-inconclusive", "tile card v-inconclusive",
	 "acknowledged or known"},
	{"improved", "\u25b2", "row v-improved", "tile card v-improved", "improved"},
	{"failed", "\u223f", "row v-failed", "tile card v-failed", "changed otherwise"},
	{"equivalent", "=", "row v-equivalent", "tile card v-equivalent",
	 "fixed, unsure or withdrawn"},
};

static size_t look_of(enum history_grade grade)
{
	static const size_t of[HISTORY_GRADES] = {
		[HISTORY_REGRESSED] = 0, [HISTORY_ACKNOWLEDGED] = 1, [HISTORY_KNOWN] = 1,
		[HISTORY_IMPROVED] = 2,	 [HISTORY_CHANGED] = 3,	     [HISTORY_SPREAD] = 3,
		[HISTORY_FIXED] = 4,	 [HISTORY_UNSURE] = 4,	     [HISTORY_WITHDRAWN] = 4,
	};

	return of[grade];
}

const char *history_tone(enum history_grade grade)
{
	return looks[look_of(grade)].tone;
}

const char *history_row_class(enum history_grade grade)
{
	return looks[look_of(grade)].row_class;
}

const struct history_change *history_gravest(const struct history_series *series)
{
	const struct history_change *gravest = NULL;

	array_for_each (change, &series->changes)
		if (!gravest || change->grade < gravest->grade)
			gravest = change;
	return gravest;
}

void history_badge(struct page *page, const struct history_change *change)
{
	_cleanup_(strbuf_release) struct strbuf verdict = STRBUF_INIT;

	history_change_verdict(&verdict, change);
	page_start(page, "span", "badge");
	page_start(page, "i", NULL);
	page_attribute(page, "aria-hidden", "true");
	page_text(page, looks[look_of(change->grade)].sign);
	page_end(page);
	page_take(page, &verdict);
	page_end(page);
}

static size_t count_of(const struct history_report *report, size_t look)
{
	size_t count = 0;

	for (size_t i = 0; i < HISTORY_GRADES; i++)
		if (look_of((enum history_grade)i) == look)
			count += report->counts[i];
	return count;
}

static void write_tile(struct page *page, const struct history_report *report, size_t look)
{
	page_start(page, "label", looks[look].tile_class);
	page_start(page, "b", NULL);
	page_format(page, "%zu", count_of(report, look));
	page_end(page);
	page_start(page, "input", NULL);
	page_attribute(page, "type", "checkbox");
	page_attribute_format(page, "id", "show-%s", looks[look].tone);
	page_attribute(page, "checked", "checked");
	page_end_empty(page);
	page_start(page, "span", NULL);
	page_start(page, "span", NULL);
	page_attribute(page, "aria-hidden", "true");
	page_format(page, "%s ", looks[look].sign);
	page_end(page);
	page_text(page, looks[look].label);
	page_end(page);
	page_end(page);
}

static void write_title(struct page *page, const struct history_report *report)
{
	size_t alerts = report->counts[HISTORY_REGRESSED];

	page_element(page, "p", "kicker", "kregress history");
	page_start(page, "h1", NULL);
	if (alerts)
		page_format(page, "%zu regression%s that ask%s for attention", alerts,
			    alerts == 1 ? "" : "s", alerts == 1 ? "s" : "");
	else
		page_text(page, report->items.count ? "No new regression" : "No change");
	page_end(page);
}

static void append_source(struct strbuf *out, const struct history_report *report)
{
	if (report->source)
		strbuf_printf(out, " Of %s", report->source);
	if (report->since)
		strbuf_printf(out, ", since %s", report->since);
	if (report->repository)
		strbuf_printf(out, ", commits of %s", report->repository);
	if (report->source)
		strbuf_append_char(out, '.');
	strbuf_printf(out, " Made on %s at %s UTC.",
		      report->hostname ? report->hostname : "localhost",
		      report->created_at ? report->created_at : "an unknown time");
}

static void write_terms(struct page *page, const struct history_report *report)
{
	_cleanup_(strbuf_release) struct strbuf text = STRBUF_INIT;

	history_extent(&text, report);
	strbuf_append(&text, ". A change is remembered at a false discovery rate of ");
	format_alpha(&text, report->alpha);
	strbuf_printf(&text, " over all series, found by %s.", change_method_name(report->method));
	append_source(&text, report);
	page_element_take(page, "p", "muted", &text);
}

void history_html_head(struct history_page *html)
{
	page_start(html->page, "header", NULL);
	write_title(html->page, html->report);
	write_terms(html->page, html->report);
	page_start(html->page, "fieldset", NULL);
	page_element(html->page, "legend", NULL, "Changes; untick one to hide its rows");
	for (size_t i = 0; i < ARRAY_SIZE(looks); i++)
		write_tile(html->page, html->report, i);
	page_end(html->page);
	page_end(html->page);
}
