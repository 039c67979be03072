/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/unit/analyzer/near.h"

#include <gsl/gsl_randist.h>
#include <gsl/gsl_rng.h>

#include "analyzer/outlier.h"
#include "analyzer/quantile.h"
#include "common/array.h"

/* The kernels of all pairs enumerated in R 4.2.2. */
static void test_medcouple(void **state)
{
	const double powers[] = {1, 2, 4, 8, 16};
	const double ties[] = {1, 3, 3, 3, 5, 9};
	const double mirrored[] = {-16, -8, -4, -2, -1};
	const double symmetric[] = {1, 2, 3, 4, 5};
	double lognormal[25];

	(void)state;
	for (int i = 0; i < 25; i++)
		lognormal[i] = exp(-2 + i / 6.0);
	assert_near(outlier_medcouple(powers, 5), 1.0 / 3, 1e-15);
	assert_near(outlier_medcouple(mirrored, 5), -1.0 / 3, 1e-15);
	assert_near(outlier_medcouple(ties, 6), 0.25, 1e-15);
	assert_near(outlier_medcouple(lognormal, 25), 0.53952556730361878, 1e-13);
	assert_true(outlier_medcouple(symmetric, 5) == 0);
	assert_true(outlier_medcouple(symmetric, 2) == 0);
}

static void test_thinned(void **state)
{
	static double values[5000];

	(void)state;
	for (int i = 0; i < 5000; i++)
		values[i] = exp(-2 + 4 * i / 4999.0);
	assert_near(outlier_medcouple(values, 5000), 0.5395, 0.03);
}

/* R 4.2.2: quantile() and the formula of Hubert & Vandervieren. */
static void test_boxplot(void **state)
{
	double values[26];
	bool marks[26];
	struct outlier_fences fences;

	(void)state;
	for (int i = 0; i < 25; i++)
		values[i] = exp(-2 + i / 6.0);
	fences = outlier_fences_of(values, 25);
	assert_int_equal(fences.rule, OUTLIER_ADJUSTED_BOXPLOT);
	assert_near(fences.low, -0.039483550751250263, 1e-12);
	assert_near(fences.high, 20.508136848954116, 1e-12);
	assert_int_equal(outlier_mark(values, 25, marks), 0);
	values[25] = 40;
	assert_int_equal(outlier_mark(values, 26, marks), 1);
	assert_true(marks[25] && !marks[24] && !marks[0]);
}

static void test_few_values(void **state)
{
	const double values[] = {10.1, 9.9, 10, 10.2, 9.8, 14, 10, 10.1};
	struct outlier_fences fences = outlier_fences_of(values, 8);
	bool marks[8];

	(void)state;
	assert_int_equal(fences.rule, OUTLIER_DEVIATION);
	/* Median 10.05, distances .05 .05 .05 .05 .15 .15 .25 3.95: their median is .1. */
	assert_near(fences.high, 10.05 + 3.5 * 1.4826022185056018 * 0.1, 1e-12);
	assert_near(fences.low, 10.05 - 3.5 * 1.4826022185056018 * 0.1, 1e-12);
	assert_int_equal(outlier_mark(values, 8, marks), 1);
	assert_true(marks[5]);
}

static void test_mostly_equal(void **state)
{
	double values[30];
	bool marks[30];

	(void)state;
	for (int i = 0; i < 30; i++)
		values[i] = 100;
	assert_int_equal(outlier_mark(values, 30, marks), 0);
	values[3] = 130;
	assert_int_equal(outlier_mark(values, 30, marks), 1);
	assert_true(marks[3]);
	assert_int_equal(outlier_fences_of(values, 30).rule, OUTLIER_DEVIATION);
}

static void test_bad_input(void **state)
{
	const double bad[] = {1, 2, NAN, 4, INFINITY};
	const double huge[] = {1e308, 1.01e308, 1.02e308, 1.03e308, -1.7e308};
	bool marks[5] = {true, true, true, true, true};

	(void)state;
	assert_int_equal(outlier_fences_of(bad, 5).rule, OUTLIER_NONE);
	assert_int_equal(outlier_mark(bad, 5, marks), 0);
	assert_false(marks[2] || marks[4]);
	assert_int_equal(outlier_mark(bad, 2, marks), 0);
	assert_int_equal(outlier_mark(bad, 0, marks), 0);
	assert_int_equal(outlier_mark(huge, 5, marks), 1);
	assert_true(marks[4]);
}

static double marked_frac(double skew, int n)
{
	gsl_rng *random = gsl_rng_alloc(gsl_rng_mt19937);
	double values[100];
	bool marks[100];
	size_t marked = 0;

	gsl_rng_set(random, 11);
	for (int round = 0; round < 500; round++) {
		for (int i = 0; i < n; i++) {
			double z = gsl_ran_ugaussian(random);

			values[i] = skew > 0 ? exp(skew * z) : z;
		}
		marked += outlier_mark(values, (size_t)n, marks);
	}
	gsl_rng_free(random);
	return (double)marked / (500.0 * n);
}

/* Of clean values, normal or skewed, few are marked. */
static void test_false_marks(void **state)
{
	(void)state;
	assert_between(marked_frac(0, 100), 0.001, 0.035);
	assert_between(marked_frac(0.5, 100), 0.001, 0.035);
	assert_between(marked_frac(0, 10), 0.001, 0.04);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_medcouple),    cmocka_unit_test(test_thinned),
		cmocka_unit_test(test_boxplot),	     cmocka_unit_test(test_few_values),
		cmocka_unit_test(test_mostly_equal), cmocka_unit_test(test_bad_input),
		cmocka_unit_test(test_false_marks),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
