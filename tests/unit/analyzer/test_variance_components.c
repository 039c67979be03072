/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/unit/analyzer/near.h"

#include <gsl/gsl_randist.h>
#include <gsl/gsl_rng.h>

#include "analyzer/variance_components.h"
#include "common/array.h"

/* Figures rounded to one place: within half of the last one. */
#define assert_rounded(actual, wanted) assert_between(actual, (wanted)-0.0501, (wanted) + 0.0501)

/*
 * The worked examples of Kalibera & Jones, as libkalibera's tests give them (T squared; its level 1
 * is the iteration).
 */
static void test_three_levels(void **state)
{
	const double values[] = {9, 5, 8, 3, 10, 6, 7, 11, 1, 12, 2, 4};
	const size_t iterations[] = {2, 2, 2, 2, 2, 2};
	const size_t invocations[] = {2, 2, 2};
	struct nested_samples samples = {values, iterations, invocations, 3};
	struct variance_components result = variance_components_of(&samples);

	(void)state;
	assert_true(result.known);
	assert_near(result.mean, 6.5, 1e-14);
	assert_rounded(result.variance[VARIANCE_ITERATION], 16.5);
	assert_rounded(result.variance[VARIANCE_INVOCATION], -5.7);
	assert_rounded(result.variance[VARIANCE_BOOT], 2.3);
	assert_true(result.held[VARIANCE_INVOCATION] == 0);
	assert_int_equal(result.dominant, VARIANCE_ITERATION);
	assert_int_equal(result.highest, VARIANCE_BOOT);
	assert_near(result.share_frac[VARIANCE_ITERATION], 16.5 / (16.5 + 2.25), 0.01);
	/* Over 12 iterations and 3 boots: 16.5 / 12 against 2.3 / 3. */
	assert_near(result.mean_share_frac[VARIANCE_BOOT], 0.361, 0.03);
}

static void test_two_levels(void **state)
{
	const double values[] = {9, 5, 8, 3, 10, 6, 7, 11, 1, 12, 2, 4};
	const size_t iterations[] = {4, 4, 4};
	const size_t invocations[] = {1, 1, 1};
	struct nested_samples samples = {values, iterations, invocations, 3};
	struct variance_components result = variance_components_of(&samples);

	(void)state;
	assert_rounded(result.variance[VARIANCE_ITERATION], 12.7);
	assert_rounded(result.variance[VARIANCE_BOOT], 0.4);
	assert_false(result.estimable[VARIANCE_INVOCATION]);
	assert_true(result.estimable[VARIANCE_ITERATION] && result.estimable[VARIANCE_BOOT]);
}

static void test_optimal_counts(void **state)
{
	const double values[] = {3, 4, 3, 1.2, 3.1, 3, 0.2, 1, 1.5, 1, 2, 3};
	const size_t iterations[] = {3, 3, 3, 3};
	const size_t invocations[] = {2, 2};
	struct nested_samples samples = {values, iterations, invocations, 2};
	struct variance_components result = variance_components_of(&samples);
	struct level_costs costs = {{3, 20, 100}};
	struct level_counts counts = variance_optimal_counts(result.variance, &costs, 1000);
	double zero[VARIANCE_LEVELS] = {1, 0, 0};

	(void)state;
	assert_near(result.variance[VARIANCE_ITERATION], 0.7266667, 1e-6);
	assert_near(result.variance[VARIANCE_INVOCATION], 0.262777778, 1e-6);
	assert_near(result.variance[VARIANCE_BOOT], 0.7747, 1e-4);
	assert_near(counts.iterations, 4.2937, 1e-4);
	assert_near(counts.invocations, 1.3023, 1e-4);
	counts = variance_optimal_counts(zero, &costs, 1000);
	assert_near(counts.iterations, 1000, 0);
	assert_near(counts.invocations, 1, 0);
}

/*
 * Unequal numbers. R 4.2.2: the sums of squares as quadratic forms of projections, their
 * expectations as traces, and solve().
 */
static void test_unbalanced(void **state)
{
	const double values[] = {10.2, 9.8, 10.5, 11.1, 11.4, 8.7,  9.1, 8.9,
				 9.4,  12,  12.6, 12.1, 11.5, 11.9, 12.4};
	const size_t iterations[] = {3, 2, 4, 1, 2, 3};
	const size_t invocations[] = {2, 1, 3};
	struct nested_samples samples = {values, iterations, invocations, 3};
	struct variance_components result = variance_components_of(&samples);

	(void)state;
	assert_near(result.variance[VARIANCE_ITERATION], 0.12120370370371576, 1e-11);
	assert_near(result.variance[VARIANCE_INVOCATION], 0.20792124542124232, 1e-11);
	assert_near(result.variance[VARIANCE_BOOT], 2.145578078078084, 1e-11);
	assert_int_equal(result.dominant, VARIANCE_BOOT);
}

/* What does not repeat is contained in the level above. */
static void test_lumped(void **state)
{
	const double values[] = {1, 2, 4, 4};
	const size_t ones[] = {1, 1, 1, 1};
	const size_t two[] = {2, 2};
	const size_t four[] = {4};
	struct nested_samples boots = {values, ones, ones, 4};
	struct nested_samples invocations = {values, ones, two, 2};
	struct nested_samples single = {values, four, ones, 1};
	struct variance_components result = variance_components_of(&boots);

	(void)state;
	/* Four values, one a boot: mean 2.75, variance 6.75 / 3. */
	assert_near(result.variance[VARIANCE_BOOT], 2.25, 1e-14);
	assert_false(result.estimable[VARIANCE_ITERATION] || result.estimable[VARIANCE_INVOCATION]);
	result = variance_components_of(&invocations);
	/* Within: (0.5 + 0) / 2; between: means 1.5 and 4, weight 2: (2 * 2 * 1.25^2 - .25) / 2. */
	assert_near(result.variance[VARIANCE_INVOCATION], 0.25, 1e-14);
	assert_near(result.variance[VARIANCE_BOOT], 3, 1e-14);
	result = variance_components_of(&single);
	assert_near(result.variance[VARIANCE_ITERATION], 2.25, 1e-14);
	assert_false(result.estimable[VARIANCE_BOOT]);
}

static void test_bad_input(void **state)
{
	const double bad[] = {1, NAN, 3};
	const double huge[] = {1e200, 2e200, 3e200};
	const double constant[] = {5, 5, 5};
	const size_t three[] = {3};
	const size_t one[] = {1};
	const size_t zero[] = {0};
	struct nested_samples samples = {bad, three, one, 1};
	struct variance_components result;

	(void)state;
	assert_false(variance_components_of(&samples).known);
	samples.values = huge;
	assert_false(variance_components_of(&samples).known);
	samples.iterations = one;
	assert_false(variance_components_of(&samples).known);
	samples.invocations = zero;
	assert_false(variance_components_of(&samples).known);
	samples.n_boots = 0;
	assert_false(variance_components_of(&samples).known);
	samples = (struct nested_samples){constant, three, one, 1};
	result = variance_components_of(&samples);
	assert_true(result.known && result.held[VARIANCE_ITERATION] == 0);
	assert_true(result.share_frac[VARIANCE_ITERATION] == 0);
}

/* The estimators are unbiased, also with unequal numbers. */
static void test_unbiased(void **state)
{
	const size_t iterations[] = {3, 1, 4, 2, 5, 1, 2, 2, 6};
	const size_t invocations[] = {2, 3, 1, 3};
	double sums[VARIANCE_LEVELS] = {0};
	gsl_rng *random = gsl_rng_alloc(gsl_rng_mt19937);

	(void)state;
	gsl_rng_set(random, 17);
	for (int round = 0; round < 4000; round++) {
		double values[26];
		struct nested_samples samples = {values, iterations, invocations, 4};
		struct variance_components result;
		size_t n = 0;
		size_t invocation = 0;

		for (size_t i = 0; i < 4; i++) {
			double boot = gsl_ran_gaussian(random, 2);

			for (size_t j = 0; j < invocations[i]; j++, invocation++) {
				double place = boot + gsl_ran_gaussian(random, 1);

				for (size_t k = 0; k < iterations[invocation]; k++)
					values[n++] = place + gsl_ran_gaussian(random, 0.5);
			}
		}
		assert_int_equal(n, 26);
		result = variance_components_of(&samples);
		for (int level = 0; level < VARIANCE_LEVELS; level++)
			sums[level] += result.variance[level] / 4000;
	}
	gsl_rng_free(random);
	assert_near(sums[VARIANCE_ITERATION], 0.25, 0.02);
	assert_near(sums[VARIANCE_INVOCATION], 1, 0.04);
	assert_near(sums[VARIANCE_BOOT], 4, 0.06);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_three_levels),   cmocka_unit_test(test_two_levels),
		cmocka_unit_test(test_optimal_counts), cmocka_unit_test(test_unbalanced),
		cmocka_unit_test(test_lumped),	       cmocka_unit_test(test_bad_input),
		cmocka_unit_test(test_unbiased),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
