/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The table of all changes, the gravest first, those of one group together. */
#include "common/number.h"
#include "reports/history_html.h"

typedef void (*append_fn)(struct strbuf *out, const struct history_change *change,
			  const struct scale *scale);

static void head(struct page *page, const char *class_name, const char *text)
{
	page_start(page, "th", class_name);
	page_attribute(page, "scope", "col");
	page_text(page, text);
	page_end(page);
}

static void write_heads(struct page *page)
{
	page_start(page, "thead", NULL);
	page_start(page, "tr", NULL);
	head(page, NULL, "change");
	head(page, NULL, "series");
	head(page, "n", "size");
	head(page, NULL, "first at");
	head(page, "n w", "95% CI");
	head(page, "n w", "before \u2192 after");
	head(page, "n o", "q");
	head(page, "n w", "finding");
	page_end(page);
	page_end(page);
}

static void write_name(struct history_page *html, const struct history_item *item)
{
	const struct history_series *series = &html->report->series.items[item->series];
	_cleanup_(strbuf_release) struct strbuf name = STRBUF_INIT;
	bool link = false;

	for (size_t i = 0; i < html->detailed && !link; i++)
		link = html->order.items[i] == item->series;
	history_series_name(&name, html->report, series);
	page_start(html->page, "th", NULL);
	page_attribute(html->page, "scope", "row");
	if (link) {
		page_start(html->page, "a", NULL);
		page_attribute_format(html->page, "href", "#s-%zu", item->series);
	}
	page_name(html->page, strbuf_text(&name));
	if (link)
		page_end(html->page);
	page_end(html->page);
}

static void write_place(struct page *page, const struct history_series *series,
			const struct history_change *change)
{
	_cleanup_(strbuf_release) struct strbuf text = STRBUF_INIT;

	page_start(page, "td", "place");
	history_change_place(&text, series, change);
	page_start(page, "code", NULL);
	page_take(page, &text);
	page_end(page);
	if (change->group_size > 1) {
		page_start(page, "span", "remark");
		page_format(page, "one of %zu changes there", change->group_size);
		page_end(page);
	}
	if (change->cause) {
		page_start(page, "span", "remark");
		page_format(page, "likely cause: %s", change->cause);
		page_end(page);
	}
	page_end(page);
}

static void number_cell(struct page *page, const char *class_name, append_fn append,
			const struct history_change *change, const struct scale *scale)
{
	_cleanup_(strbuf_release) struct strbuf text = STRBUF_INIT;

	append(&text, change, scale);
	page_element_take(page, "td", class_name, &text);
}

static void write_q(struct page *page, const struct history_change *change)
{
	_cleanup_(strbuf_release) struct strbuf text = STRBUF_INIT;

	if (change->q >= 0 && change->q < 1e-4)
		strbuf_append(&text, "\u2264 0.0001");
	else if (change->q >= 0)
		number_append_significant(&text, change->q, 2);
	page_element_take(page, "td", "n o", &text);
}

static void write_row(struct history_page *html, const struct history_item *item)
{
	const struct history_series *series = &html->report->series.items[item->series];
	const struct history_change *change = &series->changes.items[item->change];
	_cleanup_(scale_release) struct scale scale = history_scale(series);

	page_raw(html->page, "\n");
	page_start(html->page, "tr", history_row_class(change->grade));
	page_start(html->page, "td", NULL);
	history_badge(html->page, change);
	page_end(html->page);
	write_name(html, item);
	number_cell(html->page, "n", history_change_size, change, &scale);
	write_place(html->page, series, change);
	number_cell(html->page, "n w", history_change_interval, change, &scale);
	number_cell(html->page, "n w", history_change_sides, change, &scale);
	write_q(html->page, change);
	page_start(html->page, "td", "n w");
	page_element(html->page, "code", NULL, change->finding ? change->finding->id : "");
	page_end(html->page);
	page_end(html->page);
}

void history_html_changes(struct history_page *html)
{
	if (!html->report->items.count)
		return;
	page_section(html->page, "changes", "Changes");
	page_start(html->page, "div", "card");
	page_table(html->page, "verdicts changes",
		   "All changes, the gravest first, those of one place together");
	write_heads(html->page);
	page_start(html->page, "tbody", NULL);
	array_for_each (item, &html->report->items)
		write_row(html, item);
	page_table_end(html->page);
	page_end(html->page);
	page_end(html->page);
}
