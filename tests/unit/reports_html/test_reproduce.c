/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "reports/reproduce.h"
#include "tests/unit/reports/sets.h"

static char *command_of(const char *benchmark, const char *target, size_t boots)
{
	static const double values[] = {1, 2, 3};
	struct report_options options = default_options();
	struct run_set base, candidate;
	const struct run_set *pointer = &candidate;
	struct strbuf text = STRBUF_INIT;
	struct report report;

	set_init(&base, "base", 3);
	set_init(&candidate, "it's", 3);
	replace_string(&base.target, target);
	set_add(&base, benchmark, "", "time", "ns/op", BETTER_LOWER, values, 3);
	set_add(&candidate, benchmark, "", "time", "ns/op", BETTER_LOWER, values, 3);
	report = build(&base, &pointer, 1, &options);
	report_reproduce(&text, &report, &report.series.items[0],
			 &report.series.items[0].findings.items[0], boots);
	report_release(&report);
	run_set_release(&base);
	run_set_release(&candidate);
	return strbuf_take(&text);
}

static void collected_is_measured_again(void **state)
{
	_cleanup_free_ char *command = command_of("lock.spin", "vm", 0);

	(void)state;
	assert_string_equal(command, "kregress ab base 'it'\\''s' --bench lock.spin --boots 3 "
				     "--seed 18446744073709551615 --limit 0.02");
}

static void boots_may_be_given(void **state)
{
	_cleanup_free_ char *command = command_of("lock.spin", "vm", 64);

	(void)state;
	assert_non_null(strstr(command, " --boots 64 "));
}

static void imported_is_compared_again(void **state)
{
	_cleanup_free_ char *command = command_of("lock.spin", "import", 0);

	(void)state;
	assert_string_equal(command,
			    "kregress compare base@01234567 'it'\\''s@01234567' --limit 0.02");
}

static void words_are_quoted_for_a_shell(void **state)
{
	_cleanup_(strbuf_release) struct strbuf text = STRBUF_INIT;

	(void)state;
	shell_append_word(&text, "plain-1.2_x");
	shell_append_word(&text, "");
	shell_append_word(&text, "$(rm) `x` \"y\"");
	assert_string_equal(strbuf_text(&text), " plain-1.2_x '' '$(rm) `x` \"y\"'");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(collected_is_measured_again),
		cmocka_unit_test(boots_may_be_given),
		cmocka_unit_test(imported_is_compared_again),
		cmocka_unit_test(words_are_quoted_for_a_shell),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
