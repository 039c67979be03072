/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A history as a page: all changes, the gravest first, then series by series with plots. */
#include "reports/history_html.h"

/* Details of more series make a page that browsers open slowly; the table has all changes. */
#define MOST_DETAILED 200

/* Rows of points on the whole page; JSON has all. */
#define MOST_ROWS 20000

static void gather_order(struct history_page *html)
{
	const struct history_report *report = html->report;
	_cleanup_free_ bool *taken = xcalloc(report->series.count + 1, sizeof(*taken));

	array_for_each (item, &report->items) {
		if (taken[item->series])
			continue;
		taken[item->series] = true;
		*array_append(&html->order) = item->series;
	}
	for (size_t i = 0; i < report->series.count; i++)
		if (!taken[i])
			*array_append(&html->order) = i;
	html->detailed = html->order.count < MOST_DETAILED ? html->order.count : MOST_DETAILED;
}

static void write_notes(struct history_page *html)
{
	if (!html->report->notes.count)
		return;
	page_section(html->page, "notes", "How it was found");
	page_start(html->page, "ul", NULL);
	array_for_each (note, &html->report->notes)
		page_element(html->page, "li", NULL, *note);
	page_end(html->page);
	page_end(html->page);
}

int history_write_html(const struct history_report *report, struct strbuf *out, struct error *err)
{
	_cleanup_(strbuf_release) struct strbuf title = STRBUF_INIT;
	struct page page;
	struct history_page html = {.page = &page, .report = report, .rows_left = MOST_ROWS};

	strbuf_append(&title, "History: ");
	history_counts(&title, report);
	strbuf_append(&title, " - kregress");
	if (page_open(&page, strbuf_text(&title), err) < 0)
		return -1;
	gather_order(&html);
	history_html_head(&html);
	page_start(&page, "main", NULL);
	page_attribute(&page, "id", "main");
	history_html_changes(&html);
	history_html_series(&html);
	write_notes(&html);
	page_end(&page);
	array_release(&html.order);
	return page_close(&page, "Written by kregress " KREGRESS_VERSION, out, err);
}
