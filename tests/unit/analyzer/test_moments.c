/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Mean and standard deviation against the certified values of NIST's Statistical Reference Data. */
#include "tests/unit/analyzer/near.h"

#include <float.h>

#include "analyzer/moments.h"
#include "common/array.h"
#include "tests/unit/analyzer/nist.h"

struct certified {
	const char *name;
	double mean;
	double sd;
	/*
	 * Digits of sd that the data allow: a decimal such as 10000000.1 is no double, and the
	 * rounding of the data alone moves the last two sets by this much.
	 */
	double sd_tolerance;
};

static const struct certified certified[] = {
	{"NumAcc1", 10000002, 1, 1e-15},
	{"NumAcc2", 1.2, 0.1, 1e-14},
	{"NumAcc3", 1000000.2, 0.1, 1e-9},
	{"NumAcc4", 10000000.2, 0.1, 1e-7},
	{"Michelso", 299.8524, 0.0790105478190518, 1e-13},
	{"Lottery", 518.958715596330, 291.699727470969, 2e-15},
	{"Lew", -177.435, 277.332168044316, 2e-15},
	{"Mavro", 2.001856, 0.000429123454003053, 1e-12},
};

static void test_nist_files(void **state)
{
	double values[2000];

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(certified); i++) {
		size_t n = nist_read(certified[i].name, values, ARRAY_SIZE(values));
		struct moments moments = moments_of(values, n);

		if (!n) {
			print_message("no NIST files in %s\n", SHARED_DATA);
			skip();
		}
		assert_in_range(n, 3, 1999);
		assert_near(moments.mean, certified[i].mean, 1e-14);
		assert_near(moments.sd, certified[i].sd, certified[i].sd_tolerance);
	}
}

/* NumAcc3 and NumAcc4 by their definition: 1001 values, .2 first, then .1 and .3 in turn. */
static void check_alternating(double base, double sd_tolerance)
{
	double values[1001];
	struct moments moments;
	long double sum = 0;
	long double squares = 0;

	for (size_t i = 0; i < 1001; i++)
		values[i] = i == 0 ? base + 0.2 : i % 2 ? base + 0.1 : base + 0.3;
	moments = moments_of(values, 1001);
	assert_near(moments.mean, base + 0.2, 1e-15);
	assert_near(moments.sd, 0.1, sd_tolerance);
	/* Against the values as they are stored, in wider arithmetic on exact differences. */
	for (size_t i = 0; i < 1001; i++)
		sum += (long double)values[i] - base;
	for (size_t i = 0; i < 1001; i++) {
		long double deviation = (long double)values[i] - base - sum / 1001;

		squares += deviation * deviation;
	}
	assert_near(moments.sd, (double)sqrtl(squares / 1000), 1e-14);
}

static void test_generated(void **state)
{
	(void)state;
	check_alternating(1000000, 1e-9);
	check_alternating(10000000, 1e-7);
}

static void test_equal_values_have_no_deviation(void **state)
{
	double values[49];

	(void)state;
	for (size_t n = 1; n <= 49; n++) {
		struct moments moments;

		for (size_t i = 0; i < n; i++)
			values[i] = 0.1 + 1e5 / 3;
		moments = moments_of(values, n);
		assert_true(moments.mean == values[0]);
		assert_true(moments.sd == 0);
	}
}

/* The mean falls between two doubles; the deviations from the rounded one are corrected. */
static void test_neighbours(void **state)
{
	const double neighbours[] = {1, 1 + DBL_EPSILON};

	(void)state;
	assert_near(moments_of(neighbours, 2).sd, DBL_EPSILON / sqrt(2), 1e-15);
}

static void test_extremes(void **state)
{
	const double huge[] = {1e308, 1.2e308, 1.4e308};
	const double opposed[] = {-DBL_MAX, DBL_MAX};
	const double tiny[] = {1e-310, 3e-310};
	struct moments moments = moments_of(huge, 3);

	(void)state;
	assert_near(moments.mean, 1.2e308, 1e-15);
	assert_near(moments.sd, 2e307, 1e-14);
	moments = moments_of(opposed, 2);
	assert_true(moments.mean == 0);
	assert_true(moments.sd == DBL_MAX);
	moments = moments_of(tiny, 2);
	assert_near(moments.mean, 2e-310, 1e-12);
	assert_near(moments.sd, sqrt(2) * 1e-310, 1e-12);
	moments = moments_of(tiny, 0);
	assert_true(moments.mean == 0 && moments.sd == 0 && moments.n == 0);
	assert_true(moments_of(huge, 1).sd == 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_nist_files),
		cmocka_unit_test(test_generated),
		cmocka_unit_test(test_equal_values_have_no_deviation),
		cmocka_unit_test(test_neighbours),
		cmocka_unit_test(test_extremes),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
