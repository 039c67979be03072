/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#include <libxml/parser.h>
#include <libxml/xpath.h>

#include "common/alloc.h"
#include "reports/html_bisect.h"

static void add_commit(struct bisect_report *report, enum bisect_commit_state state,
		       double probability, double mean)
{
	struct bisect_commit *commit = array_append(&report->commits);

	commit->id = xasprintf("%040zx", report->commits.count);
	commit->subject = xstrdup("mm: </td> & more");
	commit->state = state;
	commit->probability = probability;
	commit->in_set = probability > 0.5;
	commit->count = state == BISECT_FAST || state == BISECT_SLOW ? 3 : 0;
	commit->mean = mean;
	commit->sd = 0.5;
}

static void fill(struct bisect_report *report)
{
	*report = (struct bisect_report){
		.repository = xstrdup("/src/linux"),
		.started_at = xstrdup("2026-11-30T20:33:07"),
		.state = xstrdup("found"),
		.term_bad = xstrdup("bad"),
		.term_good = xstrdup("good"),
		.metric = xstrdup("time"),
		.measures = true,
		.finished = true,
		.range = 5,
		.measured = 9,
	};
	add_commit(report, BISECT_FAST, 0, 10);
	add_commit(report, BISECT_UNTESTED, 0.0001, 0);
	add_commit(report, BISECT_SLOW, 0.9, 15);
	add_commit(report, BISECT_SKIPPED, 0.0999, 0);
	add_commit(report, BISECT_SLOW, 0, 15.2);
	report->first_bad = xstrdup(report->commits.items[2].id);
	string_list_add(&report->path, report->commits.items[4].id);
	string_list_add(&report->path, report->commits.items[0].id);
	string_list_add(&report->path, report->commits.items[2].id);
}

static xmlDocPtr page_of(const struct bisect_report *report)
{
	_cleanup_(strbuf_release) struct strbuf out = STRBUF_INIT;
	_cleanup_(error_clear) struct error err = {0};
	xmlDocPtr document;

	if (bisect_write_html(report, &out, &err) < 0)
		fail_msg("%s", err.message);
	document = xmlReadMemory(strbuf_text(&out), (int)out.length, "page", NULL, XML_PARSE_NONET);
	assert_non_null(document);
	return document;
}

static int number_at(xmlDocPtr document, const char *path)
{
	xmlXPathContextPtr context = xmlXPathNewContext(document);
	xmlXPathObjectPtr found = xmlXPathEvalExpression(BAD_CAST path, context);
	double number;

	assert_non_null(found);
	number = xmlXPathCastToNumber(found);
	xmlXPathFreeObject(found);
	xmlXPathFreeContext(context);
	return (int)number;
}

static void posterior_values_and_path(void **state)
{
	struct bisect_report report;
	xmlDocPtr document;

	(void)state;
	fill(&report);
	document = page_of(&report);
	assert_int_equal(number_at(document, "count(//svg[@class='plot'])"), 3);
	assert_int_equal(number_at(document, "count(//svg[1]//path[@class='posterior'])"), 1);
	/* One mark for each commit that was tested or skipped. */
	assert_int_equal(
		number_at(document, "count((//figure)[1]//g[contains(@class,'mark')]/path)"), 4);
	assert_int_equal(
		number_at(document, "count((//figure)[2]//g[contains(@class,'mark')]/path)"), 3);
	assert_int_equal(
		number_at(document, "count((//figure)[3]//g[contains(@class,'mark')]/path)"), 3);
	/* The newest first; the unlikely, untested one is only counted. */
	assert_int_equal(number_at(document, "count(//tbody/tr)"), 4);
	assert_int_equal(number_at(document, "number(//tbody/tr[3]/td[2])"), 90);
	assert_int_equal(number_at(document, "count(//p[contains(.,'1 more commit not tested')])"),
			 1);
	assert_int_equal(number_at(document, "count(//bdi[.='mm: </td> & more'])"), 4);
	xmlFreeDoc(document);
	bisect_report_release(&report);
}

static void outcomes_without_values(void **state)
{
	struct bisect_report report;
	xmlDocPtr document;

	(void)state;
	fill(&report);
	report.measures = false;
	document = page_of(&report);
	assert_int_equal(number_at(document, "count(//svg[@class='plot'])"), 2);
	xmlFreeDoc(document);
	bisect_report_release(&report);
}

static void nothing_tested_yet(void **state)
{
	struct bisect_report report = {.state = xstrdup("started")};
	xmlDocPtr document;

	(void)state;
	report.term_bad = xstrdup("bad");
	report.term_good = xstrdup("good");
	document = page_of(&report);
	assert_int_equal(number_at(document, "count(//svg)"), 0);
	assert_int_equal(number_at(document, "count(//h1)"), 1);
	xmlFreeDoc(document);
	bisect_report_release(&report);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(posterior_values_and_path),
		cmocka_unit_test(outcomes_without_values),
		cmocka_unit_test(nothing_tested_yet),
	};
	int failed = cmocka_run_group_tests(tests, NULL, NULL);

	xmlCleanupParser();
	return failed;
}
