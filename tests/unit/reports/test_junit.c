/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <ctype.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <libxml/parser.h>

#include "common/file.h"
#include "reports/junit_check.h"
#include "reports/junit_names.h"
#include "reports/xml_text.h"
#include "tests/unit/reports/junit_document.h"
#include "tests/unit/reports/sets.h"

static struct report build_pair(const struct run_set *base, const struct run_set *variant)
{
	struct report_options options = default_options();

	return build(base, &variant, 1, &options);
}

static void verdicts_are_mapped(void **state)
{
	struct run_set base, variant;
	_cleanup_free_ char *text = NULL;
	struct report report;
	xmlDoc *document;

	(void)state;
	sets_2013(&base, &variant);
	report = build_pair(&base, &variant);
	text = write_report(&report, "junit");
	document = junit_parse(text);
	junit_expect(document, "string(/testsuites/@tests)", "4");
	junit_expect(document, "string(/testsuites/@failures)", "2");
	junit_expect(document, "string(/testsuites/testsuite/@name)",
		     "kregress.vm.x86_64-tcg.preempt");
	junit_expect(document, "string(/testsuites/testsuite/@tests)", "4");
	junit_expect(document, "string(/testsuites/testsuite/@failures)", "2");
	junit_expect(document, "string(/testsuites/testsuite/@errors)", "0");
	junit_expect(document, "string(/testsuites/testsuite/@skipped)", "1");
	junit_expect(document, "string(/testsuites/testsuite/@time)", "72.000");
	junit_expect(document, "string(/testsuites/testsuite/@timestamp)", "2026-11-30T20:33:07");
	junit_expect(document, "string(/testsuites/testsuite/@hostname)", "lab-07");
	junit_expect(document, "string(//testcase[@classname='tbench']/@name)", "rate [8]");
	junit_expect(document, "string(//testcase[@classname='tbench']/failure/@type)",
		     "performance-regression");
	junit_expect(document, "count(//testcase[@classname='vmark']/skipped)", "1");
	junit_expect(document, "count(//testcase[@classname='kbuild']/*)", "1");
	junit_expect(document, "count(//testcase[@classname='kbuild']/system-out)", "1");
	junit_expect(document, "boolean(//failure[starts-with(., concat(@message, '\n'))])",
		     "true");
	junit_expect(document,
		     "count(//*[self::failure or self::skipped][not(starts-with(., @message))])",
		     "0");
	junit_expect(document, "count(//testcase[count(failure|error|skipped) > 1])", "0");
	junit_expect(document, "string(//property[@name='base.kernel']/@value)", "6.1.0-57-amd64");
	junit_expect(document, "string(//property[@name='new.cmdline']/@value)",
		     "console=ttyS0 preempt=x");
	junit_expect(document, "string(//property[@name='seed']/@value)", "18446744073709551615");
	junit_expect(document, "string(//property[@name='limit']/@value)", "2%");
	junit_expect(document, "count(//property[starts-with(@name, 'finding.')])", "2");
	xmlFreeDoc(document);
	report_release(&report);
	run_set_release(&base);
	run_set_release(&variant);
}

static void problems_are_mapped(void **state)
{
	static const double values[] = {1, 1.1, 1.05};
	struct run_set base, variant;
	_cleanup_free_ char *text = NULL;
	struct report report;
	xmlDoc *document;

	(void)state;
	set_init(&base, "base", 3);
	set_init(&variant, "new", 3);
	set_add(&base, "crash", "", "time", "ns/op", BETTER_LOWER, values, 3);
	boot_add_failure(&variant.boots.items[0], "crash", "", "hang", false);
	set_add(&base, "gone", "", "time", "ns/op", BETTER_LOWER, values, 3);
	set_add(&variant, "fresh", "", "time", "ns/op", BETTER_LOWER, values, 3);
	set_add(&base, "refused", "", "time", "ns/op", BETTER_LOWER, values, 3);
	boot_add_failure(&variant.boots.items[0], "refused", "", "not exported", true);
	set_add(&base, "unit", "", "time", "ns/op", BETTER_LOWER, values, 3);
	set_add(&variant, "unit", "", "time", "s", BETTER_LOWER, values, 3);
	report = build_pair(&base, &variant);
	text = write_report(&report, "junit");
	document = junit_parse(text);
	junit_expect(document, "string(//testcase[@classname='crash']/error/@type)",
		     "benchmark-crash");
	junit_expect(document, "string(//testcase[@classname='gone']/error/@type)",
		     "benchmark-missing");
	junit_expect(document, "string(//testcase[@classname='unit']/error/@type)",
		     "benchmark-missing");
	junit_expect(document, "count(//testcase[@classname='fresh']/skipped)", "1");
	junit_expect(document, "count(//testcase[@classname='refused']/skipped)", "1");
	junit_expect(document, "string(//testsuite/@errors)", "3");
	junit_expect(document, "string(//testsuite/@skipped)", "2");
	xmlFreeDoc(document);
	report_release(&report);
	run_set_release(&base);
	run_set_release(&variant);
}

static void all_boots_failed_is_a_case(void **state)
{
	static const double values[] = {1, 1.1};
	struct run_set base, variant;
	_cleanup_free_ char *text = NULL;
	struct report report;
	xmlDoc *document;

	(void)state;
	set_init(&base, "base", 2);
	set_init(&variant, "new", 2);
	set_add(&base, "a", "", "time", "ns/op", BETTER_LOWER, values, 2);
	set_fail_boot(&variant, 0, "panic", "the tail");
	set_fail_boot(&variant, 1, "panic", NULL);
	report = build_pair(&base, &variant);
	text = write_report(&report, "junit");
	document = junit_parse(text);
	junit_expect(document, "string(//testcase[@classname='boot']/error/@type)",
		     "benchmark-crash");
	junit_expect(document, "contains(//testcase[@classname='boot']/error, 'the tail')", "true");
	junit_expect(document, "contains(//testcase[@classname='a']/error, 'the tail')", "true");
	junit_expect(document, "string(//testsuite/@errors)", "2");
	junit_expect(document, "string(//testsuite/@tests)", "2");
	xmlFreeDoc(document);
	report_release(&report);
	run_set_release(&base);
	run_set_release(&variant);
}

static void several_variants_share_no_name(void **state)
{
	struct report_options options = default_options();
	struct run_set sets[3];
	const struct run_set *const variants[] = {&sets[1], &sets[2]};
	_cleanup_free_ char *text = NULL;
	struct report report;
	xmlDoc *document;

	(void)state;
	sets_2005(&sets[0], &sets[1], &sets[2]);
	report = build(&sets[0], variants, 2, &options);
	text = write_report(&report, "junit");
	document = junit_parse(text);
	junit_expect(document, "count(/testsuites/testsuite)", "2");
	junit_expect(document, "count(//testcase[@classname='fork'][@name='time @ipipe']/skipped)",
		     "1");
	junit_expect(document,
		     "count(//testcase[@classname='fork'][@name='time @preempt_rt']/skipped)", "1");
	junit_expect(document, "string(//testsuite[2]/@id)", "1");
	xmlFreeDoc(document);
	report_release(&report);
	for (size_t i = 0; i < ARRAY_SIZE(sets); i++)
		run_set_release(&sets[i]);
}

/* An empty report has no case and is a document all the same. */
static void no_case_is_a_document(void **state)
{
	struct run_set base, variant;
	_cleanup_free_ char *text = NULL;
	struct report report;
	xmlDoc *document;

	(void)state;
	sets_2013(&base, &variant);
	report = build_pair(&base, &variant);
	array_for_each (series, &report.series)
		series->context = true;
	text = write_report(&report, "junit");
	document = junit_parse(text);
	junit_expect(document, "string(//testsuite/@tests)", "0");
	junit_expect(document, "count(//testcase)", "0");
	xmlFreeDoc(document);
	report_release(&report);
	run_set_release(&base);
	run_set_release(&variant);
}

static void assert_names_are_plain(xmlDoc *document)
{
	for (xmlNode *node = xmlDocGetRootElement(document)->children->next->children; node;
	     node = node->next) {
		xmlChar *classname, *name;

		if (!xmlStrEqual(node->name, BAD_CAST "testcase"))
			continue;
		classname = xmlGetProp(node, BAD_CAST "classname");
		name = xmlGetProp(node, BAD_CAST "name");
		assert_true(xmlStrlen(classname) <= 255 && xmlStrlen(name) <= 255);
		for (const xmlChar *byte = classname; *byte; byte++)
			assert_true(*byte < 0x80 && (isalnum(*byte) || strchr("._-", *byte)));
		for (const xmlChar *byte = name; *byte; byte++)
			assert_true(*byte >= 0x20 && *byte < 0x7f);
		xmlFree(classname);
		xmlFree(name);
	}
}

static void hostile_text_stays_well_formed(void **state)
{
	struct run_set base, variant;
	_cleanup_free_ char *text = NULL, *body = NULL;
	struct report report;
	xmlDoc *document;

	(void)state;
	sets_hostile(&base, &variant);
	report = build_pair(&base, &variant);
	text = write_report(&report, "junit");
	document = junit_parse(text);
	assert_names_are_plain(document);
	junit_expect(document, "count(//testcase)", "9");
	junit_expect(document, "count(//testcase[@classname='lock.a_b'])", "3");
	junit_expect(document,
		     "count(//*[self::failure or self::error][string-length(.) >= 50000])", "0");
	junit_expect(document, "count(//*[string-length(@message) > 1010])", "0");
	junit_expect(document, "contains(//error[@type='benchmark-crash'], 'end Kernel panic')",
		     "true");
	junit_expect(document,
		     "contains(//error[@type='benchmark-crash'], '\\xff\\xfe \\xef\\xbf\\xbf')",
		     "true");
	body = junit_evaluate(document, "string(//system-err)");
	assert_null(strchr(body, '\033'));
	assert_null(strchr(body, '\r'));
	xmlFreeDoc(document);
	report_release(&report);
	run_set_release(&base);
	run_set_release(&variant);
}

/* The schema of Jenkins' xunit plug-in, and proof that it is one that refuses. */
static void document_suits_the_jenkins_schema(void **state)
{
	const char *schema = SHARED_DATA "/xsd/jenkins-junit-10.xsd";
	struct run_set base, variant;
	struct report report;
	xmlDoc *document;

	(void)state;
	if (!file_exists(schema)) {
		print_message("skipped: no reference data at %s\n", schema);
		skip();
	}
	for (int hostile = 0; hostile < 2; hostile++) {
		_cleanup_free_ char *text = NULL;

		if (hostile)
			sets_hostile(&base, &variant);
		else
			sets_2013(&base, &variant);
		report = build_pair(&base, &variant);
		text = write_report(&report, "junit");
		document = junit_parse(text);
		assert_true(junit_is_valid(schema, document));
		xmlSetProp(xmlDocGetRootElement(document), BAD_CAST "time", BAD_CAST "1e-3");
		assert_false(junit_is_valid(schema, document));
		xmlFreeDoc(document);
		report_release(&report);
		run_set_release(&base);
		run_set_release(&variant);
	}
}

static void check_says(const char *document, const struct junit_counts *counts, const char *cause)
{
	_cleanup_(error_clear) struct error err = {0};
	int result = junit_check(document, strlen(document), counts, &err);

	assert_int_equal(result, cause ? -1 : 0);
	if (cause && !strstr(err.message, cause))
		fail_msg("'%s' does not say '%s'", err.message, cause);
}

static void check_finds_damage(void **state)
{
	const struct junit_counts one = {.tests = 1, .failures = 1};

	(void)state;
	check_says("<t><s><testcase classname='a' name='b'><failure/></testcase></s></t>", &one,
		   NULL);
	check_says("<t><s><testcase classname='a' name='b'/></s></t>", &one, "were meant");
	check_says("<t><s><testcase classname='a' name='b'><failure/><skipped/></testcase></s></t>",
		   &one, "several outcomes");
	check_says("<t><s><testcase classname='a' name='b'><failure/></testcase>"
		   "<testcase classname='a' name='b'/></s></t>",
		   &one, "two cases are named 'a' 'b'");
	check_says("<t><s><testcase name='b'/></s></t>", &one, "no name");
	check_says("<t><s>\033</s></t>", &one, "not well-formed");
	check_says("<t><s>\xff</s></t>", &one, "not well-formed");
	check_says("", &one, "not well-formed");
}

static void names_are_stable_and_unique(void **state)
{
	struct junit_names names = {0};
	_cleanup_free_ char *first = junit_case_name(&names, "a_b", "a/b", "time", "x=1", NULL);
	_cleanup_free_ char *second = junit_case_name(&names, "a_b", "a b", "time", "x=1", NULL);
	_cleanup_free_ char *third = junit_case_name(&names, "a_b", "a b", "time", "x=1", NULL);
	_cleanup_free_ char *other = junit_case_name(&names, "c", "c", "time", "x=1", NULL);
	_cleanup_free_ char *variant = junit_case_name(&names, "c", "c", "time", "", "new");
	_cleanup_free_ char *empty = junit_classname("");
	_cleanup_free_ char *classname = junit_classname("lock.spin \xc3\xa4\xff/x");

	(void)state;
	assert_string_equal(first, "time [x=1]");
	assert_true(!strncmp(second, "time [x=1]-", 11));
	assert_true(!strncmp(third, "time [x=1]-", 11));
	assert_string_not_equal(second, third);
	assert_string_equal(other, "time [x=1]");
	assert_string_equal(variant, "time @new");
	assert_string_equal(empty, "unnamed");
	assert_string_equal(classname, "lock.spin____x");
	junit_names_release(&names);
}

static void expect_clean(const char *text, const char *expected_text, const char *expected_line)
{
	_cleanup_(strbuf_release) struct strbuf clean = STRBUF_INIT;
	_cleanup_(strbuf_release) struct strbuf line = STRBUF_INIT;

	xml_append_text(&clean, text);
	xml_append_line(&line, text);
	assert_string_equal(strbuf_text(&clean), expected_text);
	assert_string_equal(strbuf_text(&line), expected_line);
}

static void text_becomes_xml_chars(void **state)
{
	(void)state;
	expect_clean("a\r\nb\tc\rd", "a\nb\tc\\x0dd", "a b c\\x0dd");
	expect_clean("\033\001\x7f", "\\x1b\\x01\\x7f", "\\x1b\\x01\\x7f");
	expect_clean("\xc2\x85\xc2\xa0", "\\xc2\\x85\xc2\xa0", "\\xc2\\x85\xc2\xa0");
	expect_clean("\xef\xbf\xbd\xef\xbf\xbe\xef\xbf\xbf",
		     "\xef\xbf\xbd\\xef\\xbf\\xbe\\xef\\xbf\\xbf",
		     "\xef\xbf\xbd\\xef\\xbf\\xbe\\xef\\xbf\\xbf");
	expect_clean("\xed\xa0\x80\xf0\x9f\x98\x80\xf4\x90\x80\x80",
		     "\\xed\\xa0\\x80\xf0\x9f\x98\x80\\xf4\\x90\\x80\\x80",
		     "\\xed\\xa0\\x80\xf0\x9f\x98\x80\\xf4\\x90\\x80\\x80");
	expect_clean("\xc3", "\\xc3", "\\xc3");
	expect_clean("", "", "");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(verdicts_are_mapped),
		cmocka_unit_test(problems_are_mapped),
		cmocka_unit_test(all_boots_failed_is_a_case),
		cmocka_unit_test(several_variants_share_no_name),
		cmocka_unit_test(no_case_is_a_document),
		cmocka_unit_test(hostile_text_stays_well_formed),
		cmocka_unit_test(document_suits_the_jenkins_schema),
		cmocka_unit_test(check_finds_damage),
		cmocka_unit_test(names_are_stable_and_unique),
		cmocka_unit_test(text_becomes_xml_chars),
	};
	int result = cmocka_run_group_tests(tests, NULL, NULL);

	xmlCleanupParser();
	return result;
}
