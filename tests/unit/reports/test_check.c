/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <libxml/parser.h>

#include "reports/check/check.h"
#include "reports/check/consumers.h"
#include "tests/unit/reports/sets.h"

#define SUITE                                                                                      \
	"<testsuite name='s' tests='1' failures='1' errors='0' skipped='0' time='1.5' "            \
	"timestamp='2026-11-30T20:33:07'>"
#define CASE "<testcase classname='c' name='n' time='1.5'>"
#define FAIL "<failure type='t' message='m'>m\nmore</failure>"

static struct check_result check(const char *document, const char *consumer)
{
	_cleanup_(error_clear) struct error err = {0};
	struct check_result result;

	if (report_check(document, strlen(document), consumer, &result, &err) < 0)
		fail_msg("%s", err.message);
	assert_non_null(result.summary);
	return result;
}

/* The consumer's gravest remark is of that level, and one of them holds the text. */
static void expect(const char *document, const char *consumer, enum remark_level level,
		   const char *text)
{
	struct check_result result = check(document, consumer);
	bool found = !text;

	if (check_result_level(&result) != level) {
		array_for_each (remark, &result.remarks)
			print_message("%s: %s\n", remark_level_name(remark->level), remark->text);
		fail_msg("%s: level %s of %s", consumer ? consumer : "all",
			 remark_level_name(check_result_level(&result)), document);
	}
	array_for_each (remark, &result.remarks)
		found |= text && strstr(remark->text, text) && remark->level == level;
	if (!found)
		fail_msg("%s: nothing says '%s' of %s", consumer ? consumer : "all", text,
			 document);
	check_result_release(&result);
}

static void a_plain_file_suits_all(void **state)
{
	const char *plain = "<testsuites>" SUITE CASE FAIL "</testcase></testsuite></testsuites>";

	(void)state;
	expect(plain, NULL, REMARK_NOTE, "shows 1 of 1 cases: 1 failed");
	for (const struct consumer *consumer = consumers; consumer->name; consumer++)
		if (!consumer->only_when_named)
			expect(plain, consumer->name, REMARK_NOTE, "shows 1 of 1 cases");
}

static void schemas_are_kept(void **state)
{
	(void)state;
	expect("<testsuites>" SUITE "<testcase classname='c' name='n' time='1.5' file='f'>" FAIL
	       "</testcase></testsuite></testsuites>",
	       "jenkins", REMARK_ERROR, "with file or line");
	expect("<testsuites>" SUITE CASE "<properties/>" FAIL
	       "</testcase></testsuite></testsuites>",
	       "jenkins", REMARK_ERROR, "with properties");
	expect("<testsuites>" SUITE CASE "<properties/>" FAIL
	       "</testcase></testsuite></testsuites>",
	       "allure", REMARK_NOTE, NULL);
	expect("<testsuites>" SUITE "<testcase classname='c' name='n' time='0.0123456'>" FAIL
	       "</testcase></testsuite></testsuites>",
	       "jenkins", REMARK_ERROR, "12.345");
	expect("<testsuites><testsuite name='s' tests='0'/></testsuites>", "jenkins", REMARK_ERROR,
	       "`errors`");
	expect("<testsuites name='x'>" SUITE CASE FAIL "</testcase></testsuite></testsuites>",
	       "ant", REMARK_ERROR, "root has attributes");
}

static void what_hides_a_failure_is_an_error(void **state)
{
	const char *nested = "<testsuites><testsuite name='o'>" SUITE CASE FAIL
			     "</testcase></testsuite></testsuite></testsuites>";
	const char *twice =
		"<testsuite name='s'>" CASE "</testcase>" CASE FAIL "</testcase></testsuite>";
	const char *both = "<testsuite name='s'>" CASE FAIL "<skipped>x</skipped></testcase>"
			   "</testsuite>";

	(void)state;
	expect(nested, "dorny", REMARK_ERROR, "shown as passed");
	expect(nested, "gitlab", REMARK_NOTE, "shows 1 of 1");
	expect(twice, "gitlab", REMARK_ERROR, "have the name of one before");
	expect(twice, "xunit-viewer", REMARK_ERROR, "take the place");
	expect(twice, "jenkins-junit", REMARK_NOTE, "shows 2 of 2");
	expect(both, "mikepenz", REMARK_ERROR, "shown as skipped");
	expect(both, "azure", REMARK_ERROR, "several outcomes");
	expect("<testsuite>" CASE "</testcase></testsuite>", "dorny", REMARK_ERROR,
	       "without a name");
	expect("<testsuite name='s'><testcase name='n'/></testsuite>", "buildkite", REMARK_ERROR,
	       "without classname");
	expect("<testsuite name='s' tests='2'>" CASE "</testcase></testsuite>", "azure",
	       REMARK_ERROR, "totals");
	expect("<testsuite name='s'><testcase classname='c' name='n' time='1,5'/></testsuite>",
	       "gitlab", REMARK_ERROR, "no number");
}

static void what_is_dropped_is_a_warning(void **state)
{
	_cleanup_free_ char *name = xcalloc(601, 1);
	_cleanup_free_ char *longer = NULL;

	(void)state;
	memset(name, 'n', 600);
	longer = xasprintf("<testsuite name='s' timestamp='2026-11-30T20:33:07'><testcase "
			   "classname='c' time='1' name='%s'/></testsuite>",
			   name);
	expect("<testsuite name='s'>" CASE "<failure message='m'>body</failure></testcase>"
	       "</testsuite>",
	       "gitlab", REMARK_WARNING, "does not repeat it");
	expect("<testsuite name='s'>" CASE "<failure message='m'/></testcase></testsuite>",
	       "gitlab", REMARK_WARNING, "without a body");
	expect("<testsuite name='s'>" CASE "<skipped message='m'/></testcase></testsuite>",
	       "gitlab", REMARK_WARNING, "skipped without a body");
	expect(longer, "azure", REMARK_WARNING, "names that are cut");
	expect(longer, "reportportal", REMARK_WARNING, "names that are cut");
	expect(longer, "gitlab", REMARK_NOTE, NULL);
	expect("<testsuite name='s'>" CASE "</testcase></testsuite>", "azure", REMARK_WARNING,
	       "without timestamp");
	expect("<testsuite name='s'>" CASE FAIL "<system-out>[[ATTACHMENT|a]]\n[[ATTACHMENT|b]]"
	       "</system-out></testcase></testsuite>",
	       "gitlab", REMARK_WARNING, "attachments");
	expect("<testsuites/>", "gitlab", REMARK_WARNING, "no case at all");
}

static void what_is_no_xml_is_refused_by_all(void **state)
{
	const size_t length = 11 * 1024 * 1024;
	_cleanup_free_ char *text = xcalloc(length + 1, 1);
	_cleanup_free_ char *huge = NULL;

	(void)state;
	memset(text, 'x', length);
	huge = xasprintf("<testsuite name='s'>" CASE "<system-out>%s</system-out></testcase>"
			 "</testsuite>",
			 text);
	expect("<testsuite name='\033'/>", NULL, REMARK_ERROR, "not well-formed");
	expect("<testsuite name='&#27;'/>", NULL, REMARK_ERROR, "not well-formed");
	expect("<testsuite name='\xff'/>", NULL, REMARK_ERROR, "not well-formed");
	expect("<testsuite>", NULL, REMARK_ERROR, "not well-formed");
	expect("<html/>", NULL, REMARK_ERROR, "root element");
	expect(huge, NULL, REMARK_ERROR, "10 MB");
}

static void our_own_reports_suit(void **state)
{
	static const char *const formats[] = {"junit", "json", "kcidb", "prometheus", "benchfmt"};
	struct report_options options = default_options();
	struct run_set base, variant;
	const struct run_set *pointer = &variant;
	struct report report;

	(void)state;
	sets_2013(&base, &variant);
	report = build(&base, &pointer, 1, &options);
	for (size_t i = 0; i < ARRAY_SIZE(formats); i++) {
		_cleanup_free_ char *text = write_report(&report, formats[i]);
		struct check_result result = check(text, NULL);

		assert_string_equal(result.format, formats[i]);
		assert_int_equal(check_result_level(&result), REMARK_NOTE);
		check_result_release(&result);
	}
	report.presentation.junit_flavour = JUNIT_ANT;
	{
		_cleanup_free_ char *text = write_report(&report, "junit");

		expect(text, "ant", REMARK_NOTE, "shows 4 of 4 cases");
	}
	report_release(&report);
	run_set_release(&base);
	run_set_release(&variant);
}

static void json_is_held_against_its_rules(void **state)
{
	(void)state;
	expect("{\"format\":\"kregress-comparison-1\"}", NULL, REMARK_ERROR, "`series`");
	expect("{\"format\":\"kregress-comparison-1\",\"base\":\"b\",\"variants\":[\"v\"],"
	       "\"series\":[{\"verdict\":\"slow\"}]}",
	       NULL, REMARK_ERROR, "no verdict");
	expect("{\"format\":NaN}", NULL, REMARK_ERROR, "NaN");
	expect("{\"version\":{\"major\":4}}", NULL, REMARK_ERROR, "not 5.x");
	expect("{\"version\":{\"major\":5,\"minor\":3},\"tests\":[{\"id\":\"a:1\",\"origin\":\"b\","
	       "\"build_id\":\"b:1\"}]}",
	       NULL, REMARK_ERROR, "does not start with the origin");
	expect("{\"version\":{\"major\":5,\"minor\":3},\"tests\":[{\"id\":\"b:1\",\"origin\":\"b\","
	       "\"build_id\":\"b:1\",\"path\":\"a..b\"}]}",
	       NULL, REMARK_ERROR, "path");
	expect("{\"version\":{\"major\":5,\"minor\":3},\"tests\":[{\"id\":\"b:1\",\"origin\":\"b\","
	       "\"build_id\":\"b:1\",\"path\":\"a.b\",\"status\":\"SLOW\"}]}",
	       NULL, REMARK_ERROR, "status");
}

static void lines_are_held_against_their_rules(void **state)
{
	(void)state;
	expect("# TYPE a gauge\na{x=\"1\"} 2\na{x=\"2\"} +Inf\n", NULL, REMARK_NOTE, NULL);
	expect("# TYPE a gauge\na{x=1} 2\n", NULL, REMARK_ERROR, "no sample");
	expect("# TYPE a gauge\na 1,5\n", NULL, REMARK_ERROR, "no sample");
	expect("# TYPE a gauge\na{x=\"\\q\"} 1\n", NULL, REMARK_ERROR, "no sample");
	expect("# TYPE a gauge\na{x=\"1\"} 2\na{x=\"1\"} 3\n", NULL, REMARK_ERROR, "two samples");
	expect("# TYPE a gauge\na{x=\"1\"} 2\nb 1\na{x=\"2\"} 3\n", NULL, REMARK_ERROR,
	       "do not stand together");
	expect("# TYPE a gauge\na 1", NULL, REMARK_ERROR, "no line feed");
	expect("# TYPE a gauge\nb 1\n", NULL, REMARK_WARNING, "no TYPE line");
	expect("BenchmarkA 1 2 ns/op\n", NULL, REMARK_NOTE, NULL);
	expect("BenchmarkA 1 2\n", NULL, REMARK_ERROR, "no result");
	expect("BenchmarkA 1 1,5 ns/op\n", NULL, REMARK_ERROR, "no result");
	expect("Benchmarka 1 2 ns/op\n", NULL, REMARK_ERROR, "no result");
}

static void other_files_are_named_as_such(void **state)
{
	static const char *const documents[] = {"", "hello", "{}", "[]"};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(documents); i++) {
		_cleanup_(error_clear) struct error err = {0};
		struct check_result result;

		assert_int_equal(
			report_check(documents[i], strlen(documents[i]), NULL, &result, &err), -1);
		assert_int_equal(err.kind, ERROR_DATA);
		assert_non_null(err.hint);
		check_result_release(&result);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_plain_file_suits_all),
		cmocka_unit_test(schemas_are_kept),
		cmocka_unit_test(what_hides_a_failure_is_an_error),
		cmocka_unit_test(what_is_dropped_is_a_warning),
		cmocka_unit_test(what_is_no_xml_is_refused_by_all),
		cmocka_unit_test(our_own_reports_suit),
		cmocka_unit_test(json_is_held_against_its_rules),
		cmocka_unit_test(lines_are_held_against_their_rules),
		cmocka_unit_test(other_files_are_named_as_such),
	};
	int result = cmocka_run_group_tests(tests, NULL, NULL);

	xmlCleanupParser();
	return result;
}
