/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/unit/analyzer/near.h"

#include <float.h>

#include "analyzer/kolmogorov_smirnov.h"
#include "common/array.h"

/* Full enumeration in R 4.2.2. */
static void test_small(void **state)
{
	const double b[] = {100, 100.4, 99.7, 100.1, 99.9, 103.5, 98.2};
	const double c[] = {101.1, 102.6, 100.8, 101.2, 101.0, 100.3};
	const double tied_b[] = {1, 2, 2, 3, 3, 3, 4};
	const double tied_c[] = {2, 3, 3, 4, 4, 5};
	struct kolmogorov_smirnov test = kolmogorov_smirnov_test(b, 7, c, 6);

	(void)state;
	assert_true(test.known && test.exact);
	assert_near(test.distance, 0.7142857142857143, 1e-15);
	assert_near(test.p, 0.038461538461538464, 1e-13);
	test = kolmogorov_smirnov_test(tied_b, 7, tied_c, 6);
	assert_near(test.distance, 0.3571428571428571, 1e-15);
	assert_near(test.p, 0.46386946386946387, 1e-13);
}

/* Without overlap p is twice one over the number of choices, however small. */
static void test_separation(void **state)
{
	double low[30];
	double high[30];
	struct kolmogorov_smirnov test;

	(void)state;
	for (int i = 0; i < 30; i++) {
		low[i] = i;
		high[i] = 1000 + i;
	}
	test = kolmogorov_smirnov_test(low, 30, high, 30);
	assert_near(test.distance, 1, 0);
	assert_near(test.p, 2 / 118264581564861424.0, 1e-12); /* 60 over 30 */
}

/* Reference: R 4.2.2, the two series written out. 1.36 is the table's 5% point, rounded. */
static void test_limit(void **state)
{
	(void)state;
	assert_near(kolmogorov_upper(0.3), 0.99999069419866549, 1e-14);
	assert_near(kolmogorov_upper(0.9), 0.39273070794065434, 1e-13);
	assert_near(kolmogorov_upper(1.36), 0.049485876755377876, 1e-13);
	assert_near(kolmogorov_upper(2), 0.00067092525577969533, 1e-13);
	assert_near(kolmogorov_upper(1 - 1e-12), kolmogorov_upper(1 + 1e-12), 1e-10);
	assert_near(kolmogorov_upper(0), 1, 0);
	assert_near(kolmogorov_upper(-1), 1, 0);
	assert_near(kolmogorov_upper(1e10), DBL_MIN, 0);
	assert_near(kolmogorov_upper(NAN), 1, 0);
}

static void test_many(void **state)
{
	static double base[2500];
	static double candidate[2500];
	struct kolmogorov_smirnov exact, limit;

	(void)state;
	for (int i = 0; i < 2500; i++) {
		base[i] = i;
		candidate[i] = i + 90.5;
	}
	exact = kolmogorov_smirnov_test(base, 1900, candidate, 1900);
	limit = kolmogorov_smirnov_test(base, 2500, candidate, 2500);
	assert_true(exact.exact && !limit.exact);
	assert_near(exact.p, kolmogorov_upper(exact.distance * sqrt(950)), 0.1);
	assert_near(limit.p, kolmogorov_upper(limit.distance * sqrt(1250)), 1e-12);
}

static void test_bad_input(void **state)
{
	const double odd[] = {1, INFINITY, 2};
	const double same[] = {3, 3, 3, 3};
	const double huge[] = {DBL_MAX, -DBL_MAX};

	(void)state;
	assert_false(kolmogorov_smirnov_test(NULL, 0, same, 4).known);
	assert_false(kolmogorov_smirnov_test(same, 4, NULL, 0).known);
	assert_false(kolmogorov_smirnov_test(odd, 3, same, 4).known);
	assert_near(kolmogorov_smirnov_test(odd, 3, same, 4).p, 1, 0);
	assert_near(kolmogorov_smirnov_test(same, 4, same, 2).p, 1, 0);
	assert_near(kolmogorov_smirnov_test(same, 1, huge, 1).p, 1, 0);
	assert_near(kolmogorov_smirnov_test(huge, 2, same, 4).distance, 0.5, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_small),	  cmocka_unit_test(test_separation),
		cmocka_unit_test(test_limit),	  cmocka_unit_test(test_many),
		cmocka_unit_test(test_bad_input),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
