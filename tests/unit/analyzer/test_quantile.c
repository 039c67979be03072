/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/unit/analyzer/near.h"

#include "analyzer/comparison.h"
#include "analyzer/quantile.h"

/* R 4.2.2: quantile(c(1, 3, 4, 8, 15, 16, 23, 42), c(0, .1, .25, .5, .9, 1)) */
static void test_type_7(void **state)
{
	double values[] = {15, 1, 42, 3, 16, 4, 23, 8};

	(void)state;
	quantile_sort(values, 8);
	assert_near(quantile_of_sorted(values, 8, 0), 1, 0);
	assert_near(quantile_of_sorted(values, 8, 0.1), 2.4, 1e-15);
	assert_near(quantile_of_sorted(values, 8, 0.25), 3.75, 1e-15);
	assert_near(quantile_of_sorted(values, 8, 0.5), 11.5, 1e-15);
	assert_near(quantile_of_sorted(values, 8, 0.9), 28.7, 1e-15);
	assert_near(quantile_of_sorted(values, 8, 1), 42, 0);
	assert_near(quantile_of_sorted(values, 8, 1.5), 42, 0);
	assert_near(quantile_of_sorted(values, 8, -1), 1, 0);
}

static void test_median(void **state)
{
	double even[] = {4, 1, 3, 2};
	double odd[] = {9, 1, 5};
	double one[] = {7};
	double huge[] = {1.7e308, 1.6e308};

	(void)state;
	assert_near(quantile_median(even, 4), 2.5, 0);
	assert_near(quantile_median(odd, 3), 5, 0);
	assert_near(quantile_median(one, 1), 7, 0);
	assert_near(quantile_median(huge, 2), 1.65e308, 1e-15);
}

static void test_boot_location(void **state)
{
	const double samples[] = {12, 10, 30, 11};
	double scratch[4];

	(void)state;
	assert_near(boot_location(samples, 4, false, scratch), 11.5, 0);
	assert_near(boot_location(samples, 4, true, scratch), 10, 0);
	assert_near(samples[0], 12, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_type_7),
		cmocka_unit_test(test_median),
		cmocka_unit_test(test_boot_location),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
