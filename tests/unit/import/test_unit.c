/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/unit/import/import_test.h"

#include "collector/import/unit.h"

static void expect_unit(const char *text, const char *name, const char *metric, enum better better,
			double factor)
{
	struct unit unit;

	assert_true(unit_parse(text, &unit));
	assert_true(unit.known);
	assert_string_equal(unit.name, name);
	assert_string_equal(unit.metric, metric);
	assert_int_equal(unit.better, better);
	assert_true(unit.factor == factor);
}

static void test_known_units(void **state)
{
	(void)state;
	expect_unit("ns", "ns", "time", BETTER_LOWER, 1);
	expect_unit("usecs/op", "us/op", "time", BETTER_LOWER, 1);
	expect_unit("ns/ops", "ns/op", "time", BETTER_LOWER, 1);
	expect_unit("\xc2\xb5s", "us", "time", BETTER_LOWER, 1);
	expect_unit("min", "s", "time", BETTER_LOWER, 60);
	expect_unit("h", "s", "time", BETTER_LOWER, 3600);
	expect_unit("cycles", "cycles", "cycles", BETTER_LOWER, 1);
	expect_unit("cycles/op", "cycles/op", "cycles", BETTER_LOWER, 1);
	expect_unit("insn/op", "insn/op", "insn", BETTER_LOWER, 1);
	expect_unit("MB/s", "MB/s", "rate", BETTER_HIGHER, 1);
	expect_unit("MB/sec", "MB/s", "rate", BETTER_HIGHER, 1);
	expect_unit("GB/s", "GB/s", "rate", BETTER_HIGHER, 1);
	expect_unit("ops/s", "ops/s", "rate", BETTER_HIGHER, 1);
	expect_unit("req/s", "req/s", "rate", BETTER_HIGHER, 1);
	expect_unit("1/s", "1/s", "rate", BETTER_HIGHER, 1);
	expect_unit("cycles/s", "cycles/s", "rate", BETTER_HIGHER, 1);
	expect_unit("IOPS", "IO/s", "rate", BETTER_HIGHER, 1);
}

static void test_unknown_units(void **state)
{
	static const char *const unknown[] = {"bogons", "KB", "%", "MS", "ns/s", "/s"};
	struct unit unit;

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(unknown) - 1; i++) {
		assert_true(unit_parse(unknown[i], &unit));
		assert_false(unit.known);
		assert_string_equal(unit.name, unknown[i]);
		assert_string_equal(unit.metric, "value");
	}
	assert_false(unit_parse(unknown[ARRAY_SIZE(unknown) - 1], &unit));
}

static void test_no_units(void **state)
{
	static const char *const refused[] = {
		"",    ".5",  "O361", ",808",
		"-3",  "a b", "x=1",  "1",
		"1/1", "k@s", "8",    "[s]",
		"(s)", "1/",  "e|f",  "abcdefghijklmnopqrstuvwxyzabcdefghijk/s",
	};
	struct unit unit;

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(refused); i++)
		if (unit_parse(refused[i], &unit))
			fail_msg("'%s' passes for a unit", refused[i]);
}

static void test_suggestions(void **state)
{
	enum better better;

	(void)state;
	assert_true(direction_suggested("vmark", "", &better));
	assert_int_equal(better, BETTER_HIGHER);
	assert_true(direction_suggested("sched.hackbench", "-l 10000", &better));
	assert_int_equal(better, BETTER_LOWER);
	assert_true(direction_suggested("netperf", "throughput", &better));
	assert_int_equal(better, BETTER_HIGHER);
	assert_false(direction_suggested("hackbench.throughput", "", &better));
	assert_false(direction_suggested("forks", "", &better));
	assert_false(direction_suggested("", "", &better));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_known_units),
		cmocka_unit_test(test_unknown_units),
		cmocka_unit_test(test_no_units),
		cmocka_unit_test(test_suggestions),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
