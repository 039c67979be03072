/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/unit/analyzer/near.h"

#include <gsl/gsl_randist.h>
#include <gsl/gsl_rng.h>

#include "analyzer/autocorrelation.h"
#include "common/array.h"
#include "tests/unit/analyzer/nist.h"

/* NIST StRD, univariate: certified lag-1 coefficients, and what the decimals of the data allow. */
static const struct {
	const char *name;
	double lag1;
	double tolerance;
} certified[] = {
	{"Lottery", -0.120948622967393, 1e-13},
	{"Lew", -0.307304800605679, 1e-13},
	{"Mavro", 0.937989183438248, 1e-11},
	{"Michelso", 0.535199668621283, 1e-12},
	{"NumAcc1", -0.5, 1e-14},
	{"NumAcc2", -0.999, 1e-13},
	{"NumAcc3", -0.999, 1e-8},
	{"NumAcc4", -0.999, 1e-7},
};

static void test_nist(void **state)
{
	double values[2000];

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(certified); i++) {
		size_t n = nist_read(certified[i].name, values, ARRAY_SIZE(values));
		struct autocorrelation result = autocorrelation_of(values, n);

		if (!n)
			skip();
		assert_true(result.known);
		assert_near(result.lag1, certified[i].lag1, certified[i].tolerance);
	}
}

/* By hand: deviations -2, -1, 0, 1, 2 give (2 + 0 + 0 + 2) / 10. */
static void test_by_hand(void **state)
{
	const double rising[] = {1, 2, 3, 4, 5};
	const double huge[] = {1e308, 1.1e308, 1.2e308, 1.3e308, 1.4e308};
	const double tiny[] = {1, 1, 1 + 1e-15, 1, 1};

	(void)state;
	assert_near(autocorrelation_of(rising, 5).lag1, 0.4, 1e-15);
	assert_near(autocorrelation_of(huge, 5).lag1, 0.4, 1e-14);
	/* Moran: mean -1/5, variance 9 / (25 * 4), so z = 0.6 / 0.3 = 2: R pnorm(-2) * 2. */
	assert_near(autocorrelation_of(rising, 5).p, 0.045500263896358417, 1e-12);
	assert_true(autocorrelation_of(tiny, 5).known);
	assert_between(autocorrelation_of(tiny, 5).lag1, -0.5, 0.1);
}

static void test_nothing_to_measure(void **state)
{
	const double constant[] = {7, 7, 7, 7};
	const double bad[] = {1, 2, INFINITY, 3};
	const double nan_value[] = {1, NAN, 2, 3};
	struct autocorrelation result = autocorrelation_of(constant, 4);

	(void)state;
	assert_false(result.known);
	assert_true(result.p == 1 && result.lag1 == 0 && result.effective_n == 4);
	assert_false(autocorrelation_of(bad, 4).known);
	assert_false(autocorrelation_of(nan_value, 4).known);
	assert_false(autocorrelation_of(bad, 2).known);
	assert_false(autocorrelation_of(bad, 0).known);
}

static void draw_ar1(gsl_rng *random, double lag1, double *values, size_t n)
{
	double value = gsl_ran_ugaussian(random);

	for (size_t i = 0; i < n; i++) {
		values[i] = value;
		value = lag1 * value + gsl_ran_gaussian(random, sqrt(1 - lag1 * lag1));
	}
}

/* AR(1): n values have the information of n (1 - rho) / (1 + rho). */
static void check_effective_n(double lag1, double low, double high)
{
	gsl_rng *random = gsl_rng_alloc(gsl_rng_mt19937);
	double values[400];
	double sum = 0;

	gsl_rng_set(random, 5);
	for (int round = 0; round < 200; round++) {
		struct autocorrelation result;

		draw_ar1(random, lag1, values, 400);
		result = autocorrelation_of(values, 400);
		assert_between(result.effective_n, 1, 400);
		sum += result.effective_n / 400;
	}
	gsl_rng_free(random);
	assert_between(sum / 200, low, high);
}

static void test_effective_n(void **state)
{
	(void)state;
	check_effective_n(0, 0.85, 1);
	check_effective_n(0.3, 0.48, 0.62);  /* 0.538 */
	check_effective_n(0.6, 0.21, 0.31);  /* 0.25 */
	check_effective_n(0.9, 0.04, 0.085); /* 0.0526 */
}

static void test_p_is_calibrated(void **state)
{
	gsl_rng *random = gsl_rng_alloc(gsl_rng_mt19937);
	double values[30];
	int found = 0;
	int missed = 0;

	(void)state;
	gsl_rng_set(random, 6);
	for (int round = 0; round < 2000; round++) {
		draw_ar1(random, 0, values, 30);
		found += autocorrelation_of(values, 30).p < 0.05;
		draw_ar1(random, 0.7, values, 30);
		missed += autocorrelation_of(values, 30).p >= 0.05;
	}
	gsl_rng_free(random);
	assert_between(found / 2000.0, 0.025, 0.06);
	assert_between(missed / 2000.0, 0, 0.12);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_nist),
		cmocka_unit_test(test_by_hand),
		cmocka_unit_test(test_nothing_to_measure),
		cmocka_unit_test(test_effective_n),
		cmocka_unit_test(test_p_is_calibrated),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
