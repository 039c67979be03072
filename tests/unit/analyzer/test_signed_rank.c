/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/unit/analyzer/near.h"

#include <float.h>

#include "analyzer/signed_rank.h"

/* Student's sleep data (1908), as in R's data set "sleep": one zero, one tie. */
static const double sleep_1[] = {0.7, -1.6, -0.2, -1.2, -0.1, 3.4, 3.7, 0.8, 0.0, 2.0};
static const double sleep_2[] = {1.9, 0.8, 1.1, 0.1, -0.1, 4.4, 5.5, 1.6, 4.6, 3.4};

/* All 1024 signs in R 4.2.2. */
static void test_sleep(void **state)
{
	struct signed_rank test = signed_rank_test(sleep_1, sleep_2, 10);
	struct paired_location shift = signed_rank_shift(sleep_1, sleep_2, 10, 0.05);

	(void)state;
	assert_true(test.known && test.exact);
	assert_near(test.w, 54, 0);
	assert_near(test.p, 0.00390625, 1e-13);
	assert_near(test.p_less, 1, 1e-13);
	assert_near(test.p_greater, 0.001953125, 1e-13);
	assert_near(shift.value, 1.3, 1e-12);
	assert_near(shift.interval.low, 0.9, 1e-12);
	assert_near(shift.interval.high, 2.7, 1e-12);
	assert_false(signed_rank_ratio(sleep_1, sleep_2, 10, 0.05).known);
}

/* R 4.2.2, as above; two zeros and two ties. */
static void test_zeros_and_ties(void **state)
{
	const double b[] = {10, 11, 12, 13, 14, 15, 16, 17};
	const double c[] = {10, 12.5, 13, 12, 17, 15, 19, 21};
	struct signed_rank test = signed_rank_test(b, c, 8);
	struct paired_location ratio = signed_rank_ratio(b, c, 8, 0.05);

	(void)state;
	assert_near(test.w, 29.5, 0);
	assert_near(test.p, 0.09375, 1e-13);
	assert_near(test.p_less, 0.984375, 1e-13);
	assert_near(test.p_greater, 0.046875, 1e-13);
	assert_near(ratio.value, 1.106071964017991, 1e-13);
	assert_near(ratio.interval.low, 1, 1e-13);
	assert_near(ratio.interval.high, 1.2121212121212122, 1e-13);
}

/* R 4.2.2: qsignrank(0.025, n); 0 where no sum is rare enough. */
static void test_critical(void **state)
{
	(void)state;
	assert_int_equal(signed_rank_critical(0, 0.05), 0);
	assert_int_equal(signed_rank_critical(5, 0.05), 0);
	assert_int_equal(signed_rank_critical(6, 0.05), 1);
	assert_int_equal(signed_rank_critical(10, 0.05), 9);
	assert_int_equal(signed_rank_critical(50, 0.05), 435);
	/* The normal approximation takes over without a jump. */
	assert_between((double)signed_rank_critical(201, 0.05) /
			       (double)signed_rank_critical(200, 0.05),
		       1.005, 1.02);
}

static void test_many(void **state)
{
	static double b[300];
	static double c[300];
	struct signed_rank exact, normal;

	(void)state;
	for (int i = 0; i < 300; i++)
		c[i] = (i * 37 % 101) - 46;
	exact = signed_rank_test(b, c, 200);
	normal = signed_rank_test(b, c, 300);
	assert_true(exact.exact && !normal.exact);
	assert_between(exact.p, 0.01, 0.3);
	assert_between(normal.p, 0.001, exact.p);
}

static void test_bad_input(void **state)
{
	const double odd[] = {1, NAN, 2};
	const double zero[] = {0, 0, 0, 0, 0, 0};
	const double one[] = {1, 1, 1, 1, 1, 1};
	const double huge[] = {DBL_MAX, DBL_MAX, DBL_MAX, DBL_MAX, DBL_MAX, DBL_MAX};
	const double low[] = {-DBL_MAX, -DBL_MAX, -DBL_MAX, -DBL_MAX, -DBL_MAX, -DBL_MAX};

	(void)state;
	assert_false(signed_rank_test(NULL, NULL, 0).known);
	assert_false(signed_rank_shift(NULL, NULL, 0, 0.05).known);
	assert_false(signed_rank_test(odd, one, 3).known);
	assert_false(signed_rank_shift(odd, one, 3, 0.05).known);
	assert_near(signed_rank_test(zero, zero, 6).p, 1, 0);
	assert_near(signed_rank_test(zero, one, 6).p, 0.03125, 1e-15);
	assert_near(signed_rank_test(low, huge, 6).p, 0.03125, 1e-15);
	assert_near(signed_rank_shift(low, huge, 6, 0.05).value, DBL_MAX, 0);
	assert_false(signed_rank_ratio(zero, one, 6, 0.05).known);
	assert_false(signed_rank_ratio(low, huge, 6, 0.05).known);
	assert_near(signed_rank_ratio(huge, huge, 6, 0.05).value, 1, 1e-15);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_sleep),	  cmocka_unit_test(test_zeros_and_ties),
		cmocka_unit_test(test_critical),  cmocka_unit_test(test_many),
		cmocka_unit_test(test_bad_input),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
