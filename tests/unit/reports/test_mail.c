/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "common/text.h"
#include "reports/presentation.h"
#include "reports/wrap.h"
#include "tests/unit/reports/sets.h"

enum { WIDTH = 75 };

static struct report build_pair(const struct run_set *base, const struct run_set *variant)
{
	struct report_options options = default_options();

	return build(base, &variant, 1, &options);
}

/* A tab counts as far as the next multiple of eight. */
static size_t columns_of(const char *line)
{
	size_t columns = 0;

	for (; *line; line++) {
		if (*line == '\t')
			columns += 8 - columns % 8;
		else
			columns += ((unsigned char)*line & 0xc0) != 0x80;
	}
	return columns;
}

static void assert_narrow(const char *text)
{
	while (*text) {
		size_t length = strcspn(text, "\n");
		_cleanup_free_ char *line = xstrndup(text, length);

		if (columns_of(line) > WIDTH)
			fail_msg("%zu columns: %s", columns_of(line), line);
		text += length + (text[length] == '\n');
	}
}

static void assert_holds(const char *text, const char *part)
{
	if (!strstr(text, part))
		fail_msg("no '%s' in\n%s", part, text);
}

static void numbers_and_tags_are_there(void **state)
{
	static const double loop[] = {0.3, 0.31, 0.3};
	struct run_set base, variant;
	struct report report;
	_cleanup_free_ char *text = NULL;
	const char *changed, *judged, *background;

	(void)state;
	sets_2013(&base, &variant);
	set_add(&base, "loop.empty", "", "time", "ns/op", BETTER_LOWER, loop, 3);
	set_add(&variant, "loop.empty", "", "time", "ns/op", BETTER_LOWER, loop, 3);
	report = build_pair(&base, &variant);
	report.presentation.culprit =
		(struct culprit){.commit = "85e511df3cec46021024176672a748008ed135bf",
				 .subject = "sched/eevdf: Allow shorter slices",
				 .probability_frac = 0.97};
	report.presentation.reported_by = "A Robot <robot@example.org>";
	text = write_report(&report, "mail");
	assert_narrow(text);
	/* The largest regression: tbench, 930.9 of 1033.8 MB/s. */
	assert_holds(text, "Subject: [REGRESSION] -10.0% regression of tbench.rate\n");
	assert_holds(text, "\nkregress noticed a -10.0% regression of tbench.rate on:\n");
	assert_holds(text, "\ncommit: 85e511df3cec46021024176672a748008ed135bf (\"sched/eevdf:");
	assert_holds(text, "found by bisection, with a probability of 97%\n");
	assert_holds(text, "\n| Reported-by: A Robot <robot@example.org>\n");
	assert_holds(text, "\n#regzbot introduced: 85e511df3cec46021024176672a748008ed135bf\n");
	assert_holds(text, "tbench.rate [8] (MB/s)\n");
	assert_holds(text, "n=3+3, 95% CI ");
	assert_holds(text, "limit 2%, regressed,");
	assert_holds(text, finding_of(&report, "tbench", "8", "rate", 0)->id);
	assert_holds(text, "\n        kregress ab voluntary preempt --bench tbench --boots 3");
	changed = strstr(text, "\nChanged:\n");
	judged = strstr(text, "\nJudged, no certain change:\n");
	background = strstr(text, "\nBackground, not judged:\n");
	assert_true(changed && judged && background && changed < judged && judged < background);
	assert_true(strstr(text, "loop.empty.time") > background);
	report_release(&report);
	run_set_release(&base);
	run_set_release(&variant);
}

static void a_range_serves_where_commits_are_known(void **state)
{
	struct run_set base, variant;
	struct report report;
	_cleanup_free_ char *text = NULL, *unknown = NULL;

	(void)state;
	sets_2013(&base, &variant);
	report = build_pair(&base, &variant);
	unknown = write_report(&report, "mail");
	assert_null(strstr(unknown, "#regzbot"));
	report_release(&report);
	environment_set(&base.boots.items[0].environment, "kernel.commit",
			"82e9d0456e06cebe2a4b8a0b3a1c6d5e7f809112");
	environment_set(&variant.boots.items[0].environment, "kernel.commit",
			"85e511df3cec46021024176672a748008ed135bf");
	report = build_pair(&base, &variant);
	text = write_report(&report, "mail");
	assert_holds(text, "\n#regzbot introduced: 82e9d0456e06..85e511df3cec\n");
	report_release(&report);
	run_set_release(&base);
	run_set_release(&variant);
}

static void nothing_regressed_asks_for_nothing(void **state)
{
	struct run_set base, variant;
	struct report report;
	_cleanup_free_ char *text = NULL;

	(void)state;
	sets_2013(&variant, &base);
	report = build_pair(&base, &variant);
	report.presentation.reported_by = "A Robot <robot@example.org>";
	text = write_report(&report, "mail");
	assert_null(strstr(text, "#regzbot"));
	assert_null(strstr(text, "Reported-by"));
	assert_null(strstr(text, "REGRESSION"));
	assert_holds(text, "improvement of tbench.rate");
	report_release(&report);
	run_set_release(&base);
	run_set_release(&variant);
}

static void hostile_text_stays_narrow(void **state)
{
	struct run_set base, variant;
	struct report report;
	_cleanup_free_ char *text = NULL;

	(void)state;
	sets_hostile(&base, &variant);
	report = build_pair(&base, &variant);
	report.presentation.culprit.commit = "85e511df3cec";
	report.presentation.culprit.subject = "\033[31mred\r\nSubject: forged";
	text = write_report(&report, "mail");
	assert_narrow(text);
	assert_int_equal(text_utf8_error(text, strlen(text)), strlen(text));
	assert_null(strchr(text, '\033'));
	assert_null(strstr(text, "\nSubject: forged"));
	report_release(&report);
	run_set_release(&base);
	run_set_release(&variant);
}

static void expect_wrapped(const char *text, size_t used, size_t indent, size_t width,
			   const char *expected)
{
	_cleanup_(strbuf_release) struct strbuf out = STRBUF_INIT;

	wrap_append(&out, text, used, indent, width);
	assert_string_equal(strbuf_text(&out), expected);
}

static void lines_break_at_blanks(void **state)
{
	(void)state;
	expect_wrapped("", 0, 0, 10, "\n");
	expect_wrapped("one two three", 0, 2, 8, "one two\n  three\n");
	expect_wrapped("one  two", 0, 0, 80, "one two\n");
	expect_wrapped("abcdefghij k", 0, 1, 5, "abcde\n fghi\n j k\n");
	expect_wrapped("ab cd", 6, 0, 8, "ab\ncd\n");
	expect_wrapped("\xc3\xa4\xc3\xa4 \xc3\xa4\xc3\xa4", 0, 0, 5,
		       "\xc3\xa4\xc3\xa4 \xc3\xa4\xc3\xa4\n");
	expect_wrapped("a\tb", 0, 0, 80, "a\\x09b\n");
}

static void presentation_is_parsed(void **state)
{
	_cleanup_(error_clear) struct error err = {0};
	enum junit_flavour flavour = JUNIT_JENKINS;
	enum shown_as shown = SHOWN_BY_DEFAULT;

	(void)state;
	assert_true(junit_flavour_parse("ant", &flavour) && flavour == JUNIT_ANT);
	assert_false(junit_flavour_parse("Ant", &flavour));
	assert_true(shown_as_parse("fail", &shown) && shown == SHOWN_FAILED);
	assert_false(shown_as_parse("", &shown));
	assert_true(commit_is_valid("85e511df3cec"));
	assert_true(commit_is_valid("85e511df3cec46021024176672a748008ed135bf"));
	assert_true(commit_is_valid("v6.1..v6.2-rc1"));
	assert_false(commit_is_valid("85e511d"));
	assert_false(commit_is_valid("85e511df3cec46021024176672a748008ed135bf0"));
	assert_false(commit_is_valid("v6.1"));
	assert_false(commit_is_valid("v6.1.."));
	assert_false(commit_is_valid("a..b..c"));
	assert_false(commit_is_valid("a..b c"));
	assert_false(commit_is_valid(""));
	assert_true(origin_is_valid("my_ci1"));
	assert_false(origin_is_valid("My"));
	assert_false(origin_is_valid(""));
	assert_true(origin_id_is_valid("maestro:abc"));
	assert_false(origin_id_is_valid(":abc"));
	assert_false(origin_id_is_valid("abc"));
	assert_int_equal(attachment_check("a/b.svg,c d.png", &err), 0);
	assert_int_equal(attachment_check("a[1].svg", &err), -1);
	assert_non_null(err.hint);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(numbers_and_tags_are_there),
		cmocka_unit_test(a_range_serves_where_commits_are_known),
		cmocka_unit_test(nothing_regressed_asks_for_nothing),
		cmocka_unit_test(hostile_text_stays_narrow),
		cmocka_unit_test(lines_break_at_blanks),
		cmocka_unit_test(presentation_is_parsed),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
