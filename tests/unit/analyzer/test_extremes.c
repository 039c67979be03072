/* SPDX-License-Identifier: GPL-3.0-or-later */
/* No input of finite values leads to NaN, to infinity or into GSL's error handler. */
#include "tests/unit/analyzer/near.h"

#include <float.h>
#include <stdlib.h>

#include "tests/unit/analyzer/sides.h"

static void check_interval(struct interval interval)
{
	assert_true(isfinite(interval.low) && isfinite(interval.high));
	assert_true(interval.low <= interval.high);
	assert_true(interval.known || (interval.low == 0 && interval.high == 0));
}

static void check_summary(const struct summary *summary)
{
	assert_true(isfinite(summary->mean) && isfinite(summary->median));
	assert_true(isfinite(summary->sd) && summary->sd >= 0);
	assert_true(summary->min <= summary->median && summary->median <= summary->max);
}

static void check_fields(const struct comparison *comparison)
{
	check_summary(&comparison->base);
	check_summary(&comparison->candidate);
	check_interval(comparison->ratio_ci);
	check_interval(comparison->shift_ci);
	check_interval(comparison->difference_ci);
	assert_true(isfinite(comparison->ratio) && comparison->ratio >= 0);
	assert_true(comparison->ratio_known == (comparison->ratio > 0));
	assert_true(isfinite(comparison->shift) && isfinite(comparison->effect));
	assert_true(comparison->p > 0 && comparison->p <= 1);
	assert_true(comparison->q >= comparison->p && comparison->q <= 1);
	assert_true(comparison->equivalence_p > 0 && comparison->equivalence_p <= 1);
	assert_true(isfinite(comparison->detectable_frac) && comparison->detectable_frac >= 0);
	assert_true(comparison->boots_needed <= 10000);
	assert_true(comparison->verdict != VERDICT_FAILED);
}

static const double pool[] = {0,       -0.0,	 1,	    -1,		 2.5,	  1e308,  -1e308,
			      DBL_MAX, -DBL_MAX, DBL_MIN,   1e-320,	 -5e-324, 1e-300, 1e150,
			      1e-150,  1e-200,	 1 + 1e-15, 1e308 * 1.1, 1e16,	  3,	  7};

/* All pairs from the pool as base against all pairs as candidate, with a third value each. */
static void test_pairs(void **state)
{
	const size_t n = ARRAY_SIZE(pool);
	const uint32_t blocks[] = {0, 1, 2, 3, 4};
	const double limits[] = {0, 0.02, 1e300};

	(void)state;
	for (size_t i = 0; i < n * n * n; i++) {
		double base[] = {pool[i % n], pool[i / n % n], pool[i % n]};
		double candidate[] = {pool[i / n / n], pool[i / 7 % n], pool[i / 3 % n],
				      pool[i % n], pool[i / n / n]};
		struct comparison_input input = SIDES(base, candidate);
		struct comparison comparison;

		input.method = (enum method)(i % METHOD_NONE);
		input.base_block = i % 11 ? blocks : NULL;
		input.candidate_block = blocks;
		input.limit_frac = limits[i % 3];
		input.deterministic = i % 5 == 0;
		input.better = i % 7 ? BETTER_LOWER : BETTER_HIGHER;
		input.n_candidate = 1 + i % 5;
		comparison = compare(&input);
		check_fields(&comparison);
	}
}

static void test_constant_sides(void **state)
{
	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(pool); i++) {
		for (size_t j = 0; j < ARRAY_SIZE(pool); j++) {
			double base[] = {pool[i], pool[i], pool[i], pool[i]};
			double candidate[] = {pool[j], pool[j], pool[j], pool[j]};
			struct comparison_input input = SIDES(base, candidate);
			struct comparison comparison = compare(&input);

			check_fields(&comparison);
			input.deterministic = true;
			comparison = compare(&input);
			check_fields(&comparison);
		}
	}
}

static void test_magnitudes_do_not_matter(void **state)
{
	const double scales[] = {1e-305, 1e-160, 1, 1e160, 1e305};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(scales); i++) {
		double base[] = {100 * scales[i], 101 * scales[i], 99 * scales[i],
				 100.5 * scales[i]};
		double candidate[] = {110 * scales[i], 111 * scales[i], 108 * scales[i],
				      109 * scales[i]};
		struct comparison_input input = SIDES(base, candidate);
		struct comparison comparison = compare(&input);

		assert_int_equal(comparison.verdict, VERDICT_REGRESSED);
		assert_near(comparison.ratio, 438 / 400.5, 1e-13);
		assert_near(comparison.shift / scales[i], 9.25, 0.03);
		assert_between(comparison.p, 1e-5, 1e-3);
	}
}

static void test_many_values(void **state)
{
	static double base[20000];
	static double candidate[20000];
	struct comparison_input input = SIDES(base, candidate);
	struct comparison comparison;

	(void)state;
	for (int i = 0; i < 20000; i++) {
		base[i] = 1000 + i % 101;
		candidate[i] = 1001 + i % 103;
	}
	comparison = compare(&input);
	check_fields(&comparison);
	assert_int_equal(comparison.verdict, VERDICT_EQUIVALENT);
	input.method = METHOD_MANN_WHITNEY;
	comparison = compare(&input);
	check_fields(&comparison);
	assert_int_equal(comparison.verdict, VERDICT_EQUIVALENT);
}

static void test_not_finite(void **state)
{
	const double bad[] = {1, NAN, 2};
	const double infinite[] = {1, INFINITY, 2};
	const double good[] = {1, 1.5, 2};
	struct comparison_input input = SIDES(bad, good);
	struct comparison comparison = compare(&input);

	(void)state;
	assert_int_equal(comparison.method, METHOD_NONE);
	assert_int_equal(comparison.verdict, VERDICT_FAILED);
	check_summary(&comparison.base);
	input = SIDES(good, infinite);
	assert_int_equal(compare(&input).verdict, VERDICT_FAILED);
}

static void test_odd_levels(void **state)
{
	const double base[] = {100, 101, 99, 100.5};
	const double candidate[] = {110, 111, 108, 109};
	const double alphas[] = {0, 1, NAN, -1, 1e-300, 1 - 1e-12, 0.5};
	const double limits[] = {-1, NAN, INFINITY, 1e-300};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(alphas) * ARRAY_SIZE(limits); i++) {
		struct comparison_input input = SIDES(base, candidate);
		struct comparison comparison;

		input.alpha = alphas[i % ARRAY_SIZE(alphas)];
		input.limit_frac = limits[i / ARRAY_SIZE(alphas)];
		comparison = compare(&input);
		check_fields(&comparison);
		input.method = METHOD_MANN_WHITNEY;
		comparison = compare(&input);
		check_fields(&comparison);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_pairs),
		cmocka_unit_test(test_constant_sides),
		cmocka_unit_test(test_magnitudes_do_not_matter),
		cmocka_unit_test(test_many_values),
		cmocka_unit_test(test_not_finite),
		cmocka_unit_test(test_odd_levels),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
