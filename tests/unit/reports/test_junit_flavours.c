/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <git2.h>
#include <libxml/parser.h>

#include "common/file.h"
#include "tests/unit/reports/junit_document.h"
#include "tests/unit/reports/sets.h"

#define JENKINS_SCHEMA SHARED_DATA "/xsd/jenkins-junit-10.xsd"
#define ANT_SCHEMA     SHARED_DATA "/xsd/windyroad-JUnit.xsd"

/* A sanitizer makes memory dear. */
#ifdef __SANITIZE_ADDRESS__
enum { MANY_CASES = 10000 };
#else
enum { MANY_CASES = 100000 };
#endif

enum { CONSOLE_BYTES = 20 * 1024 * 1024 };

/* Two sets, their report, and its JUnit as text and tree. */
struct fixture {
	struct run_set base, variant;
	struct report report;
	char *text;
	xmlDoc *document;
};

static void fixture_build(struct fixture *fixture)
{
	struct report_options options = default_options();
	const struct run_set *variant = &fixture->variant;

	fixture->report = build(&fixture->base, &variant, 1, &options);
	fixture->text = NULL;
	fixture->document = NULL;
}

static void fixture_write(struct fixture *fixture, const struct presentation *presentation)
{
	free(fixture->text);
	if (fixture->document)
		xmlFreeDoc(fixture->document);
	fixture->report.presentation = *presentation;
	fixture->text = write_report(&fixture->report, "junit");
	fixture->document = junit_parse(fixture->text);
}

static void fixture_release(struct fixture *fixture)
{
	free(fixture->text);
	xmlFreeDoc(fixture->document);
	report_release(&fixture->report);
	run_set_release(&fixture->base);
	run_set_release(&fixture->variant);
}

static void flavours_suit_their_schemas(void **state)
{
	static const struct {
		enum junit_flavour flavour;
		bool jenkins, ant;
	} rows[] = {
		{JUNIT_JENKINS, true, false},
		{JUNIT_RICH, false, false},
		{JUNIT_ANT, true, true},
	};

	(void)state;
	if (!file_exists(JENKINS_SCHEMA) || !file_exists(ANT_SCHEMA)) {
		print_message("skipped: no reference data in %s\n", SHARED_DATA);
		skip();
	}
	for (size_t i = 0; i < 2 * ARRAY_SIZE(rows); i++) {
		const struct presentation presentation = {
			.junit_flavour = rows[i / 2].flavour,
			.attachments = "a.svg,b/{finding}.png",
		};
		struct fixture fixture;

		if (i % 2)
			sets_hostile(&fixture.base, &fixture.variant);
		else
			sets_2013(&fixture.base, &fixture.variant);
		fixture_build(&fixture);
		fixture_write(&fixture, &presentation);
		assert_int_equal(junit_is_valid(JENKINS_SCHEMA, fixture.document),
				 rows[i / 2].jenkins);
		assert_int_equal(junit_is_valid(ANT_SCHEMA, fixture.document), rows[i / 2].ant);
		fixture_release(&fixture);
	}
}

static void rich_has_file_and_properties(void **state)
{
	struct presentation presentation = {.junit_flavour = JUNIT_RICH};
	struct fixture fixture;

	(void)state;
	sets_2013(&fixture.base, &fixture.variant);
	fixture_build(&fixture);
	fixture_write(&fixture, &presentation);
	junit_expect(fixture.document, "count(//testcase[@file='kregress.conf'][@line='1'])", "4");
	junit_expect(fixture.document, "count(//testcase/properties)", "4");
	junit_expect(fixture.document,
		     "string(//testcase[@classname='tbench']//property[@name='verdict']/@value)",
		     "regressed");
	junit_expect(fixture.document,
		     "string(//testcase[@classname='tbench']//property[@name='unit']/@value)",
		     "MB/s");
	/* (929.06 + 935.01 + 928.64) / (1027.96 + 1028.76 + 1044.60) */
	junit_expect(fixture.document,
		     "string(//testcase[@classname='tbench']//property[@name='ratio']/@value)",
		     "0.900491");
	presentation.source_file = "ci/perf.conf";
	fixture_write(&fixture, &presentation);
	junit_expect(fixture.document, "count(//testcase[@file='ci/perf.conf'])", "4");
	fixture_release(&fixture);
}

static void ant_keeps_the_output_in_the_suite(void **state)
{
	const struct presentation presentation = {.junit_flavour = JUNIT_ANT};
	struct fixture fixture;

	(void)state;
	sets_2013(&fixture.base, &fixture.variant);
	fixture_build(&fixture);
	fixture_write(&fixture, &presentation);
	junit_expect(fixture.document, "count(/testsuites/@*)", "0");
	junit_expect(fixture.document, "count(//testcase/system-out)", "0");
	junit_expect(fixture.document,
		     "contains(//testsuite/system-out, 'kbuild [vmlinux] time: equivalent: ')",
		     "true");
	fixture_release(&fixture);
}

static void open_findings_are_shown_as_asked(void **state)
{
	struct fixture fixture;

	(void)state;
	sets_2013(&fixture.base, &fixture.variant);
	fixture_build(&fixture);
	fixture_write(&fixture, &(struct presentation){.inconclusive = SHOWN_FAILED});
	junit_expect(fixture.document, "string(//testcase[@classname='vmark']/failure/@type)",
		     "performance-inconclusive");
	junit_expect(fixture.document, "string(//testsuite/@failures)", "3");
	junit_expect(fixture.document, "string(//testsuite/@skipped)", "0");
	fixture_write(&fixture, &(struct presentation){.inconclusive = SHOWN_PASSED});
	junit_expect(fixture.document, "count(//testcase[@classname='vmark']/system-out)", "1");
	junit_expect(fixture.document, "string(//testsuite/@failures)", "2");
	fixture_release(&fixture);
}

static void improvements_are_shown_as_asked(void **state)
{
	struct fixture fixture;

	(void)state;
	sets_2013(&fixture.variant, &fixture.base);
	fixture_build(&fixture);
	fixture_write(&fixture, &(struct presentation){0});
	junit_expect(fixture.document, "string(//testsuite/@failures)", "0");
	junit_expect(fixture.document, "count(//property[starts-with(@name, 'finding.')])", "2");
	fixture_write(&fixture, &(struct presentation){.improvement = SHOWN_FAILED});
	junit_expect(fixture.document, "string(//testcase[@classname='tbench']/failure/@type)",
		     "performance-improvement");
	fixture_write(&fixture, &(struct presentation){.improvement = SHOWN_SKIPPED});
	junit_expect(fixture.document, "count(//testcase[@classname='tbench']/skipped)", "1");
	fixture_release(&fixture);
}

static void a_missing_base_is_never_a_failure(void **state)
{
	static const double values[] = {1, 1.1, 1.05};
	struct fixture fixture;

	(void)state;
	set_init(&fixture.base, "base", 3);
	set_init(&fixture.variant, "new", 3);
	set_add(&fixture.base, "a", "", "time", "ns/op", BETTER_LOWER, values, 3);
	set_add(&fixture.variant, "a", "", "time", "ns/op", BETTER_LOWER, values, 3);
	set_add(&fixture.variant, "fresh", "", "time", "ns/op", BETTER_LOWER, values, 3);
	fixture_build(&fixture);
	fixture_write(&fixture, &(struct presentation){.inconclusive = SHOWN_FAILED});
	junit_expect(fixture.document, "count(//testcase[@classname='fresh']/skipped)", "1");
	fixture_release(&fixture);
}

static void attachments_belong_to_failures(void **state)
{
	const struct presentation presentation = {.attachments = "plots/{finding}.svg,all.html"};
	struct fixture fixture;
	_cleanup_free_ char *expected = NULL;

	(void)state;
	sets_2013(&fixture.base, &fixture.variant);
	fixture_build(&fixture);
	fixture_write(&fixture, &presentation);
	expected = xasprintf("[[ATTACHMENT|plots/%s.svg]]\n[[ATTACHMENT|all.html]]\n",
			     finding_of(&fixture.report, "tbench", "8", "rate", 0)->id);
	junit_expect(fixture.document, "string(//testcase[@classname='tbench']/system-out)",
		     expected);
	junit_expect(fixture.document, "count(//system-out[contains(., 'ATTACHMENT')])", "2");
	fixture_release(&fixture);
}

/* Nothing is dropped without a word about it. */
static void a_huge_console_is_cut_with_a_note(void **state)
{
	static const double values[] = {1, 1.1};
	_cleanup_free_ char *console = xcalloc(CONSOLE_BYTES + 1, 1);
	_cleanup_free_ char *note = NULL;
	struct fixture fixture;

	(void)state;
	memset(console, '\x1b', CONSOLE_BYTES);
	memcpy(console + CONSOLE_BYTES - 9, "\nthe end\n", 9);
	set_init(&fixture.base, "base", 2);
	set_init(&fixture.variant, "new", 40);
	set_add(&fixture.base, "a", "", "time", "ns/op", BETTER_LOWER, values, 2);
	set_fail_boot(&fixture.variant, 0, "panic", console);
	for (size_t i = 1; i < 40; i++)
		set_fail_boot(&fixture.variant, i, "panic", "\1\2 short, but of many boots");
	fixture_build(&fixture);
	fixture_write(&fixture, &(struct presentation){0});
	assert_true(strlen(fixture.text) < 300000);
	note = xasprintf("contains(//testcase[@classname='a']/error, \"first %d bytes left out]\")",
			 CONSOLE_BYTES - 8000);
	junit_expect(fixture.document, note, "true");
	junit_expect(fixture.document, "contains(//testcase[@classname='a']/error, 'the end')",
		     "true");
	junit_expect(fixture.document, "count(//error[string-length(.) >= 50000])", "0");
	fixture_release(&fixture);
}

static void many_failed_boots_are_counted(void **state)
{
	static const double values[] = {1, 1.1};
	_cleanup_free_ char *console = xcalloc(7001, 1);
	struct fixture fixture;

	(void)state;
	memset(console, 'x', 7000);
	set_init(&fixture.base, "base", 2);
	set_init(&fixture.variant, "new", 40);
	set_add(&fixture.base, "a", "", "time", "ns/op", BETTER_LOWER, values, 2);
	for (size_t i = 0; i < 40; i++)
		set_fail_boot(&fixture.variant, i, "panic", console);
	fixture_build(&fixture);
	fixture_write(&fixture, &(struct presentation){0});
	junit_expect(
		fixture.document,
		"contains(//testcase[@classname='a']/error, '[33 more failed boots left out]')",
		"true");
	junit_expect(fixture.document, "count(//error[string-length(.) >= 50000])", "0");
	fixture_release(&fixture);
}

/* Names that are equal once cleaned stay apart, however many there are. */
static void a_hundred_thousand_cases(void **state)
{
	static const double value = 1;
	_cleanup_free_ char *count = xasprintf("%d", MANY_CASES);
	struct fixture fixture;

	(void)state;
	set_init(&fixture.base, "base", 1);
	set_init(&fixture.variant, "new", 1);
	for (int i = 0; i < MANY_CASES; i++) {
		_cleanup_free_ char *name = xasprintf("lock.%c%d", i % 2 ? '/' : ' ', i / 2);

		set_add(&fixture.base, name, "", "time", "ns/op", BETTER_LOWER, &value, 1);
		set_add(&fixture.variant, name, "", "time", "ns/op", BETTER_LOWER, &value, 1);
	}
	fixture_build(&fixture);
	fixture_write(&fixture, &(struct presentation){0});
	junit_expect(fixture.document, "string(/testsuites/@tests)", count);
	junit_expect(fixture.document, "count(//testcase)", count);
	junit_expect(fixture.document, "count(//testcase[@classname='lock._7'])", "2");
	fixture_release(&fixture);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(flavours_suit_their_schemas),
		cmocka_unit_test(rich_has_file_and_properties),
		cmocka_unit_test(ant_keeps_the_output_in_the_suite),
		cmocka_unit_test(open_findings_are_shown_as_asked),
		cmocka_unit_test(improvements_are_shown_as_asked),
		cmocka_unit_test(a_missing_base_is_never_a_failure),
		cmocka_unit_test(attachments_belong_to_failures),
		cmocka_unit_test(a_huge_console_is_cut_with_a_note),
		cmocka_unit_test(many_failed_boots_are_counted),
		cmocka_unit_test(a_hundred_thousand_cases),
	};
	int result;

	/* Once for all the digests that ids are made of. */
	git_libgit2_init();
	result = cmocka_run_group_tests(tests, NULL, NULL);
	git_libgit2_shutdown();
	xmlCleanupParser();
	return result;
}
