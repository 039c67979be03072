/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What was compared, what differs between the sides, and which boots failed. */
#include "reports/environment_diff.h"
#include "reports/html_parts.h"

/* So much of a console's end is shown. */
#define CONSOLE_BYTES 6000

static void cell(struct page *page, const char *text)
{
	page_start(page, "td", NULL);
	if (text)
		page_name(page, text);
	else
		page_element(page, "span", "muted", "unknown");
	page_end(page);
}

static void row_head(struct page *page, const char *text)
{
	page_start(page, "th", NULL);
	page_attribute(page, "scope", "row");
	page_name(page, text);
	page_end(page);
}

static void side_row(struct page *page, const struct report_variant *side, const char *role)
{
	_cleanup_free_ char *boots =
		xasprintf("%zu ok, %zu failed", side->boots_ok, side->boots_failed);

	page_start(page, "tr", NULL);
	row_head(page, side->name);
	cell(page, role);
	cell(page, side->target);
	cell(page, side->kernel);
	cell(page, side->cmdline);
	cell(page, boots);
	cell(page, side->run_set_id);
	page_end(page);
}

static void write_sides(struct page *page, const struct report *report)
{
	static const char *const heads[] = {"variant",	    "role",  "target", "kernel",
					    "command line", "boots", "run set"};

	page_start(page, "div", "card");
	page_table(page, "sides", "Compared run sets");
	page_table_head(page, heads, ARRAY_SIZE(heads), "-------");
	side_row(page, &report->base, "base");
	array_for_each (variant, &report->variants)
		side_row(page, variant, "new");
	page_table_end(page);
	page_end(page);
}

static void difference_row(struct page *page, const struct environment_difference *item)
{
	page_start(page, "tr", NULL);
	row_head(page, item->key);
	cell(page, item->base);
	cell(page, item->candidate);
	page_end(page);
}

static void write_difference(struct page *page, const struct report *report,
			     const struct report_variant *variant)
{
	const char *const heads[] = {"setting", report->base.name, variant->name};
	_cleanup_(environment_diff_release) struct environment_diff diff =
		environment_diff_of(&report->base, variant);
	_cleanup_free_ char *caption =
		xasprintf("%zu settings differ between %s and %s, %zu are equal", diff.items.count,
			  report->base.name, variant->name, diff.same);

	page_start(page, "h3", NULL);
	page_attribute_format(page, "id", "environment-%zu",
			      (size_t)(variant - report->variants.items));
	page_text(page, caption);
	page_end(page);
	if (!diff.items.count)
		return;
	page_start(page, "div", "card");
	page_table(page, NULL, caption);
	page_table_head(page, heads, ARRAY_SIZE(heads), "---");
	array_for_each (item, &diff.items)
		difference_row(page, item);
	page_table_end(page);
	page_end(page);
}

static void write_notes(struct page *page, const struct report *report)
{
	if (!report->notes.count)
		return;
	page_element(page, "h3", NULL, "Notes");
	page_start(page, "ul", NULL);
	array_for_each (note, &report->notes)
		page_element(page, "li", NULL, *note);
	page_end(page);
}

void html_environment(struct html_report *html)
{
	page_section(html->page, "environment", "What was compared");
	write_sides(html->page, html->report);
	array_for_each (variant, &html->report->variants)
		write_difference(html->page, html->report, variant);
	write_notes(html->page, html->report);
	page_end(html->page);
}

static void write_failure(struct page *page, const struct report_variant *variant,
			  const char *failure)
{
	_cleanup_(strbuf_release) struct strbuf text = STRBUF_INIT;
	size_t first_line = strcspn(failure, "\n");
	_cleanup_free_ char *reason = xstrndup(failure, first_line);

	page_start(page, "details", "card row v-failed");
	page_start(page, "summary", NULL);
	page_start(page, "h3", NULL);
	page_name(page, variant->name);
	page_format(page, ", %s", reason);
	page_end(page);
	page_end(page);
	page_start(page, "div", "body");
	if (failure[first_line])
		format_tail(&text, failure + first_line + 1, CONSOLE_BYTES);
	else
		strbuf_append(&text, "no console was recorded");
	page_start(page, "pre", NULL);
	page_attribute(page, "tabindex", "0");
	page_attribute(page, "aria-label", "end of the console");
	page_attribute(page, "role", "region");
	page_element_take(page, "code", NULL, &text);
	page_end(page);
	page_end(page);
	page_end(page);
}

void html_failures(struct html_report *html)
{
	size_t failures = html->report->base.failures.count;

	array_for_each (variant, &html->report->variants)
		failures += variant->failures.count;
	if (!failures)
		return;
	page_section(html->page, "failures", "Boots that failed");
	array_for_each (failure, &html->report->base.failures)
		write_failure(html->page, &html->report->base, *failure);
	array_for_each (variant, &html->report->variants)
		array_for_each (failure, &variant->failures)
			write_failure(html->page, variant, *failure);
	page_end(html->page);
}
