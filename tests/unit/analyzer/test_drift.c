/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/unit/analyzer/near.h"

#include <gsl/gsl_randist.h>
#include <gsl/gsl_rng.h>

#include "analyzer/drift.h"
#include "common/array.h"

/* R 4.2.2: cor.test(1:n, x, method = "kendall", exact = TRUE); slopes by median() of all pairs. */
static void test_exact(void **state)
{
	const double eight[] = {3.1, 2.7, 4.4, 5.0, 4.9, 6.2, 5.8, 7.1};
	const double forty[] = {10.037, -2.315, -8.898, 5.421,	8.585,	-6.279, -5.341, 9.552,
				5.047,	-8.414, -0.17,	11.438, 0.474,	-8.038, 5.391,	10.713,
				-3.816, -5.124, 10.013, 7.691,	-6.577, -0.307, 12.616, 3.287,
				-6.961, 5.28,	12.644, -1.223, -4.743, 10.302, 10.216, -4.536,
				-0.378, 13.574, 6.091,	-5.661, 5.121,	14.366, 1.472,	-4.179};
	struct drift drift = drift_of(eight, 8, 0.05);

	(void)state;
	assert_true(drift.known && drift.exact);
	assert_near(drift.s, 2 * 25 - 28, 0);
	assert_near(drift.p, 0.0055059523809524169, 1e-12);
	assert_near(drift.slope, 0.6, 1e-14);
	drift = drift_of(forty, 40, 0.05);
	assert_near(drift.s, 2 * 431 - 780, 0);
	assert_near(drift.p, 0.3476070801267428, 1e-12);
	assert_near(drift.slope, 0.089078282828282812, 1e-13);
}

/* All orders of the values enumerated in R: the share with an |S| at least as large. */
static void test_ties(void **state)
{
	const double pairs[] = {1, 2, 2, 1, 3, 3, 3, 4};
	const double triples[] = {1, 1, 1, 2, 1, 2, 2};

	(void)state;
	assert_near(drift_of(pairs, 8, 0.05).s, 19, 0);
	assert_near(drift_of(pairs, 8, 0.05).p, 0.014285714285714285, 1e-12);
	assert_near(drift_of(triples, 7, 0.05).s, 10, 0);
	assert_near(drift_of(triples, 7, 0.05).p, 0.11428571428571428, 1e-12);
}

/* R 4.2.2, by the formulas; the interval by ranks of sort()ed slopes. */
static void test_normal(void **state)
{
	const double sixty[] = {10, -2, -9, 5,	8, -7, -6, 9,  4,  -9, -1, 11, 0,  -9, 4,
				10, -5, -6, 9,	6, -8, -2, 11, 2,  -9, 3,  11, -3, -7, 8,
				8,  -7, -3, 11, 4, -8, 3,  12, -1, -7, 8,  10, -5, -3, 11,
				6,  -7, 2,  12, 1, -7, 7,  11, -4, -4, 11, 8,  -6, 1,  13};
	struct drift drift = drift_of(sixty, 60, 0.05);

	(void)state;
	assert_false(drift.exact);
	assert_near(drift.s, 181, 0);
	assert_near(drift.p, 0.24976285821392721, 1e-12);
	assert_near(drift.slope, 0.054054054054054057, 1e-13);
	assert_true(drift.slope_ci.known);
	assert_near(drift.slope_ci.low, -0.043478260869565216, 1e-13);
	assert_near(drift.slope_ci.high, 0.15625, 1e-13);
}

/* Where both serve, exact and normal agree; reversed order mirrors everything. */
static void test_symmetry(void **state)
{
	double rising[DRIFT_EXACT_MAX];
	double falling[DRIFT_EXACT_MAX];
	struct drift up, down;

	(void)state;
	for (int i = 0; i < DRIFT_EXACT_MAX; i++) {
		rising[i] = (i * 7) % 10 + 0.2 * i;
		falling[DRIFT_EXACT_MAX - 1 - i] = rising[i];
	}
	up = drift_of(rising, DRIFT_EXACT_MAX, 0.05);
	down = drift_of(falling, DRIFT_EXACT_MAX, 0.05);
	assert_near(up.s, -down.s, 0);
	assert_near(up.p, down.p, 1e-12);
	assert_near(up.slope, -down.slope, 1e-12);
	assert_near(up.slope_ci.low, -down.slope_ci.high, 1e-12);
}

static void test_long_run(void **state)
{
	static double values[20001];
	struct drift drift;

	(void)state;
	for (int i = 0; i < 20001; i++)
		values[i] = 5 + 0.25 * i + (i % 3) * 1e-3;
	drift = drift_of(values, 20001, 0.05);
	assert_near(drift.slope, 0.25, 1e-6);
	assert_false(drift.slope_ci.known);
	assert_true(drift.p > 0 && drift.p < 1e-100);
	assert_near(drift.s, 20001.0 * 20000 / 2, 1e-12);
}

static void test_bad_input(void **state)
{
	const double constant[] = {2, 2, 2, 2};
	const double bad[] = {1, NAN, 3, 4};
	const double infinite[] = {1, INFINITY, 3, 4};
	const double huge[] = {-1.5e308, 0, 1.5e308};

	(void)state;
	assert_false(drift_of(constant, 4, 0.05).known);
	assert_near(drift_of(constant, 4, 0.05).p, 1, 0);
	assert_false(drift_of(bad, 4, 0.05).known);
	assert_false(drift_of(infinite, 4, 0.05).known);
	assert_false(drift_of(bad, 1, 0.05).known);
	assert_false(drift_of(NULL, 0, 0.05).known);
	assert_near(drift_of(huge, 3, NAN).slope, 1.5e308, 1e-15);
	assert_near(drift_of(huge, 3, 0.05).p, 1.0 / 3, 1e-14);
}

static void test_false_alarms(void **state)
{
	gsl_rng *random = gsl_rng_alloc(gsl_rng_mt19937);
	int flat = 0;
	int drifting = 0;

	(void)state;
	gsl_rng_set(random, 3);
	for (int round = 0; round < 2000; round++) {
		double values[20];

		for (int i = 0; i < 20; i++)
			values[i] = gsl_ran_ugaussian(random);
		flat += drift_of(values, 20, 0.05).p < 0.05;
		for (int i = 0; i < 20; i++)
			values[i] += 0.15 * i;
		drifting += drift_of(values, 20, 0.05).p < 0.05;
	}
	gsl_rng_free(random);
	assert_between(flat / 2000.0, 0.03, 0.06);
	assert_between(drifting / 2000.0, 0.85, 1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_exact),	     cmocka_unit_test(test_ties),
		cmocka_unit_test(test_normal),	     cmocka_unit_test(test_symmetry),
		cmocka_unit_test(test_long_run),     cmocka_unit_test(test_bad_input),
		cmocka_unit_test(test_false_alarms),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
