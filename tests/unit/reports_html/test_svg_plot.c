/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <string.h>

#include <libxml/parser.h>
#include <libxml/xpath.h>

#include "common/alloc.h"
#include "reports/svg_plot.h"

/* The page as a tree, so that what is counted is what a reader gets. */
static xmlDocPtr finish(struct page *page)
{
	_cleanup_(strbuf_release) struct strbuf out = STRBUF_INIT;
	_cleanup_(error_clear) struct error err = {0};
	xmlDocPtr document;

	if (page_close(page, "test", &out, &err) < 0)
		fail_msg("%s", err.message);
	document = xmlReadMemory(strbuf_text(&out), (int)out.length, "page", NULL,
				 XML_PARSE_NONET | XML_PARSE_NOERROR | XML_PARSE_NOWARNING);
	assert_non_null(document);
	return document;
}

static size_t count(xmlDocPtr document, const char *path)
{
	xmlXPathContextPtr context = xmlXPathNewContext(document);
	xmlXPathObjectPtr found = xmlXPathEvalExpression(BAD_CAST path, context);
	size_t n;

	assert_non_null(found);
	n = found->nodesetval ? (size_t)found->nodesetval->nodeNr : 0;
	xmlXPathFreeObject(found);
	xmlXPathFreeContext(context);
	return n;
}

static char *text_at(xmlDocPtr document, const char *path)
{
	xmlXPathContextPtr context = xmlXPathNewContext(document);
	xmlXPathObjectPtr found = xmlXPathEvalExpression(BAD_CAST path, context);
	xmlChar *text;
	char *copy;

	assert_non_null(found);
	text = xmlXPathCastToString(found);
	copy = xstrdup((const char *)text);
	xmlFree(text);
	xmlXPathFreeObject(found);
	xmlXPathFreeContext(context);
	return copy;
}

static struct page open_page(void)
{
	_cleanup_(error_clear) struct error err = {0};
	struct page page;

	if (page_open(&page, "test", &err) < 0)
		fail_msg("%s", err.message);
	return page;
}

/* As a history page needs it: a line with a band, change points with the range they may lie in. */
static void history_plot(void **state)
{
	static const double xs[] = {0, 1, 2, 3}, ys[] = {10, 11, 15, 16};
	static const double lows[] = {9, 10, 14, 15}, highs[] = {11, 12, 16, 17};
	static const char *const names[] = {"v6.1", "v6.2", "v6.3", "v6.4"};
	const struct svg_plot_spec spec = {
		.title = "history of lock.spin",
		.width = 600,
		.height = 240,
		.x = {.low = -0.5, .high = 3.5, .names = names, .name_count = 4},
		.y = {.low = 8, .high = 18, .label = "ns/op"},
	};
	_cleanup_free_ char *label = NULL, *tick = NULL, *tooltip = NULL;
	struct page page = open_page();
	struct svg_plot plot;
	xmlDocPtr document;

	(void)state;
	svg_plot_begin(&plot, &page, &spec);
	svg_plot_vertical_strip(&plot, "strip", 1, 2);
	svg_plot_band(&plot, "band", xs, lows, highs, 4);
	svg_plot_line(&plot, "new", xs, ys, 4);
	svg_plot_vertical(&plot, "change", 2, "v6.3: +36%");
	svg_plot_end(&plot);
	document = finish(&page);
	label = text_at(document, "string(//svg/@aria-label)");
	assert_string_equal(label, "history of lock.spin");
	assert_int_equal(count(document, "//svg[@role='img']/g[@class='x']/text"), 4);
	tick = text_at(document, "string(//g[@class='y']/text[1])");
	assert_string_equal(tick, "8");
	tooltip = text_at(document, "string(//path[@class='line change']/title)");
	assert_string_equal(tooltip, "v6.3: +36%");
	assert_int_equal(count(document, "//path[@class='band']"), 1);
	assert_int_equal(count(document, "//path[@class='strip']"), 1);
	xmlFreeDoc(document);
}

/* As a bisect page needs it: a probability per commit, and the commits that were measured. */
static void posterior_plot(void **state)
{
	static const double xs[] = {0, 1, 2}, shares[] = {0.1, 0.7, 0.2}, at[] = {0, 2},
			    level[] = {0, 0};
	static const char *const tooltips[] = {"a1b2c3: 3 boots", NULL};
	const struct svg_plot_spec spec = {
		.title = "posterior",
		.width = 360,
		.height = 200,
		.x = {.low = -0.5, .high = 2.5, .integer = true},
		.y = {.low = 0, .high = 1},
	};
	struct page page = open_page();
	struct svg_plot plot;
	xmlDocPtr document;

	(void)state;
	svg_plot_begin(&plot, &page, &spec);
	svg_plot_bars(&plot, "posterior", xs, shares, 3, 0.8);
	svg_plot_marks(&plot, "new", PLOT_CROSS, at, level, tooltips, 2);
	svg_plot_end(&plot);
	document = finish(&page);
	assert_int_equal(count(document, "//path[@class='posterior']"), 1);
	assert_int_equal(count(document, "//g[@class='mark new']/path"), 2);
	assert_int_equal(count(document, "//g[@class='mark new']/path/title"), 1);
	xmlFreeDoc(document);
}

static void nothing_draws_nothing(void **state)
{
	const struct svg_plot_spec spec = {
		.title = "empty",
		.width = 100,
		.height = 100,
		.x = {.low = 0, .high = 1},
		.y = {.low = 0, .high = 1},
	};
	struct page page = open_page();
	struct svg_plot plot;
	xmlDocPtr document;

	(void)state;
	svg_plot_begin(&plot, &page, &spec);
	svg_plot_line(&plot, "new", NULL, NULL, 0);
	svg_plot_band(&plot, "band", NULL, NULL, NULL, 0);
	svg_plot_dots(&plot, "new", NULL, NULL, 0);
	svg_plot_boxes(&plot, "new", NULL, 1, NULL, 0);
	svg_plot_end(&plot);
	document = finish(&page);
	assert_int_equal(count(document, "//svg/path[not(@class='grid')]"), 0);
	xmlFreeDoc(document);
}

/* Names that would touch each other are left out, and the first one stays. */
static void names_do_not_touch(void **state)
{
	const char *names[100];
	const struct svg_plot_spec spec = {
		.title = "many",
		.width = 360,
		.height = 100,
		.x = {.low = 0, .high = 99, .names = names, .name_count = 100},
		.y = {.low = 0, .high = 1},
	};
	struct page page = open_page();
	struct svg_plot plot;
	xmlDocPtr document;

	(void)state;
	for (size_t i = 0; i < 100; i++)
		names[i] = "0123456789";
	svg_plot_begin(&plot, &page, &spec);
	svg_plot_end(&plot);
	document = finish(&page);
	assert_in_range(count(document, "//g[@class='x']/text"), 2, 5);
	xmlFreeDoc(document);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(history_plot),
		cmocka_unit_test(posterior_plot),
		cmocka_unit_test(nothing_draws_nothing),
		cmocka_unit_test(names_do_not_touch),
	};
	int failed = cmocka_run_group_tests(tests, NULL, NULL);

	xmlCleanupParser();
	return failed;
}
