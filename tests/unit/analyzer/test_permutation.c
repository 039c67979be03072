/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/unit/analyzer/near.h"

#include <float.h>

#include "analyzer/permutation.h"
#include "common/array.h"

static const double b[] = {100, 100.4, 99.7, 100.1, 99.9, 103.5, 98.2};
static const double c[] = {101.1, 102.6, 100.8, 101.2, 101.0, 100.3};

/* Full enumeration of the 1716 choices in R 4.2.2. */
static void test_two_samples(void **state)
{
	const double tied_b[] = {1, 2, 2, 3, 3, 3, 4};
	const double tied_c[] = {2, 3, 3, 4, 4, 5};
	struct permutation test = permutation_test(b, 7, c, 6, 1);

	(void)state;
	assert_true(test.known && test.exact && !test.p_ci.known);
	assert_near(test.p, 0.24592074592074592, 1e-14);
	assert_near(test.p_less, 0.88461538461538458, 1e-14);
	assert_near(test.p_greater, 0.12179487179487179, 1e-14);
	test = permutation_test(tied_b, 7, tied_c, 6, 1);
	assert_near(test.p, 0.20745920745920746, 1e-14);
	assert_near(test.p_less, 0.96794871794871795, 1e-14);
	assert_near(test.p_greater, 0.10372960372960373, 1e-14);
}

/* R 4.2.2: all 256 signs. */
static void test_blocks(void **state)
{
	const double differences[] = {0, 1.5, 1, -1, 3, 0, 3, 4};
	struct permutation test = block_permutation_test(differences, 8, 1);

	(void)state;
	assert_true(test.known && test.exact);
	assert_near(test.p, 0.09375, 1e-14);
	assert_near(test.p_less, 0.984375, 1e-14);
	assert_near(test.p_greater, 0.046875, 1e-14);
}

static void test_complete_separation(void **state)
{
	double low[18];
	double high[18];
	struct permutation test;

	(void)state;
	for (int i = 0; i < 18; i++) {
		low[i] = i;
		high[i] = 100 + i * i;
	}
	test = permutation_test(low, 18, high, 18, 1);
	assert_true(test.exact);
	assert_near(test.p, 2 / 9075135300.0, 1e-12);
	assert_near(test.p_less, 1, 0);
	test = block_permutation_test(high, 18, 1);
	assert_near(test.p, 2 / 262144.0, 1e-12);
}

/*
 * Many more values than are counted here: the error bound holds the exact p, found in R 4.2.2 by
 * convolution, as the values are whole numbers.
 */
static void test_resampled(void **state)
{
	double base[60];
	double candidate[60];
	double differences[60];
	struct permutation test, again;

	(void)state;
	for (int i = 0; i < 60; i++) {
		base[i] = i * 37 % 61;
		candidate[i] = i * 37 % 61 + 1;
		differences[i] = (i % 2 ? 1 : -1) * (i + 1);
	}
	test = permutation_test(base, 60, candidate, 60, 5);
	assert_true(test.known && !test.exact && test.p_ci.known);
	assert_between(test.p, test.p_ci.low, test.p_ci.high);
	assert_between(0.76326286901473905, test.p_ci.low, test.p_ci.high);
	again = permutation_test(base, 60, candidate, 60, 5);
	assert_near(again.p, test.p, 0);
	test = permutation_test(base, 60, candidate, 60, 6);
	assert_true(again.p != test.p);
	test = block_permutation_test(differences, 60, 5);
	assert_true(test.known && !test.exact);
	assert_between(0.91562245847889945, test.p_ci.low, test.p_ci.high);
	for (int i = 0; i < 60; i++)
		candidate[i] += 1000;
	test = permutation_test(base, 60, candidate, 60, 5);
	assert_near(test.p, 1e-4, 1e-12); /* one of 10000, never 0 */
	assert_true(test.p_ci.low == 0 && test.p_ci.high < 1e-3);
}

/* R 4.2.2: binom.test(..., conf.level = 0.99) */
static void test_binomial_interval(void **state)
{
	struct interval interval = binomial_interval(3, 10, 0.99);

	(void)state;
	assert_near(interval.low, 0.037007221096232092, 1e-12);
	assert_near(interval.high, 0.73511398528713079, 1e-12);
	interval = binomial_interval(0, 10, 0.99);
	assert_near(interval.low, 0, 0);
	assert_near(interval.high, 0.41129598134752532, 1e-12);
	interval = binomial_interval(10, 10, 0.99);
	assert_near(interval.low, 1 - 0.41129598134752532, 1e-12);
	assert_near(interval.high, 1, 0);
	assert_false(binomial_interval(0, 0, 0.99).known);
}

static void test_bad_input(void **state)
{
	const double odd[] = {1, NAN, INFINITY};
	const double same[] = {3, 3, 3, 3};
	const double huge[] = {DBL_MAX, 1e308, -DBL_MAX, -1e308};

	(void)state;
	assert_false(permutation_test(NULL, 0, b, 3, 1).known);
	assert_false(permutation_test(b, 3, NULL, 0, 1).known);
	assert_false(permutation_test(b, 3, odd, 2, 1).known);
	assert_false(permutation_test(odd + 2, 1, b, 3, 1).known);
	assert_near(permutation_test(b, 3, odd, 2, 1).p, 1, 0);
	assert_false(block_permutation_test(odd, 2, 1).known);
	assert_false(block_permutation_test(NULL, 0, 1).known);
	assert_near(permutation_test(same, 4, same, 4, 1).p, 1, 0);
	assert_near(block_permutation_test(same, 1, 1).p, 1, 0);
	assert_near(block_permutation_test(same, 4, 1).p, 0.125, 0);
	assert_near(permutation_test(same, 1, b, 1, 1).p, 1, 0);
	assert_near(permutation_test(huge + 2, 2, huge, 2, 1).p, 1 / 3.0, 1e-15);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_two_samples),	    cmocka_unit_test(test_blocks),
		cmocka_unit_test(test_complete_separation), cmocka_unit_test(test_resampled),
		cmocka_unit_test(test_binomial_interval),   cmocka_unit_test(test_bad_input),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
