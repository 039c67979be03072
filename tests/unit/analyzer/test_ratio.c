/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/unit/analyzer/near.h"

#include <gsl/gsl_randist.h>
#include <gsl/gsl_rng.h>

#include "analyzer/ratio.h"
#include "analyzer/student.h"
#include "analyzer/welch.h"

static const double slow[] = {25.065, 24.633, 24.789, 25.2, 24.9};
static const double fast[] = {23.146, 23.124, 23.230, 23.3};

static void test_bounds_are_where_welch_begins_to_reject(void **state)
{
	struct moments base = moments_of(fast, 4);
	struct moments candidate = moments_of(slow, 5);
	struct ratio ratio = ratio_of_means(&base, &candidate, 0.05);
	const double bounds[] = {ratio.interval.low, ratio.interval.high};

	(void)state;
	assert_true(ratio.known && ratio.interval.known);
	assert_near(ratio.value, candidate.mean / base.mean, 1e-15);
	assert_true(bounds[0] < ratio.value && ratio.value < bounds[1]);
	for (int i = 0; i < 2; i++) {
		/* Welch's test itself, of the candidate against the base multiplied by the bound.
		 */
		struct moments scaled = {4, base.mean * bounds[i], base.sd * bounds[i]};

		assert_near(welch_test(&scaled, &candidate, 0.05).p, 0.05, 1e-10);
	}
}

static void test_exchange_gives_the_inverse(void **state)
{
	struct moments base = moments_of(fast, 4);
	struct moments candidate = moments_of(slow, 5);
	struct ratio ratio = ratio_of_means(&base, &candidate, 0.01);
	struct ratio inverse = ratio_of_means(&candidate, &base, 0.01);

	(void)state;
	assert_near(inverse.value, 1 / ratio.value, 1e-14);
	assert_near(inverse.interval.low, 1 / ratio.interval.high, 1e-12);
	assert_near(inverse.interval.high, 1 / ratio.interval.low, 1e-12);
}

/* With an exact base the interval is the one-sample t interval of the candidate, divided. */
static void test_exact_base(void **state)
{
	const double tens[] = {10, 10, 10};
	struct moments base = moments_of(tens, 3);
	struct moments candidate = moments_of(slow, 5);
	struct ratio ratio = ratio_of_means(&base, &candidate, 0.05);
	double width = student_quantile(0.025, 4) * candidate.sd / sqrt(5);

	(void)state;
	assert_near(ratio.interval.low, (candidate.mean - width) / 10, 1e-12);
	assert_near(ratio.interval.high, (candidate.mean + width) / 10, 1e-12);
}

static void test_unknown(void **state)
{
	const double zero[] = {-1, 1};
	const double negative[] = {-2, -2.1};
	const double near_zero[] = {-1, 1.5, 0.2};
	const double one[] = {5};
	struct moments positive = moments_of(slow, 5);
	struct moments other = moments_of(zero, 2);
	struct ratio ratio;

	(void)state;
	assert_false(ratio_of_means(&other, &positive, 0.05).known);
	assert_false(ratio_of_means(&positive, &other, 0.05).known);
	other = moments_of(negative, 2);
	assert_false(ratio_of_means(&other, &positive, 0.05).known);
	/* The base's mean is not told from 0: Fieller's set has no bound. */
	other = moments_of(near_zero, 3);
	ratio = ratio_of_means(&other, &positive, 0.05);
	assert_true(ratio.known);
	assert_false(ratio.interval.known);
	other = moments_of(one, 1);
	ratio = ratio_of_means(&other, &positive, 0.05);
	assert_true(ratio.known);
	assert_false(ratio.interval.known);
	other = moments_of(one, 0);
	assert_false(ratio_of_means(&other, &positive, 0.05).known);
}

/*
 * The base's mean is ten errors from 0, which two values do not prove (p 0.06), while factors of
 * three are rejected with the many degrees of freedom of a noisy candidate.
 */
static void test_bound_beyond_a_gap(void **state)
{
	struct moments base = {2, 100, 10 * sqrt(2)};
	struct moments candidate = {50, 100, 40 * sqrt(50)};
	struct ratio_statistic three = ratio_statistic_at(&base, &candidate, 3);

	(void)state;
	assert_true(student_two_sided(three.t, three.df) < 0.05);
	assert_true(student_two_sided(1 / 0.4, 49) < 0.05);
	assert_true(student_two_sided(10, 1) > 0.05);
	assert_false(ratio_of_means(&base, &candidate, 0.05).interval.known);
}

static void test_negative_values(void **state)
{
	const double a[] = {-10, -11, -12};
	const double b[] = {-20, -22, -24};
	struct moments base = moments_of(a, 3);
	struct moments candidate = moments_of(b, 3);
	struct ratio ratio = ratio_of_means(&base, &candidate, 0.05);

	(void)state;
	assert_near(ratio.value, 2, 1e-15);
	assert_true(ratio.interval.known);
	assert_between(ratio.interval.low, 1.3, 2);
	assert_between(ratio.interval.high, 2, 3);
}

static bool covers(gsl_rng *random, size_t n_base, double base_sd, size_t n_candidate,
		   double candidate_sd)
{
	double values[2][20];
	struct moments base, candidate;
	struct ratio ratio;

	for (size_t i = 0; i < n_base; i++)
		values[0][i] = 100 + gsl_ran_gaussian(random, base_sd);
	for (size_t i = 0; i < n_candidate; i++)
		values[1][i] = 110 + gsl_ran_gaussian(random, candidate_sd);
	base = moments_of(values[0], n_base);
	candidate = moments_of(values[1], n_candidate);
	ratio = ratio_of_means(&base, &candidate, 0.05);
	return ratio.interval.known && ratio.interval.low <= 1.1 && ratio.interval.high >= 1.1;
}

/* 95% intervals hold the true ratio in 95% of 3000 seeded samples; 4 standard errors are 1.6%. */
static void test_coverage(void **state)
{
	const struct {
		size_t n_base;
		double base_sd;
		size_t n_candidate;
		double candidate_sd;
	} cases[] = {{5, 3, 5, 3}, {10, 2, 5, 8}, {4, 10, 12, 5}};
	gsl_rng *random = gsl_rng_alloc(gsl_rng_mt19937);

	(void)state;
	gsl_rng_set(random, 20240607);
	for (size_t i = 0; i < 3; i++) {
		int covered = 0;

		for (int round = 0; round < 3000; round++)
			covered += covers(random, cases[i].n_base, cases[i].base_sd,
					  cases[i].n_candidate, cases[i].candidate_sd);
		assert_between(covered / 3000.0, 0.934, 0.97);
	}
	gsl_rng_free(random);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_bounds_are_where_welch_begins_to_reject),
		cmocka_unit_test(test_exchange_gives_the_inverse),
		cmocka_unit_test(test_exact_base),
		cmocka_unit_test(test_unknown),
		cmocka_unit_test(test_bound_beyond_a_gap),
		cmocka_unit_test(test_negative_values),
		cmocka_unit_test(test_coverage),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
