/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <string.h>

#include <libxml/HTMLparser.h>
#include <libxml/parser.h>
#include <libxml/xpath.h>

#include "collector/import/importer.h"
#include "common/embedded.h"
#include "store/exchange.h"
#include "tests/unit/reports/sets.h"

/* The page without the samples it carries, for 50 series of 6 + 6 boots with 10 samples each. */
#define SERIES_50_BYTES (640 * 1024)

static struct report report_of(const struct run_set *base, const struct run_set *candidate)
{
	struct report_options options = default_options();

	return build(base, &candidate, 1, &options);
}

static void release(struct report *report, struct run_set *base, struct run_set *candidate)
{
	report_release(report);
	run_set_release(base);
	run_set_release(candidate);
}

/* The document as XML, which is stricter than HTML. */
static xmlDocPtr parse(const char *page)
{
	xmlDocPtr document = xmlReadMemory(page, (int)strlen(page), "page", NULL,
					   XML_PARSE_NONET | XML_PARSE_HUGE);

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

static bool holds(xmlDocPtr document, const char *path)
{
	_cleanup_free_ char *test = xasprintf("number(boolean(%s))", path);

	return number_at(document, test) == 1;
}

/* Numbers that need all their digits, several samples a boot. */
static void add_awkward(struct run_set *set, double factor)
{
	static const double values[] = {1.0 / 3, 0.1,	       1e-300, 1.7976931348623157e308,
					5e-324,	 123456789.125};
	struct series *series =
		run_set_series(set, "mm.fork", "a=</script>", "time", "ns/op", BETTER_LOWER);

	for (uint32_t boot = 0; boot < set->boots.count; boot++)
		for (uint32_t i = 0; i < ARRAY_SIZE(values); i++)
			series_add_sample(series, boot, i % 2, i, values[i] * factor);
	series_sort(series);
}

static char *export_of(struct run_set **sets, size_t count)
{
	struct run_set_list list = {sets, count, count};
	struct strbuf text = STRBUF_INIT;

	exchange_write(&text, &list);
	return strbuf_take(&text);
}

static void samples_come_back_exactly(void **state)
{
	_cleanup_(run_set_list_release) struct run_set_list back = {0};
	_cleanup_(error_clear) struct error err = {0};
	_cleanup_free_ char *page = NULL, *before = NULL, *after = NULL;
	struct run_set base, candidate;
	struct run_set *sets[] = {&base, &candidate};
	struct report report;
	struct import_input input = {.name = "report.html"};

	(void)state;
	set_init(&base, "base", 3);
	set_init(&candidate, "new<&>", 3);
	add_awkward(&base, 1);
	add_awkward(&candidate, 0.7);
	boot_add_failure(&candidate.boots.items[1], "a.b", "", "<!-- & ]]>", false);
	report = report_of(&base, &candidate);
	page = write_report(&report, "html");
	input.text = page;
	input.length = strlen(page);
	if (importer_read("auto", &input, &back, &err) < 0)
		fail_msg("%s", err.message);
	before = export_of(sets, 2);
	after = export_of(back.items, back.count);
	assert_string_equal(before, after);
	release(&report, &base, &candidate);
}

static void page_without_samples_is_refused(void **state)
{
	static const char page[] = "<!DOCTYPE html><html><body>1 2 3</body></html>";
	_cleanup_(run_set_list_release) struct run_set_list back = {0};
	_cleanup_(error_clear) struct error err = {0};
	const struct import_input input = {.name = "x.html", .text = page, .length = strlen(page)};

	(void)state;
	assert_int_equal(importer_read("auto", &input, &back, &err), -1);
	assert_int_equal(err.kind, ERROR_DATA);
	assert_non_null(strstr(err.message, "x.html"));
	assert_non_null(strstr(err.hint, "kregress export"));
	assert_int_equal(back.count, 0);
}

static void rows_come_gravest_first(void **state)
{
	static const double base_values[] = {100, 100.2, 99.9, 100.1, 100, 99.8};
	static const double slow[] = {110, 110.2, 109.9, 110.1, 110, 109.8};
	static const double slower[] = {120, 120.2, 119.9, 120.1, 120, 119.8};
	static const double fast[] = {90, 90.2, 89.9, 90.1, 90, 89.8};
	const struct {
		const char *name;
		const double *values;
	} rows[] = {
		{"a.same", base_values}, {"b.fast", fast}, {"c.slow", slow}, {"d.slower", slower}};
	_cleanup_free_ char *page = NULL;
	struct run_set base, candidate;
	struct report report;
	xmlDocPtr document;

	(void)state;
	set_init(&base, "base", 6);
	set_init(&candidate, "new", 6);
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		set_add(&base, rows[i].name, "", "time", "ns/op", BETTER_LOWER, base_values, 6);
		set_add(&candidate, rows[i].name, "", "time", "ns/op", BETTER_LOWER, rows[i].values,
			6);
	}
	report = report_of(&base, &candidate);
	page = write_report(&report, "html");
	document = parse(page);
	assert_int_equal(number_at(document, "count(//tr[contains(@class,'row')])"), 4);
	assert_true(holds(document, "//tr[@class='row v-regressed'][1]//bdi[.='d.slower time']"));
	assert_true(holds(document, "//tbody/tr[2]//bdi[.='c.slow time']"));
	assert_true(
		holds(document, "//tbody/tr[3][@class='row v-improved']//bdi[.='b.fast time']"));
	assert_true(
		holds(document, "//tbody/tr[4][@class='row v-equivalent']//bdi[.='a.same time']"));
	/* Links lead somewhere, and no two elements share an id. */
	assert_int_equal(number_at(document, "count(//a[not(substring(@href,2)=//@id)])"), 0);
	assert_int_equal(number_at(document, "count(//*[@id=preceding::*/@id])"), 0);
	/* Each series: four plots. Every table names its columns and rows. */
	assert_int_equal(number_at(document, "count(//svg[@class='plot'])"), 16);
	assert_int_equal(
		number_at(document, "count(//svg[@role='img'][not(@aria-label or title)])"), 0);
	assert_int_equal(number_at(document, "count(//th[not(@scope)])"), 0);
	assert_int_equal(number_at(document, "count(//table[not(caption)])"), 0);
	xmlFreeDoc(document);
	release(&report, &base, &candidate);
}

/* Nothing is loaded, nothing runs. */
static void page_stands_alone(void **state)
{
	struct run_set base, candidate;
	struct report report;
	_cleanup_free_ char *page = NULL;
	xmlDocPtr document;

	(void)state;
	sets_2013(&base, &candidate);
	report = report_of(&base, &candidate);
	page = write_report(&report, "html");
	document = parse(page);
	assert_int_equal(
		number_at(document, "count(//link|//img|//iframe|//object|//embed|//base|//form)"),
		0);
	assert_int_equal(number_at(document, "count(//script[not(@type='" EMBEDDED_TYPE "')])"), 0);
	assert_int_equal(number_at(document, "count(//@src|//@href[not(starts-with(.,'#'))])"), 0);
	assert_int_equal(number_at(document, "count(//@*[starts-with(name(),'on')])"), 0);
	assert_int_equal(number_at(document, "count(//main)+count(//header)+count(//h1)"), 3);
	xmlFreeDoc(document);
	release(&report, &base, &candidate);
}

/* An HTML parser, which is what meets the page, sees the same elements as an XML parser. */
static void hostile_names_stay_text(void **state)
{
	struct run_set base, candidate;
	struct report report;
	_cleanup_free_ char *page = NULL;
	xmlDocPtr xml, html;
	static const char *const counts[] = {"count(//details)", "count(//tr)", "count(//script)",
					     "count(//svg)",	 "count(//b)",	"count(//bdi)"};

	(void)state;
	sets_hostile(&base, &candidate);
	report = report_of(&base, &candidate);
	page = write_report(&report, "html");
	xml = parse(page);
	html = htmlReadMemory(page, (int)strlen(page), "page", "UTF-8",
			      HTML_PARSE_NONET | HTML_PARSE_NOERROR | HTML_PARSE_NOWARNING);
	assert_non_null(html);
	for (size_t i = 0; i < ARRAY_SIZE(counts); i++)
		assert_int_equal(number_at(xml, counts[i]), number_at(html, counts[i]));
	assert_int_equal(number_at(xml, "count(//script)"), 1);
	assert_null(strchr(page, '\033'));
	assert_null(strchr(page, '\001'));
	xmlFreeDoc(xml);
	xmlFreeDoc(html);
	release(&report, &base, &candidate);
}

static void add_many(struct run_set *set, const char *metric, size_t series_count, uint32_t samples)
{
	for (size_t i = 0; i < series_count; i++) {
		_cleanup_free_ char *name = xasprintf("group.bench_%zu", i);
		struct series *series = run_set_series(set, name, "", metric, "x/op", BETTER_LOWER);
		uint32_t state = (uint32_t)i + 1;

		for (uint32_t boot = 0; boot < set->boots.count; boot++)
			for (uint32_t k = 0; k < samples; k++) {
				state = state * 1664525 + 1013904223;
				series_add_sample(series, boot, 0, k,
						  1000 + (double)(state >> 8) / (1 << 20));
			}
	}
}

static size_t bytes_without_samples(const char *page)
{
	size_t start, size;

	assert_true(embedded_find(page, strlen(page), &start, &size));
	return strlen(page) - size;
}

static void fifty_series_stay_small(void **state)
{
	struct run_set base, candidate;
	struct report report;
	_cleanup_free_ char *page = NULL;

	(void)state;
	set_init(&base, "base", 6);
	set_init(&candidate, "new", 6);
	add_many(&base, "time", 50, 10);
	add_many(&candidate, "time", 50, 10);
	report = report_of(&base, &candidate);
	page = write_report(&report, "html");
	assert_in_range(bytes_without_samples(page), 100 * 1024, SERIES_50_BYTES);
	release(&report, &base, &candidate);
}

/* More findings than have details, more samples than a page carries: all rows, and notes. */
static void very_large_sets_are_thinned(void **state)
{
	struct run_set base, candidate;
	struct report report;
	_cleanup_free_ char *page = NULL;
	xmlDocPtr document;
	size_t start, size;

	(void)state;
	set_init(&base, "base", 2);
	set_init(&candidate, "new", 2);
	add_many(&base, "insn", 300, 900);
	add_many(&candidate, "insn", 300, 900);
	report = report_of(&base, &candidate);
	page = write_report(&report, "html");
	document = parse(page);
	assert_int_equal(number_at(document, "count(//tr[contains(@class,'row')])"), 300);
	assert_int_equal(number_at(document, "count(//details[contains(@class,'row')])"), 200);
	assert_true(
		holds(document, "//p[contains(.,'Details of the 200 gravest of 300 findings')]"));
	assert_true(holds(document, "//p[contains(.,'1080000 samples are too many')]"));
	assert_true(holds(document,
			  "//code[starts-with(.,'kregress export base@01234567 new@01234567')]"));
	assert_false(embedded_find(page, strlen(page), &start, &size));
	assert_in_range(strlen(page), 1, 4 * 1024 * 1024);
	xmlFreeDoc(document);
	release(&report, &base, &candidate);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(samples_come_back_exactly),
		cmocka_unit_test(page_without_samples_is_refused),
		cmocka_unit_test(rows_come_gravest_first),
		cmocka_unit_test(page_stands_alone),
		cmocka_unit_test(hostile_names_stay_text),
		cmocka_unit_test(fifty_series_stay_small),
		cmocka_unit_test(very_large_sets_are_thinned),
	};
	int failed = cmocka_run_group_tests(tests, NULL, NULL);

	xmlCleanupParser();
	return failed;
}
