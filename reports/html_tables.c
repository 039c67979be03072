/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The numbers behind the plots of one finding, and where its variance comes from. */
#include <math.h>

#include "common/number.h"
#include "reports/html_parts.h"

#define DIGITS 4

/* Deciles among the steps of the distribution. */
#define STEPS_PER_DECILE (SHAPE_STEPS / 10)

static void cell(struct page *page, const struct scale *scale, double value)
{
	_cleanup_(strbuf_release) struct strbuf text = STRBUF_INIT;

	number_append_significant(&text, scale_apply(scale, value), DIGITS);
	page_element_take(page, "td", NULL, &text);
}

static void count_cell(struct page *page, size_t count)
{
	page_start(page, "td", NULL);
	page_format(page, "%zu", count);
	page_end(page);
}

static void row_head(struct page *page, const char *text)
{
	page_start(page, "th", NULL);
	page_attribute(page, "scope", "row");
	page_text(page, text);
	page_end(page);
}

/* A table that opens on demand, its heading the table's name. */
static void open_table(struct page *page, const char *heading, const char *caption)
{
	page_start(page, "details", NULL);
	page_element(page, "summary", NULL, heading);
	page_table(page, "numbers", caption);
}

static void close_table(struct page *page)
{
	page_table_end(page);
	page_end(page);
}

static void write_boots(struct page *page, const struct side_shape *side, const char *name,
			const struct scale *scale)
{
	array_for_each (boot, &side->boots) {
		_cleanup_free_ char *label = xasprintf("%s %zu", name, boot->boot);

		page_start(page, "tr", NULL);
		row_head(page, label);
		count_cell(page, boot->block);
		count_cell(page, boot->slot);
		cell(page, scale, boot->value);
		count_cell(page, boot->n);
		if (boot->n > 1) {
			cell(page, scale, boot->min);
			cell(page, scale, boot->quarter);
			cell(page, scale, boot->median);
			cell(page, scale, boot->three_quarters);
			cell(page, scale, boot->max);
		}
		page_end(page);
	}
}

static void boot_table(struct page *page, const struct finding_shape *shape,
		       const struct scale *scale)
{
	static const char *const heads[] = {"boot", "block", "order",  "value", "samples",
					    "min",  "25%",   "median", "75%",	"max"};
	_cleanup_free_ char *caption =
		xasprintf("Boots, in %s", *scale->unit ? scale->unit : "plain numbers");

	open_table(page, "Boots as a table", caption);
	page_table_head(page, heads, ARRAY_SIZE(heads), "----------");
	write_boots(page, &shape->base, "base", scale);
	write_boots(page, &shape->candidate, "new", scale);
	close_table(page);
}

static void quantile_cell(struct page *page, const struct side_shape *side, size_t decile,
			  const struct scale *scale)
{
	if (side->samples)
		cell(page, scale, side->quantiles[decile * STEPS_PER_DECILE]);
	else
		page_element(page, "td", NULL, "");
}

static void shift_cells(struct page *page, const struct shift_point *point,
			const struct scale *scale)
{
	_cleanup_(strbuf_release) struct strbuf text = STRBUF_INIT;

	if (point->known)
		number_append_significant(&text, scale_apply(scale, point->shift), DIGITS);
	page_element_take(page, "td", NULL, &text);
	if (point->interval.known) {
		number_append_significant(&text, scale_apply(scale, point->interval.low), DIGITS);
		strbuf_append(&text, " .. ");
		number_append_significant(&text, scale_apply(scale, point->interval.high), DIGITS);
	}
	page_element_take(page, "td", NULL, &text);
}

static void quantile_table(struct page *page, const struct finding_shape *shape,
			   const struct scale *scale)
{
	static const char *const heads[] = {"quantile", "base samples", "new samples",
					    "shift of boots", "interval"};
	_cleanup_free_ char *caption =
		xasprintf("Quantiles, in %s", *scale->unit ? scale->unit : "plain numbers");

	open_table(page, "Quantiles as a table", caption);
	page_table_head(page, heads, ARRAY_SIZE(heads), "-----");
	for (size_t i = 0; i < SHAPE_SHIFTS; i++) {
		_cleanup_free_ char *label = xasprintf("%zu%%", 10 * (i + 1));

		page_start(page, "tr", NULL);
		row_head(page, label);
		quantile_cell(page, &shape->base, i + 1, scale);
		quantile_cell(page, &shape->candidate, i + 1, scale);
		shift_cells(page, &shape->shifts[i], scale);
		page_end(page);
	}
	close_table(page);
}

/* In the order of reading: the highest level first. */
static const enum variance_level levels[] = {VARIANCE_BOOT, VARIANCE_INVOCATION,
					     VARIANCE_ITERATION};

/* One bar of three parts; the numbers stand beside it. */
static void share_bar(struct page *page, const struct variance_components *components)
{
	double from = 0;

	page_start(page, "td", "bar");
	page_start(page, "svg", "share");
	page_attribute(page, "viewBox", "0 0 100 8");
	page_attribute(page, "preserveAspectRatio", "none");
	page_attribute(page, "aria-hidden", "true");
	for (size_t i = 0; i < ARRAY_SIZE(levels); i++) {
		double width = 100 * components->share_frac[levels[i]];

		page_start(page, "rect", i == 0 ? "s0" : i == 1 ? "s1" : "s2");
		page_attribute_number(page, "x", from);
		page_attribute_number(page, "width", width);
		page_attribute(page, "height", "8");
		page_end_empty(page);
		from += width;
	}
	page_end(page);
	page_end(page);
}

static void share_row(struct page *page, const char *name,
		      const struct variance_components *components)
{
	if (!components->known)
		return;
	page_start(page, "tr", NULL);
	row_head(page, name);
	share_bar(page, components);
	for (size_t i = 0; i < ARRAY_SIZE(levels); i++) {
		page_start(page, "td", NULL);
		if (components->estimable[levels[i]])
			page_format(page, "%.0f%%", 100 * components->share_frac[levels[i]]);
		else
			page_text(page, "-");
		page_end(page);
	}
	page_end(page);
}

static void variance_table(struct page *page, const struct variance_components *base,
			   const struct variance_components *candidate)
{
	static const char *const heads[] = {"side", "share of the variance", "between boots",
					    "invocations", "iterations"};

	if (!base->known && !candidate->known)
		return;
	page_element(page, "h4", NULL, "Where the variance comes from");
	page_table(page, "numbers shares",
		   "Shares of one sample's variance; -: nothing repeats at that level");
	page_table_head(page, heads, ARRAY_SIZE(heads), "-----");
	share_row(page, "base", base);
	share_row(page, "new", candidate);
	page_table_end(page);
}

void html_plot_tables(struct html_report *html, const struct html_finding *item,
		      const struct finding_shape *shape, const struct scale *scale)
{
	if (shape->base.samples || shape->candidate.samples) {
		page_start(html->page, "div", "tables");
		boot_table(html->page, shape, scale);
		quantile_table(html->page, shape, scale);
		page_end(html->page);
	}
	variance_table(html->page, &item->series->base_quality.components,
		       &item->finding->quality.components);
}
