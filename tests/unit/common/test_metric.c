/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "common/metric.h"

static void find_knows_the_table(void **state)
{
	(void)state;
	assert_string_equal(metric_find("time")->unit, "ns/op");
	assert_int_equal(metric_find("time")->better, BETTER_LOWER);
	assert_int_equal(metric_find("rate")->better, BETTER_HIGHER);
	assert_true(metric_find("insn")->deterministic);
	assert_false(metric_find("cycles")->deterministic);
	assert_null(metric_find("Time"));
	assert_null(metric_find(""));
}

static void table_entries_are_complete(void **state)
{
	(void)state;
	for (const struct metric *metric = metrics; metric->name; metric++) {
		assert_ptr_equal(metric_find(metric->name), metric);
		assert_true(*metric->unit && *metric->summary);
	}
}

static void better_has_two_names(void **state)
{
	enum better better;

	(void)state;
	assert_true(better_parse("higher", &better));
	assert_int_equal(better, BETTER_HIGHER);
	assert_string_equal(better_name(better), "higher");
	assert_true(better_parse("lower", &better));
	assert_int_equal(better, BETTER_LOWER);
	assert_string_equal(better_name(better), "lower");
	assert_false(better_parse("Lower", &better));
	assert_false(better_parse("", &better));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(find_knows_the_table),
		cmocka_unit_test(table_entries_are_complete),
		cmocka_unit_test(better_has_two_names),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
