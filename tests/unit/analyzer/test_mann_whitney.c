/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/unit/analyzer/near.h"

#include "analyzer/mann_whitney.h"
#include "common/array.h"

struct tails {
	double p_less;
	double p;
	double p_greater;
};

/* Twice the U of the values whose bit is set in `mask` against the others. */
static int double_u(const double *values, int n, unsigned int mask)
{
	int u = 0;

	for (int i = 0; i < n; i++) {
		for (int j = 0; j < n; j++) {
			if (!(mask >> i & 1) || (mask >> j & 1))
				continue;
			u += values[i] > values[j] ? 2 : values[i] == values[j];
		}
	}
	return u;
}

/* By trying every choice of the candidate's values; the first n_candidate are the real one. */
static struct tails enumerate(const double *values, int n, int n_candidate)
{
	int centre = n_candidate * (n - n_candidate); /* of the doubled U */
	int observed = double_u(values, n, (1u << n_candidate) - 1);
	struct tails tails = {0};
	double total = 0;

	for (unsigned int mask = 0; mask < 1u << n; mask++) {
		int u;

		if (__builtin_popcount(mask) != n_candidate)
			continue;
		u = double_u(values, n, mask);
		total++;
		tails.p_less += u <= observed;
		tails.p_greater += u >= observed;
		tails.p += abs(u - centre) >= abs(observed - centre);
	}
	return (struct tails){tails.p_less / total, tails.p / total, tails.p_greater / total};
}

static void test_full_enumeration(void **state)
{
	unsigned int seed = 12345;

	(void)state;
	for (int round = 0; round < 300; round++) {
		int n_candidate = 1 + round % 6;
		int n_base = 1 + round / 6 % 5;
		double values[11];
		struct tails wanted;
		struct mann_whitney test;

		/* Few distinct values: nearly every case has ties. */
		for (int i = 0; i < n_candidate + n_base; i++) {
			seed = seed * 1103515245u + 12345u;
			values[i] = (double)(seed >> 16 & 0x7fff) / 4681;
			values[i] = floor(values[i]);
		}
		wanted = enumerate(values, n_candidate + n_base, n_candidate);
		test = mann_whitney_test(values + n_candidate, (size_t)n_base, values,
					 (size_t)n_candidate);
		assert_true(test.exact);
		assert_near(test.u,
			    double_u(values, n_candidate + n_base, (1u << n_candidate) - 1) / 2.0,
			    0);
		assert_near(test.p, wanted.p, 1e-14);
		assert_near(test.p_less, wanted.p_less, 1e-14);
		assert_near(test.p_greater, wanted.p_greater, 1e-14);
	}
}

static void check(const double *candidate, size_t n_candidate, const double *base, size_t n_base,
		  double u, struct tails wanted)
{
	struct mann_whitney test = mann_whitney_test(base, n_base, candidate, n_candidate);

	assert_near(test.u, u, 0);
	assert_near(test.p, wanted.p, 1e-10);
	assert_near(test.p_less, wanted.p_less, 1e-10);
	assert_near(test.p_greater, wanted.p_greater, 1e-10);
}

/* golang/perf, internal/stats/utest_test.go; its p of 0 with ties replaced by the enumerated one */
static void test_published(void **state)
{
	const double a[] = {2, 1, 3, 5};
	const double apart[] = {12, 11, 13, 15};
	const double mixed[] = {0, 4, 6, 7};
	const double twos[] = {2, 2, 2, 2};
	const double ones[] = {1, 1, 1, 1, 1};

	(void)state;
	check(a, 4, apart, 4, 0, (struct tails){1 / 70., 2 / 70., 1});
	check(apart, 4, a, 4, 16, (struct tails){1, 2 / 70., 1 / 70.});
	check(a, 4, mixed, 4, 5,
	      (struct tails){0.24285714285714288, 0.48571428571428577, 0.8285714285714285});
	check(a, 4, a, 4, 8, (struct tails){0.6285714285714286, 1, 0.6285714285714286});
	check(a, 4, twos, 4, 10,
	      (struct tails){0.8571428571428571, 0.7142857142857143, 0.3571428571428571});
	check(a, 4, ones, 5, 17.5, (struct tails){1, 0.0476190476190476, 0.0476190476190476});
}

/* The same source: x = 2i for i < 500, y = 2i - 41 for i < 600; then y with ties in front. */
static void test_published_large(void **state)
{
	double x[500];
	double y[600];

	(void)state;
	for (int i = 0; i < 600; i++)
		y[i] = 2 * i - 41;
	for (int i = 0; i < 500; i++)
		x[i] = 2 * i;
	check(x, 500, y, 600, 135250,
	      (struct tails){0.0024667680407086112, 0.0049335360814172224, 0.9975346930458906});
	for (int i = 0; i < 30; i++)
		y[i] = x[i];
	check(x, 500, y, 600, 134845,
	      (struct tails){0.0019351907119808942, 0.0038703814239617884, 0.9980659818257166});
}

/* R 4.2.2: wilcox.test(y, x, exact = FALSE), heavily tied, 60 against 60 */
static void test_large_ties(void **state)
{
	const double x_part[] = {1, 2, 2, 3, 5, 8};
	const double y_part[] = {2, 3, 3, 5, 8, 9};
	double x[60];
	double y[60];

	(void)state;
	for (size_t i = 0; i < 60; i++) {
		x[i] = x_part[i % 6];
		y[i] = y_part[i % 6];
	}
	check(y, 60, x, 60, 2500,
	      (struct tails){0.999913542979789, 1.766534319997247e-04, 8.832671599986234e-05});
}

/* R 4.2.2: wilcox.test(y, x, exact = TRUE), 25 against 25 */
static void test_exact_fifty(void **state)
{
	double x[25];
	double y[25];
	struct mann_whitney test;

	(void)state;
	for (int i = 0; i < 25; i++) {
		x[i] = 2.0 * (i + 1);
		y[i] = 2.1 * (i + 1) + 3.05;
	}
	test = mann_whitney_test(x, 25, y, 25);
	assert_true(test.exact);
	assert_near(test.u, 363, 0);
	assert_near(test.p, 0.3350305662381977, 1e-13);
}

static void test_all_equal(void **state)
{
	double ones[200];

	(void)state;
	for (size_t i = 0; i < 200; i++)
		ones[i] = 1;
	check(ones, 5, ones, 7, 17.5, (struct tails){1, 1, 1});
	check(ones, 100, ones, 200, 10000, (struct tails){1, 1, 1});
}

/* R 4.2.2: qwilcox(alpha / 2, n, m), which is 0 where there is no interval */
static void test_critical(void **state)
{
	(void)state;
	assert_int_equal(mann_whitney_critical(3, 3, 0.05), 0);
	assert_int_equal(mann_whitney_critical(4, 4, 0.05), 1);
	assert_int_equal(mann_whitney_critical(5, 5, 0.05), 3);
	assert_int_equal(mann_whitney_critical(6, 4, 0.05), 3);
	assert_int_equal(mann_whitney_critical(4, 6, 0.05), 3);
	assert_int_equal(mann_whitney_critical(10, 10, 0.01), 17);
	assert_int_equal(mann_whitney_critical(20, 15, 0.05), 91);
	assert_int_equal(mann_whitney_critical(0, 15, 0.05), 0);
	assert_int_equal(mann_whitney_smallest_n(0.05), 4);
	assert_int_equal(mann_whitney_smallest_n(0.1), 4);
	assert_int_equal(mann_whitney_smallest_n(0.01), 5);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_full_enumeration), cmocka_unit_test(test_published),
		cmocka_unit_test(test_published_large),	 cmocka_unit_test(test_large_ties),
		cmocka_unit_test(test_exact_fifty),	 cmocka_unit_test(test_all_equal),
		cmocka_unit_test(test_critical),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
