/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The raw samples within the page: what the page was made from can be had from it again. */
#include "common/embedded.h"
#include "reports/html_parts.h"
#include "reports/reproduce.h"
#include "store/exchange.h"

/* More samples make a page that no mail carries; about 10 MB. */
#define MOST_SAMPLES 1000000

static size_t count_samples(const struct run_set_list *sets)
{
	size_t samples = 0;

	array_for_each (set, sets)
		array_for_each (series, &(*set)->series)
			samples += series->samples.count;
	return samples;
}

static void append_once(struct run_set_list *sets, const struct run_set *set)
{
	struct run_set **slot;

	if (!set)
		return;
	array_for_each (item, sets)
		if (*item == set)
			return;
	slot = array_append(sets);
	/* A list's sets are not const; nothing is changed through it here. */
	memcpy(slot, &set, sizeof(set));
}

static struct run_set_list compared_sets(const struct report *report)
{
	struct run_set_list sets = {0};

	append_once(&sets, report->base.set);
	array_for_each (variant, &report->variants)
		append_once(&sets, variant->set);
	return sets;
}

static void write_block(struct page *page, const struct run_set_list *sets)
{
	_cleanup_(strbuf_release) struct strbuf json = STRBUF_INIT;
	_cleanup_(strbuf_release) struct strbuf block = STRBUF_INIT;

	exchange_write(&json, sets);
	embedded_append(&block, strbuf_text(&json), json.length);
	page_start(page, "script", NULL);
	page_attribute(page, "type", EMBEDDED_TYPE);
	page_raw(page, "\n");
	page_raw(page, strbuf_text(&block));
	page_end(page);
}

static void write_command(struct page *page, struct strbuf *text)
{
	page_start(page, "pre", NULL);
	page_element_take(page, "code", NULL, text);
	page_end(page);
}

static void write_export(struct page *page, const struct run_set_list *sets)
{
	_cleanup_(strbuf_release) struct strbuf text = STRBUF_INIT;

	strbuf_append(&text, "kregress export");
	array_for_each (set, sets) {
		_cleanup_free_ char *name = xasprintf("%s@%.8s", (*set)->variant, (*set)->id);

		shell_append_word(&text, name);
	}
	strbuf_append(&text, " -o samples.jsonl");
	write_command(page, &text);
}

void html_data(struct html_report *html)
{
	struct run_set_list sets = compared_sets(html->report);
	size_t samples = count_samples(&sets);
	bool embedded = sets.count && samples <= MOST_SAMPLES;
	_cleanup_(strbuf_release) struct strbuf text = STRBUF_INIT;

	page_section(html->page, "data", "Raw samples");
	page_start(html->page, "p", NULL);
	if (embedded)
		page_format(html->page,
			    "This page carries all %zu samples, exactly as measured. Read them "
			    "back with:",
			    samples);
	else
		page_format(html->page,
			    "The %zu samples are too many to be carried in a page, and the plots "
			    "show some of them. All of them are in the store, and come out with:",
			    samples);
	page_end(html->page);
	if (embedded) {
		strbuf_append(&text, "kregress import auto THIS-FILE.html");
		write_command(html->page, &text);
		write_block(html->page, &sets);
	} else {
		write_export(html->page, &sets);
	}
	page_end(html->page);
	array_release(&sets);
}
