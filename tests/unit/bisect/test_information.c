/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/unit/bisect/unit.h"

#include "bisect/core/information.h"

static double bits(const struct predictive *components, const double *weights, size_t count)
{
	struct information information;
	double result;

	information_init(&information, components, count);
	result = information_of_value(&information, weights);
	information_release(&information);
	return result;
}

/* Capacity of one Gaussian value for a binary question, equal weights: shared/facts, "Bounds";
 * C = 1 - E[log2(1 + e^-L)], L ~ N(d^2 / 2, d^2). */
static void test_gaussian_capacity(void **state)
{
	static const double known[][2] = {{0.5, 0.0437}, {1, 0.1607}, {2, 0.4859}, {4, 0.9128}};
	static const double even[2] = {0.5, 0.5};

	(void)state;
	for (size_t i = 0; i < 4; i++) {
		struct predictive components[2] = {{0, 1, 1e6}, {known[i][0], 1, 1e6}};

		double got = bits(components, even, 2);

		assert_within(got, known[i][1], 0.003);
	}
}

static void test_limits(void **state)
{
	struct predictive same[2] = {{5, 2, 4}, {5, 2, 4}};
	struct predictive far[3] = {{0, 1, 5}, {1e6, 1, 5}, {1e9, 1000, 5}};
	static const double weights[3] = {0.25, 0.25, 0.5};
	static const double sure[2] = {1, 0};
	/* Weights need not add up to one. */
	static const double twice[2] = {2, 2};
	struct predictive apart[2] = {{0, 1e-9, 3}, {1, 1e-9, 3}};

	(void)state;
	assert_within(bits(same, twice, 2), 0, 1e-9);
	assert_within(bits(far, weights, 3), 1.5, 0.01);
	assert_within(bits(far, sure, 2), 0, 1e-9);
	assert_within(bits(apart, twice, 2), 1, 0.01);
}

static void test_outcome(void **state)
{
	static const double certain[2] = {0, 1};
	static const double flaky[2] = {0.1, 0.6};
	static const double weights[2] = {0.5, 0.5};

	(void)state;
	assert_within(information_of_outcome(certain, weights, 2), 1, 1e-12);
	/* h(0.35) - (h(0.1) + h(0.6)) / 2 in bits */
	assert_within(information_of_outcome(flaky, weights, 2), 0.214095, 1e-5);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_gaussian_capacity),
		cmocka_unit_test(test_limits),
		cmocka_unit_test(test_outcome),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
