/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/unit/analyzer/near.h"

#include <float.h>

#include "analyzer/yuen.h"

static const double b[] = {100, 100.4, 99.7, 100.1, 99.9, 103.5, 98.2};
static const double c[] = {101.1, 102.6, 100.8, 101.2, 101.0, 100.3};

/* Formulas in R 4.2.2. */
static void test_trimmed(void **state)
{
	struct welch test = yuen_test(b, 7, c, 6, 0.05);

	(void)state;
	assert_true(test.known);
	assert_near(test.difference, 1.0050000000000097, 1e-12);
	assert_near(test.t, 5.0412804164858507, 1e-11);
	assert_near(test.df, 6.8403579074553402, 1e-11);
	assert_near(test.p, 0.0016006106681415793, 1e-10);
	assert_near(test.interval.low, 0.53136300440612327, 1e-10);
	assert_near(test.interval.high, 1.4786369955938961, 1e-10);
}

/* Nothing is left out of four values; then it is Welch's test. */
static void test_few(void **state)
{
	struct moments base = moments_of(b, 4);
	struct moments candidate = moments_of(c, 4);
	struct welch welch = welch_test(&base, &candidate, 0.05);
	struct welch yuen = yuen_test(b, 4, c, 4, 0.05);

	(void)state;
	assert_near(yuen.p, welch.p, 1e-12);
	assert_near(yuen.df, welch.df, 1e-12);
}

static void test_resists_outliers(void **state)
{
	const double spiked[] = {101.1, 1e6, 100.8, 101.2, 101.0, 100.3};
	struct welch plain = yuen_test(b, 7, c, 6, 0.05);
	struct welch with_spike = yuen_test(b, 7, spiked, 6, 0.05);

	(void)state;
	assert_near(with_spike.p, plain.p, 1e-9);
	assert_near(with_spike.difference, plain.difference, 1e-9);
}

static void test_bad_input(void **state)
{
	const double odd[] = {1, NAN, 2, 3, 4};
	const double same[] = {3, 3, 3, 3, 3};
	const double huge[] = {DBL_MAX, 1e308, 1.2e308, 1.1e308, 1.5e308};
	struct welch test;

	(void)state;
	assert_false(yuen_test(NULL, 0, b, 7, 0.05).known);
	assert_false(yuen_test(b, 1, b, 7, 0.05).known);
	assert_false(yuen_test(odd, 5, b, 7, 0.05).known);
	assert_false(yuen_test(same, 5, same, 5, 0.05).known);
	test = yuen_test(huge, 5, b, 7, 0.05);
	assert_true(test.known && isfinite(test.difference) && isfinite(test.interval.low));
	assert_between(test.p, 0, 0.05);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_trimmed),
		cmocka_unit_test(test_few),
		cmocka_unit_test(test_resists_outliers),
		cmocka_unit_test(test_bad_input),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
