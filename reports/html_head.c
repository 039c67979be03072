/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <string.h>

#include "common/text.h"
#include "reports/html_parts.h"

/* In the order of severity. A sign says without colour what the word says. */
static const struct {
	enum verdict verdict;
	const char *sign;
	const char *row_class;
	const char *tile_class;
} looks[] = {
	{VERDICT_REGRESSED, "\u25bc", "row v-regressed", "tile card v-regressed"},
	{VERDICT_FAILED, "\u2715", "row v-failed", "tile card v-failed"},
	{VERDICT_IMPROVED, "\u25b2", "row v-improved", "tile card v-improved"},
	{VERDICT_INCONCLUSIVE, "?", "row v-inconclusive", "tile card v-inconclusive"},
	{VERDICT_EQUIVALENT, "=", "row v-equivalent", "tile card v-equivalent"},
};

static size_t look_of(enum verdict verdict)
{
	for (size_t i = 0; i < ARRAY_SIZE(looks); i++)
		if (looks[i].verdict == verdict)
			return i;
	return 0;
}

void html_badge(struct page *page, enum verdict verdict)
{
	page_start(page, "span", "badge");
	page_start(page, "i", NULL);
	page_attribute(page, "aria-hidden", "true");
	page_text(page, looks[look_of(verdict)].sign);
	page_end(page);
	page_text(page, verdict_name(verdict));
	page_end(page);
}

const char *html_row_class(enum verdict verdict)
{
	return looks[look_of(verdict)].row_class;
}

char *html_anchor(const struct html_finding *item)
{
	return xasprintf("f-%s-%zu", item->finding->id, item->finding->variant);
}

void html_change(struct strbuf *out, const struct report_finding *finding)
{
	if (finding->problem == PROBLEM_NONE && finding->comparison.ratio_known)
		format_change(out, finding->comparison.ratio);
	else
		strbuf_append_char(out, '-');
}

static void write_tile(struct page *page, const struct report *report, size_t look)
{
	const char *name = verdict_name(looks[look].verdict);
	size_t count = report_count(report, looks[look].verdict);

	page_start(page, "label", looks[look].tile_class);
	page_start(page, "b", NULL);
	page_format(page, "%zu", count);
	page_end(page);
	page_start(page, "input", NULL);
	page_attribute(page, "type", "checkbox");
	page_attribute_format(page, "id", "show-%s", name);
	page_attribute(page, "checked", "checked");
	page_end_empty(page);
	page_start(page, "span", NULL);
	page_start(page, "span", NULL);
	page_attribute(page, "aria-hidden", "true");
	page_format(page, "%s ", looks[look].sign);
	page_end(page);
	page_text(page, name);
	page_end(page);
	page_end(page);
}

static void write_tiles(struct html_report *html)
{
	page_start(html->page, "fieldset", NULL);
	page_element(html->page, "legend", NULL, "Verdicts; untick one to hide its rows");
	for (size_t i = 0; i < ARRAY_SIZE(looks); i++)
		write_tile(html->page, html->report, i);
	page_end(html->page);
}

static void write_title(struct page *page, const struct report *report)
{
	page_element(page, "p", "kicker", "kregress comparison");
	page_start(page, "h1", NULL);
	array_for_each (variant, &report->variants) {
		if (variant != report->variants.items)
			page_text(page, ", ");
		page_name(page, variant->name);
	}
	page_text(page, " against ");
	page_name(page, report->base.name);
	page_end(page);
}

/* "Limit 2%, alpha 0.05, ..." */
static void write_terms(struct page *page, const struct report *report)
{
	_cleanup_(strbuf_release) struct strbuf text = STRBUF_INIT;

	strbuf_append(&text, "A change counts beyond ");
	format_fraction(&text, report->limit_frac);
	strbuf_append(&text, " (unless a series has its own limit), at a false discovery rate of ");
	format_alpha(&text, report->alpha);
	strbuf_printf(&text, ". Made on %s at %s UTC", report->hostname, report->created_at);
	if (report->machine)
		strbuf_printf(&text, ", machine class %s", report->machine);
	strbuf_append_char(&text, '.');
	page_element_take(page, "p", "muted", &text);
}

void html_head(struct html_report *html)
{
	page_start(html->page, "header", NULL);
	write_title(html->page, html->report);
	write_terms(html->page, html->report);
	write_tiles(html);
	page_end(html->page);
}
