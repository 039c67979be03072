/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/unit/import/import_test.h"

#include "collector/import/line_pattern.h"
#include "common/alloc.h"

static bool matches(const char *pattern, const char *line)
{
	struct line_match match;

	return line_match(pattern, line, &match);
}

static void test_numbers(void **state)
{
	struct line_match match;

	(void)state;
	assert_true(line_match("a %f b", "a -1.5 b", &match));
	assert_true(match.count == 1 && match.captures[0].value == -1.5);
	assert_true(matches("%u", "12"));
	assert_true(matches("%3", "1.250"));
	assert_false(matches("%u.%u", "1.2"));
	assert_false(matches("%u", "1.5"));
	assert_false(matches("%u", "-1"));
	assert_false(matches("%3", "1.25"));
	assert_false(matches("%3", "1.2500"));
	assert_false(matches("%f", "1e5"));
	assert_false(matches("%f", "1.2.3"));
	assert_false(matches("%f", "0x10"));
	assert_false(matches("%f", "1x"));
	assert_false(matches("%f", ""));
	assert_false(matches("%f", "nan"));
}

static void test_text(void **state)
{
	struct line_match match;
	_cleanup_free_ char *text = NULL;

	(void)state;
	assert_true(line_match("%s: %w (%*)", "a b: c: d (e)", &match));
	assert_true(line_capture_is(&match.captures[0], "a b: c"));
	assert_true(line_match("%s: %w", "a: b: c", &match));
	text = line_capture_text(&match.captures[0]);
	assert_string_equal(text, "a: b");
	assert_true(line_capture_is(&match.captures[1], "c"));
	assert_true(matches("a%*", "a"));
	assert_false(matches("a%s", "b"));
	assert_true(matches("%%x", "%x"));
	assert_false(matches("%%x", "x"));
}

static void test_blanks(void **state)
{
	(void)state;
	assert_true(matches("a b", "  a \t b  "));
	assert_false(matches("a b", "ab"));
	assert_true(matches("", "   "));
	assert_false(matches("a", "a b"));
	assert_false(matches("a b", "a"));
}

static void test_open_ends(void **state)
{
	(void)state;
	assert_true(line_pattern_is_open("Max: %u"));
	assert_true(line_pattern_is_open("%f"));
	assert_false(line_pattern_is_open("%3"));
	assert_false(line_pattern_is_open("%f sec"));
	assert_false(line_pattern_is_open("%*"));
}

static void test_too_many_captures(void **state)
{
	(void)state;
	assert_false(matches("%u %u %u %u %u %u %u %u %u %u %u %u %u %u %u %u %u",
			     "1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_numbers),
		cmocka_unit_test(test_text),
		cmocka_unit_test(test_blanks),
		cmocka_unit_test(test_open_ends),
		cmocka_unit_test(test_too_many_captures),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
