/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/unit/bisect_driver/driver_rig.h"

#include "bisect/driver/git_log.h"

static void check_terms(const char *bad, const char *good, bool allowed)
{
	_cleanup_(error_clear) struct error err = {0};

	assert_int_equal(terms_check(bad, good, &err), allowed ? 0 : -1);
}

static void test_terms(void **state)
{
	(void)state;
	check_terms("slow", "fast", true);
	check_terms(NULL, "fast", true);
	check_terms("bad", "good", true);
	check_terms("same", "same", false);
	check_terms("good", "bad", false);
	check_terms("old", NULL, false);
	check_terms("start", "fast", false);
	check_terms("", "fast", false);
	check_terms("-x", "fast", false);
	check_terms("two words", "fast", false);
	check_terms("x\ny", "fast", false);
}

struct reading {
	struct made_repository made;
	struct history history;
	struct bisection draft;
	json_t *records;
};

static int read_log(struct reading *reading, const char *text, struct error *err)
{
	int code;

	make_chain(&reading->made, 4);
	assert_int_equal(history_open(&reading->history, reading->made.path, err), 0);
	reading->records = json_array();
	code = git_log_read("log", text, &reading->history, &reading->draft.options,
			    reading->records, err);
	return code;
}

static void reading_release(struct reading *reading)
{
	json_decref(reading->records);
	bisection_release(&reading->draft);
	history_release(&reading->history);
	made_repository_release(&reading->made);
}

static void test_reading(void **state)
{
	struct reading reading = {.records = NULL};
	_cleanup_(error_clear) struct error err = {0};

	(void)state;
	assert_int_equal(read_log(&reading,
				  "# a comment with ' in it\r\n"
				  "git bisect start '--term-new=slow' '--term-old' 'fast' "
				  "'--first-parent' 'main' 'main~3' '--' 'it'\\''s here'\r\n"
				  "git-bisect skip main~1\r\n\r\n",
				  &err),
			 0);
	assert_string_equal(reading.draft.options.term_bad, "slow");
	assert_string_equal(reading.draft.options.term_good, "fast");
	assert_true(reading.draft.options.first_parent);
	assert_int_equal(reading.draft.options.paths.count, 1);
	assert_string_equal(reading.draft.options.paths.items[0], "it's here");
	assert_int_equal(json_array_size(reading.records), 3);
	reading_release(&reading);
}

static void test_refusals(void **state)
{
	static const char *const texts[] = {
		"git bisect start\ngit bisect slow main\n", "git bisect start 'main\n",
		"git bisect\n", "rm -rf /\n", "git bisect start\n\ngit bisect bad nothing\n"};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(texts); i++) {
		struct reading reading = {.records = NULL};
		_cleanup_(error_clear) struct error err = {0};

		assert_int_equal(read_log(&reading, texts[i], &err), -1);
		assert_non_null(strstr(err.message, "log:"));
		reading_release(&reading);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_terms),
		cmocka_unit_test(test_reading),
		cmocka_unit_test(test_refusals),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
