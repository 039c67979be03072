/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/unit/analyzer/near.h"

#include <gsl/gsl_randist.h>
#include <gsl/gsl_rng.h>

#include "analyzer/bimodal.h"
#include "analyzer/quantile.h"
#include "common/array.h"

#define BRUTE_MAX 12

/* Steps at x, from `below` to `above`; the mirrored ones run the other way. */
struct steps {
	double x[BRUTE_MAX];
	double below[BRUTE_MAX];
	double above[BRUTE_MAX];
	size_t count;
};

/*
 * The least value at `mode` of a convex function that stays within d of the first `count` steps;
 * infinite when there is none. A chord through any two of the highest allowed values bounds it.
 */
static double least_at(const struct steps *steps, size_t count, double mode, double d)
{
	double least = count ? steps->above[count - 1] - d : 0;

	for (size_t b = 0; b < count; b++) {
		double needed = steps->above[b] - d;

		if (needed > steps->below[b] + d + 1e-14)
			return HUGE_VAL;
		for (size_t a = 0; a < b; a++) {
			double from = steps->below[a] + d;
			double slope = (needed - from) / (steps->x[b] - steps->x[a]);

			least = fmax(least, from + slope * (mode - steps->x[a]));
			for (size_t c = b + 1; c < count; c++) {
				if (from + slope * (steps->x[c] - steps->x[a]) >
				    steps->below[c] + d + 1e-14)
					return HUGE_VAL;
			}
		}
	}
	return least;
}

static struct steps mirror(const struct steps *steps)
{
	struct steps mirrored = {.count = steps->count};

	for (size_t i = 0; i < steps->count; i++) {
		size_t from = steps->count - 1 - i;

		mirrored.x[i] = -steps->x[from];
		mirrored.below[i] = 1 - steps->above[from];
		mirrored.above[i] = 1 - steps->below[from];
	}
	return mirrored;
}

/* By how much a distribution with its mode at `at`, within d of the steps, would have to fall. */
static double shortfall(const struct steps *steps, const struct steps *mirrored, size_t before,
			size_t behind, double at, double d)
{
	double left = least_at(steps, before, at, d);
	double right = 1 - least_at(mirrored, behind, -at, d);
	double low = before ? steps->above[before - 1] : 0;
	double high = before + behind == steps->count ? low : steps->above[before];

	/* The level of the flat piece, or of the step's ends, is to be kept, too. */
	return fmax(left - right, fmax(left - (low + d), high - d - right));
}

/* A mode in the gap behind the first `before` steps: the shortfall is convex in its place. */
static bool gap_serves(const struct steps *steps, const struct steps *mirrored, size_t before,
		       double d)
{
	double low = steps->x[before - 1];
	double high = steps->x[before];
	size_t behind = steps->count - before;

	for (int step = 0; step < 60; step++) {
		double third = (high - low) / 3;

		if (shortfall(steps, mirrored, before, behind, low + third, d) <
		    shortfall(steps, mirrored, before, behind, high - third, d))
			high -= third;
		else
			low += third;
	}
	return shortfall(steps, mirrored, before, behind, (low + high) / 2, d) <= 1e-13;
}

static bool serves(const struct steps *steps, const struct steps *mirrored, double d)
{
	for (size_t mode = 0; mode < steps->count; mode++) {
		size_t behind = steps->count - mode - 1;

		if (shortfall(steps, mirrored, mode, behind, steps->x[mode], d) <= 1e-13)
			return true;
		if (mode && gap_serves(steps, mirrored, mode, d))
			return true;
	}
	return false;
}

/* The dip by its definition: the least d with a unimodal distribution within d, by bisection. */
static double brute_dip(const double *sorted, size_t n)
{
	struct steps steps = {.count = 0};
	struct steps mirrored;
	double low = 0.5 / (double)n;
	double high = 0.5;

	for (size_t i = 0; i < n; i++) {
		if (i == 0 || sorted[i] != sorted[i - 1]) {
			steps.x[steps.count] = sorted[i];
			steps.below[steps.count++] = (double)i / (double)n;
		}
		steps.above[steps.count - 1] = (double)(i + 1) / (double)n;
	}
	mirrored = mirror(&steps);
	for (int step = 0; step < 40; step++) {
		double middle = low + (high - low) / 2;

		if (serves(&steps, &mirrored, middle))
			high = middle;
		else
			low = middle;
	}
	return high;
}

static void test_dip_by_definition(void **state)
{
	gsl_rng *random = gsl_rng_alloc(gsl_rng_mt19937);

	(void)state;
	gsl_rng_set(random, 4);
	for (int round = 0; round < 150; round++) {
		double values[BRUTE_MAX];
		size_t n = 4 + (size_t)(round % (BRUTE_MAX - 3));

		for (size_t i = 0; i < n; i++) {
			values[i] = gsl_ran_ugaussian(random) + 3 * (round % 3) * (i % 2);
			/* Every other round with ties. */
			if (round % 2)
				values[i] =
					round % 4 == 1 ? floor(values[i]) : floor(4 * values[i]);
		}
		quantile_sort(values, n);
		assert_near(dip_of_sorted(values, n), brute_dip(values, n), 1e-8);
	}
	gsl_rng_free(random);
}

/* Evenly spaced values are as unimodal as can be; two atoms of one half each as bimodal. */
static void test_dip_extremes(void **state)
{
	double even[50];
	double atoms[50];

	(void)state;
	for (int i = 0; i < 50; i++) {
		even[i] = i;
		atoms[i] = i < 25 ? 1 : 2;
	}
	assert_near(dip_of_sorted(even, 50), 0.01, 1e-12);
	assert_near(dip_of_sorted(atoms, 50), 0.25, 1e-12);
}

static struct dip dip_of_mixture(double distance, unsigned long seed)
{
	gsl_rng *random = gsl_rng_alloc(gsl_rng_mt19937);
	double values[60];

	gsl_rng_set(random, seed);
	for (int i = 0; i < 60; i++)
		values[i] = 100 + gsl_ran_ugaussian(random) + (i % 2) * distance;
	gsl_rng_free(random);
	return dip_test(values, 60, 0, 1);
}

static void test_p(void **state)
{
	struct dip clear = dip_of_mixture(8, 1);
	struct dip again = dip_of_mixture(8, 1);
	int found = 0;
	int false_alarms = 0;

	(void)state;
	assert_true(clear.known && clear.p > 0 && clear.p < 0.001);
	assert_int_equal(clear.replicates, DIP_REPLICATES_DEFAULT);
	assert_true(clear.p == again.p && clear.p_low <= clear.p && clear.p_high >= clear.p);
	for (unsigned long seed = 1; seed <= 200; seed++) {
		found += dip_of_mixture(5, seed).p < 0.05;
		false_alarms += dip_of_mixture(0, seed).p < 0.05;
	}
	assert_in_range(found, 190, 200);
	assert_in_range(false_alarms, 0, 10);
	clear = dip_of_mixture(0, 3);
	assert_true(clear.replicates < 200);
}

/* Uniform values: p is uniform. */
static void test_p_is_calibrated(void **state)
{
	gsl_rng *random = gsl_rng_alloc(gsl_rng_mt19937);
	int below = 0;

	(void)state;
	gsl_rng_set(random, 9);
	for (unsigned long round = 0; round < 1000; round++) {
		double values[30];

		for (int i = 0; i < 30; i++)
			values[i] = gsl_rng_uniform(random);
		below += dip_test(values, 30, 400, round + 1).p < 0.1;
	}
	gsl_rng_free(random);
	assert_between(below / 1000.0, 0.07, 0.13);
}

static void test_split(void **state)
{
	const double values[] = {10, 21, 11, 20, 9, 22, 10, 19};
	struct modes modes = modes_of(values, 8);
	struct boot_modes boot;

	(void)state;
	assert_true(modes.known);
	assert_near(modes.threshold, 15, 1e-15);
	assert_int_equal(modes.low.n, 4);
	assert_int_equal(modes.high.n, 4);
	assert_near(modes.low.median, 10, 1e-15);
	assert_near(modes.high.mean, 20.5, 1e-15);
	/* Within: 2 and 5; in all 8 * 5.25^2 + 7. */
	assert_near(modes.explained_frac, 1 - 7 / (8 * 5.25 * 5.25 + 7), 1e-12);
	boot = boot_modes_of(values, 3, modes.threshold);
	assert_int_equal(boot.n_low, 2);
	assert_near(boot.low_median, 10.5, 1e-15);
	assert_near(boot.high_median, 21, 1e-15);
	assert_near(boot.high_share_frac, 1.0 / 3, 1e-15);
	boot = boot_modes_of(values, 0, modes.threshold);
	assert_true(boot.n_low == 0 && boot.n_high == 0 && boot.high_share_frac == 0);
}

/* A few values in the high mode are enough. */
static void test_uneven_split(void **state)
{
	double values[40];
	struct modes modes;

	(void)state;
	for (int i = 0; i < 40; i++)
		values[i] = i % 10 ? 100 + i % 7 : 150 + i / 10;
	modes = modes_of(values, 40);
	assert_int_equal(modes.high.n, 4);
	assert_between(modes.threshold, 106, 150);
}

static void test_bad_input(void **state)
{
	const double constant[] = {3, 3, 3, 3, 3};
	const double bad[] = {1, 2, NAN, 4, 5};
	const double huge[] = {-1.7e308, -1.7e308, 1.7e308, 1.7e308};
	struct modes modes;

	(void)state;
	assert_false(dip_test(constant, 5, 10, 1).known);
	assert_false(dip_test(bad, 5, 10, 1).known);
	assert_false(dip_test(bad, 2, 10, 1).known);
	assert_false(dip_test(NULL, 0, 10, 1).known);
	assert_near(dip_test(huge, 4, 10, 1).dip, 0.25, 1e-12);
	assert_false(modes_of(constant, 5).known);
	assert_false(modes_of(bad, 5).known);
	assert_false(modes_of(bad, 1).known);
	modes = modes_of(huge, 4);
	assert_true(modes.known && modes.threshold == 0);
	assert_near(modes.high.median, 1.7e308, 1e-15);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_dip_by_definition),
		cmocka_unit_test(test_dip_extremes),
		cmocka_unit_test(test_p),
		cmocka_unit_test(test_p_is_calibrated),
		cmocka_unit_test(test_split),
		cmocka_unit_test(test_uneven_split),
		cmocka_unit_test(test_bad_input),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
