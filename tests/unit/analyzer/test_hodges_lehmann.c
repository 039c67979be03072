/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/unit/analyzer/near.h"

#include <stdlib.h>

#include "analyzer/hodges_lehmann.h"
#include "analyzer/mann_whitney.h"
#include "analyzer/quantile.h"

/*
 * Hollander & Wolfe (1973), p. 69, permeability constants; R 4.2.2: wilcox.test(x, y, conf.int =
 * TRUE) for the shift of x against y.
 */
static void test_hollander(void **state)
{
	double x[] = {0.80, 0.83, 1.89, 1.04, 1.45, 1.38, 1.91, 1.64, 0.73, 1.46};
	double y[] = {1.15, 0.88, 0.90, 0.74, 1.21};
	struct hodges_lehmann result;

	(void)state;
	quantile_sort(x, 10);
	quantile_sort(y, 5);
	result = hodges_lehmann_of_sorted(y, 5, x, 10, 0.05);
	assert_near(result.shift, 0.305, 1e-14);
	assert_true(result.interval.known);
	assert_near(result.interval.low, -0.15, 1e-14);
	assert_near(result.interval.high, 0.76, 1e-14);
}

/* R 4.2.2: wilcox.test(y, x, conf.int = TRUE, exact = TRUE) */
static void test_exact_fifty(void **state)
{
	double x[25];
	double y[25];
	struct hodges_lehmann result;

	(void)state;
	for (int i = 0; i < 25; i++) {
		x[i] = 2.0 * (i + 1);
		y[i] = 2.1 * (i + 1) + 3.05;
	}
	result = hodges_lehmann_of_sorted(x, 25, y, 25, 0.05);
	assert_near(result.shift, 4.35, 1e-13);
	assert_near(result.interval.low, -4.75, 1e-13);
	assert_near(result.interval.high, 13.45, 1e-13);
}

/* Against all differences, listed and sorted; with ties, zeros and both signs. */
static void check_by_listing(const double *x, size_t n_x, const double *y, size_t n_y)
{
	double differences[900];
	size_t n = n_x * n_y;
	size_t k = mann_whitney_critical(n_x, n_y, 0.05);
	struct hodges_lehmann result = hodges_lehmann_of_sorted(x, n_x, y, n_y, 0.05);

	for (size_t i = 0; i < n_x; i++) {
		for (size_t j = 0; j < n_y; j++)
			differences[i * n_y + j] = y[j] - x[i];
	}
	assert_near(result.shift, quantile_median(differences, n), 1e-15);
	assert_true(result.interval.known == (k > 0));
	if (k) {
		assert_near(result.interval.low, differences[k - 1], 0);
		assert_near(result.interval.high, differences[n - k], 0);
	}
}

static void test_listing(void **state)
{
	unsigned int seed = 7;

	(void)state;
	for (size_t n_x = 1; n_x <= 30; n_x += 3) {
		for (size_t n_y = 1; n_y <= 30; n_y += 4) {
			double x[30];
			double y[30];

			for (size_t i = 0; i < 30; i++) {
				seed = seed * 1103515245u + 12345u;
				x[i] = (double)(seed >> 16 & 31) - 16;
				y[i] = (double)(seed >> 22 & 31) / 4 - 3;
			}
			quantile_sort(x, n_x);
			quantile_sort(y, n_y);
			check_by_listing(x, n_x, y, n_y);
		}
	}
}

/* 2000 against 2000: four million differences that are never stored. */
static void test_large(void **state)
{
	double x[2000];
	double y[2000];
	struct hodges_lehmann result;

	(void)state;
	for (int i = 0; i < 2000; i++) {
		x[i] = i;
		y[i] = i + 0.5;
	}
	result = hodges_lehmann_of_sorted(x, 2000, y, 2000, 0.05);
	assert_near(result.shift, 0.5, 0);
	/* Half width of 1.96 standard deviations of U over the density of differences, 1 / 2000. */
	assert_between(result.interval.low, -38, -34);
	assert_between(result.interval.high, 35, 39);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_hollander),
		cmocka_unit_test(test_exact_fifty),
		cmocka_unit_test(test_listing),
		cmocka_unit_test(test_large),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
