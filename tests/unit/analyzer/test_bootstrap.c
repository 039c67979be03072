/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/unit/analyzer/near.h"

#include <float.h>
#include <string.h>

#include "analyzer/bootstrap.h"
#include "common/array.h"

static const double b[] = {100, 100.4, 99.7, 100.1, 99.9, 103.5, 98.2, 101, 100.8, 99.2};
static const double c[] = {101.1, 102.6, 100.8, 101.2, 101.0, 100.3, 103.1, 100.6, 102.2, 101.9};

static double replicates[BOOTSTRAP_RESAMPLES];

static struct bootstrap of_means(const double *base, size_t n, const double *candidate, size_t m,
				 unsigned long seed)
{
	return bootstrap_ratio(base, n, candidate, m, BOOTSTRAP_MEANS, 0.05, seed, replicates,
			       BOOTSTRAP_RESAMPLES);
}

/*
 * On data as well-behaved as these the interval is near Fieller's with a normal in place of t;
 * suite "oracle" checks the correction itself on the same replicates.
 */
static void test_interval(void **state)
{
	struct bootstrap result = of_means(b, 10, c, 10, 3);

	(void)state;
	assert_true(result.known && result.interval.known);
	assert_near(result.ratio, 1014.8 / 1002.8, 1e-13);
	assert_between(result.interval.low, 1.000, 1.005);
	assert_between(result.interval.high, 1.019, 1.024);
	assert_between(result.bias, -0.15, 0.15);
	assert_between(result.acceleration, -0.1, 0.1);
	for (size_t i = 1; i < BOOTSTRAP_RESAMPLES; i++)
		assert_true(replicates[i - 1] <= replicates[i]);
}

static void test_seed(void **state)
{
	struct bootstrap first = of_means(b, 10, c, 10, 3);
	struct bootstrap second = of_means(b, 10, c, 10, 3);
	struct bootstrap other = of_means(b, 10, c, 10, 4);

	(void)state;
	assert_near(second.interval.low, first.interval.low, 0);
	assert_near(second.interval.high, first.interval.high, 0);
	assert_true(other.interval.low != first.interval.low);
	assert_near(other.interval.low, first.interval.low, 1e-3);
}

static void test_other_statistics(void **state)
{
	struct bootstrap medians = bootstrap_ratio(b, 10, c, 10, BOOTSTRAP_MEDIANS, 0.05, 1,
						   replicates, BOOTSTRAP_RESAMPLES);
	struct bootstrap geometric = bootstrap_ratio(b, 10, c, 10, BOOTSTRAP_GEOMETRIC_MEANS, 0.05,
						     1, replicates, BOOTSTRAP_RESAMPLES);

	(void)state;
	assert_near(medians.ratio, 101.15 / 100.05, 1e-13);
	assert_between(1.011, medians.interval.low, medians.interval.high);
	assert_between(geometric.ratio, geometric.interval.low, geometric.interval.high);
}

static void test_bad_input(void **state)
{
	const double odd[] = {1, NAN, 2};
	const double same[] = {3, 3, 3, 3};
	const double mixed[] = {-1, 1, 2};
	const double huge[] = {DBL_MAX, 1e308, 1.2e308};
	const double low[] = {-DBL_MAX, -1e308, -1.2e308};

	(void)state;
	assert_false(of_means(NULL, 0, c, 10, 1).known);
	assert_false(of_means(b, 1, c, 10, 1).known);
	assert_false(of_means(odd, 3, c, 10, 1).known);
	assert_false(of_means(mixed, 3, c, 10, 1).known);
	assert_false(of_means(low, 3, c, 10, 1).known);
	assert_false(bootstrap_ratio(b, 10, c, 10, BOOTSTRAP_MEANS, 0.05, 1, replicates, 0).known);
	assert_true(of_means(same, 4, same, 4, 1).known);
	assert_false(of_means(same, 4, same, 4, 1).interval.known);
	assert_true(of_means(huge, 3, huge, 3, 1).interval.known);
	assert_true(of_means(low, 3, low, 3, 1).interval.known);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_interval),
		cmocka_unit_test(test_seed),
		cmocka_unit_test(test_other_statistics),
		cmocka_unit_test(test_bad_input),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
