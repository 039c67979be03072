/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What is known of one series: its changes in words, the plot, the numbers behind it. */
#include "common/number.h"
#include "reports/history_html.h"

/* Rows of one table of points, the newest. */
#define MOST_ROWS 200

/* So many of the gravest series are open from the start. */
#define OPEN_AT_FIRST 1

enum { ABBREVIATION = 12, DIGITS = 6 };

static void fact(struct page *page, const char *term, struct strbuf *value)
{
	if (!value->length)
		return;
	page_start(page, "div", NULL);
	page_element(page, "dt", NULL, term);
	page_element_take(page, "dd", NULL, value);
	page_end(page);
}

static void write_facts(struct page *page, const struct history_series *series,
			const struct scale *scale)
{
	_cleanup_(strbuf_release) struct strbuf text = STRBUF_INIT;

	page_start(page, "dl", NULL);
	strbuf_printf(&text, "%zu, by %s", series->points.count, history_order_name(series->order));
	fact(page, "run sets", &text);
	if (series->known) {
		format_value(&text, series->noise_sd, scale);
		fact(page, "deviation of single points", &text);
		number_append_significant(&text, series->autocorrelation, 2);
		fact(page, "autocorrelation", &text);
	}
	strbuf_append(&text, better_name(series->better));
	fact(page, "better", &text);
	if (series->variant)
		strbuf_append(&text, series->variant);
	fact(page, "variant", &text);
	if (series->machine)
		strbuf_append(&text, series->machine);
	fact(page, "machine class", &text);
	page_end(page);
}

static void write_sentences(struct page *page, const struct history_report *report,
			    const struct history_series *series)
{
	if (!series->known)
		page_element(page, "p", "warn", "Not searched: a value is not finite.");
	if (!series->changes.count)
		return;
	page_start(page, "ul", "lead");
	array_for_each (change, &series->changes) {
		_cleanup_(strbuf_release) struct strbuf text = STRBUF_INIT;

		history_change_sentence(&text, report, series, change);
		page_element_take(page, "li", NULL, &text);
	}
	page_end(page);
}

static void optional_cell(struct page *page, const char *text)
{
	page_start(page, "td", "text");
	page_format(page, "%.*s", ABBREVIATION, text ? text : "");
	page_end(page);
}

static void write_point(struct page *page, const struct history_series *series, size_t index,
			const struct scale *scale)
{
	const struct history_point *point = &series->points.items[index];
	_cleanup_(strbuf_release) struct strbuf text = STRBUF_INIT;

	page_start(page, "tr", NULL);
	page_start(page, "th", NULL);
	page_attribute(page, "scope", "row");
	page_format(page, "%zu", index);
	page_end(page);
	number_append_significant(&text, scale_apply(scale, point->location), DIGITS);
	page_element_take(page, "td", NULL, &text);
	if (point->standard_error >= 0)
		number_append_significant(&text, scale_apply(scale, point->standard_error), 2);
	page_element_take(page, "td", NULL, &text);
	if (point->boots)
		strbuf_printf(&text, "%zu", point->boots);
	page_element_take(page, "td", NULL, &text);
	page_element(page, "td", "text", point->time ? point->time : "");
	optional_cell(page, point->commit);
	optional_cell(page, point->run_set);
	page_end(page);
}

static void write_points(struct history_page *html, const struct history_series *series,
			 const struct scale *scale)
{
	static const char *const heads[] = {"point", "value",  "standard error", "boots",
					    "time",  "commit", "run set"};
	size_t n = series->points.count, rows = n;
	_cleanup_free_ char *caption = NULL;

	rows = rows < MOST_ROWS ? rows : MOST_ROWS;
	rows = rows < html->rows_left ? rows : html->rows_left;
	if (!rows)
		return;
	html->rows_left -= rows;
	caption =
		xasprintf("The newest first, in %s%s", *scale->unit ? scale->unit : "plain numbers",
			  rows < n ? "; older ones are in the JSON report" : "");
	page_start(html->page, "details", NULL);
	page_start(html->page, "summary", NULL);
	page_format(html->page, "%zu ", rows);
	if (rows < n)
		page_format(html->page, "of %zu ", n);
	page_text(html->page, "points as a table");
	page_end(html->page);
	page_table(html->page, "numbers points", caption);
	page_table_head(html->page, heads, ARRAY_SIZE(heads), "----TTT");
	for (size_t i = n; i > n - rows; i--)
		write_point(html->page, series, i - 1, scale);
	page_table_end(html->page);
	page_end(html->page);
}

static void level_cells(struct page *page, const struct history_series *series,
			const struct history_level *level, const struct scale *scale)
{
	const size_t ends[] = {level->first, level->last};
	const double values[] = {level->from, level->to};
	_cleanup_(strbuf_release) struct strbuf text = STRBUF_INIT;

	for (size_t i = 0; i < ARRAY_SIZE(values); i++) {
		number_append_significant(&text, scale_apply(scale, values[i]), DIGITS);
		page_element_take(page, "td", NULL, &text);
	}
	for (size_t i = 0; i < ARRAY_SIZE(ends); i++) {
		history_point_name(&text, series, ends[i]);
		page_element_take(page, "td", "text", &text);
	}
}

static void write_levels(struct page *page, const struct history_series *series,
			 const struct scale *scale)
{
	static const char *const heads[] = {"points", "from", "to", "first", "last"};

	page_start(page, "details", NULL);
	page_element(page, "summary", NULL, "Levels as a table");
	page_table(page, "numbers points", *scale->unit ? scale->unit : "plain numbers");
	page_table_head(page, heads, ARRAY_SIZE(heads), "---TT");
	array_for_each (level, &series->levels) {
		page_start(page, "tr", NULL);
		page_start(page, "th", NULL);
		page_attribute(page, "scope", "row");
		page_format(page, "%zu to %zu", level->first, level->last);
		page_end(page);
		level_cells(page, series, level, scale);
		page_end(page);
	}
	page_table_end(page);
	page_end(page);
}

static void write_command(struct page *page, const char *heading, struct strbuf *command)
{
	page_element(page, "h4", NULL, heading);
	page_start(page, "pre", NULL);
	page_element_take(page, "code", NULL, command);
	page_end(page);
}

static void write_commands(struct page *page, const struct history_series *series)
{
	const struct history_change *gravest = history_gravest(series);
	_cleanup_(strbuf_release) struct strbuf text = STRBUF_INIT;

	if (!gravest || gravest->grade > HISTORY_ACKNOWLEDGED)
		return;
	strbuf_printf(&text, "kregress bisect start --finding %s", gravest->finding->id);
	write_command(page, "Find the commit", &text);
	if (gravest->grade != HISTORY_REGRESSED)
		return;
	strbuf_printf(&text, "kregress findings ack %s --note '...'", gravest->finding->id);
	write_command(page, "Say that somebody is at work on it", &text);
}

static void write_summary(struct page *page, const struct history_report *report,
			  const struct history_series *series, const struct scale *scale)
{
	const struct history_change *gravest = history_gravest(series);
	_cleanup_(strbuf_release) struct strbuf text = STRBUF_INIT;

	history_series_name(&text, report, series);
	page_start(page, "summary", NULL);
	page_start(page, "h3", NULL);
	page_name(page, strbuf_text(&text));
	page_end(page);
	strbuf_clear(&text);
	if (gravest) {
		history_badge(page, gravest);
		history_change_size(&text, gravest, scale);
		if (series->changes.count > 1)
			strbuf_printf(&text, ", and %zu more", series->changes.count - 1);
	} else {
		strbuf_append(&text, " steady");
	}
	page_element_take(page, "span", "change", &text);
	page_end(page);
}

static void write_series(struct history_page *html, size_t index, bool open)
{
	const struct history_series *series = &html->report->series.items[index];
	const struct history_change *gravest = history_gravest(series);
	_cleanup_(scale_release) struct scale scale = history_scale(series);
	_cleanup_free_ char *classes =
		xasprintf("card %s", gravest ? history_row_class(gravest->grade) : "row v-steady");

	page_raw(html->page, "\n");
	page_start(html->page, "details", classes);
	if (open)
		page_attribute(html->page, "open", "open");
	write_summary(html->page, html->report, series, &scale);
	/* Here and not at <details>: a link to what is within opens it. */
	page_start(html->page, "div", "body");
	page_attribute_format(html->page, "id", "s-%zu", index);
	write_sentences(html->page, html->report, series);
	history_html_plots(html->page, html->report, series, &scale);
	write_facts(html->page, series, &scale);
	page_start(html->page, "div", "tables");
	if (series->levels.count > 1)
		write_levels(html->page, series, &scale);
	write_points(html, series, &scale);
	page_end(html->page);
	write_commands(html->page, series);
	page_end(html->page);
	page_end(html->page);
}

void history_html_series(struct history_page *html)
{
	page_section(html->page, "series", "Series by series");
	if (html->detailed < html->order.count) {
		page_start(html->page, "p", NULL);
		page_format(
			html->page,
			"Details of the first %zu of %zu series, those with the gravest changes; "
			"`kregress history SERIES` shows the others.",
			html->detailed, html->order.count);
		page_end(html->page);
	}
	for (size_t i = 0; i < html->detailed; i++)
		write_series(html, html->order.items[i], i < OPEN_AT_FIRST);
	page_end(html->page);
}
