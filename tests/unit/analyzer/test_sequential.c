/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/unit/analyzer/near.h"

#include <gsl/gsl_cdf.h>
#include <gsl/gsl_randist.h>
#include <gsl/gsl_rng.h>

#include "analyzer/moments.h"
#include "analyzer/sequential.h"
#include "analyzer/welch.h"
#include "common/array.h"

static void check_bounds(double alpha, enum sequential_spending spending, const double *bounds,
			 size_t looks)
{
	struct sequential state = sequential_start(alpha, looks, spending, SEQUENTIAL_UNPAIRED);

	for (size_t look = 0; look < looks; look++) {
		state = sequential_look(state, look + 1);
		assert_near(gsl_cdf_ugaussian_Qinv(state.level / 2), bounds[look], 2e-7);
	}
	assert_near(state.spent, alpha, 1e-12);
}

/*
 * Five looks at 5%: R 4.2.2, the recursion by Simpson's rule on 1201 points and uniroot(); they
 * round to the bounds of Reboussin et al. (2000): 4.877 3.357 2.680 2.290 2.031. Four at 10%: to
 * the one-sided ones at 5% of SeqBounds.jl (github.com/PharmCat/SeqBounds.jl): 3.74955 2.53993
 * 2.01604 1.72014.
 */
static void test_bounds(void **state)
{
	const double obrien_fleming[] = {4.8768849488, 3.3570119216, 2.6802800645, 2.2898167677,
					 2.0310320433};
	const double pocock[] = {2.4379766880, 2.4268138582, 2.4101938403, 2.3966454007,
				 2.3859845716};
	const double at_ten[] = {3.7495518372, 2.5399425731, 2.0160698512, 1.7201770446};

	(void)state;
	check_bounds(0.05, SEQUENTIAL_OBRIEN_FLEMING, obrien_fleming, 5);
	check_bounds(0.05, SEQUENTIAL_POCOCK, pocock, 5);
	check_bounds(0.1, SEQUENTIAL_OBRIEN_FLEMING, at_ten, 4);
}

/* Many looks that do not start at the first block; R as above. */
static void test_many_looks(void **state)
{
	struct sequential pocock =
		sequential_start(0.05, 40, SEQUENTIAL_POCOCK, SEQUENTIAL_UNPAIRED);
	struct sequential fleming =
		sequential_start(0.05, 40, SEQUENTIAL_OBRIEN_FLEMING, SEQUENTIAL_UNPAIRED);
	double z[41] = {0};
	double y[41] = {0};

	(void)state;
	for (size_t blocks = 3; blocks <= 40; blocks++) {
		pocock = sequential_look(pocock, blocks);
		z[blocks] = gsl_cdf_ugaussian_Qinv(pocock.level / 2);
		if (blocks >= 6)
			fleming = sequential_look(fleming, blocks);
		if (blocks >= 6)
			y[blocks] = gsl_cdf_ugaussian_Qinv(fleming.level / 2);
	}
	assert_near(z[3], 2.7444679640, 1e-7);
	assert_near(z[4], 2.8971992473, 1e-7);
	assert_near(z[12], 2.7648394024, 1e-7);
	assert_near(z[40], 2.5703725139, 1e-7);
	assert_near(y[6], 5.6696696017, 1e-6);
	assert_near(y[7], 5.2367886908, 1e-6);
	assert_near(y[15], 3.5402008829, 1e-7);
	assert_near(y[40], 2.1550475378, 1e-7);
}

static void test_one_look(void **state)
{
	struct sequential sequential =
		sequential_start(0.05, 12, SEQUENTIAL_OBRIEN_FLEMING, SEQUENTIAL_UNPAIRED);

	(void)state;
	assert_near(sequential_look(sequential, 12).level, 0.05, 1e-9);
	/* The state is a value: the first look is still to come. */
	assert_int_equal(sequential.blocks, 0);
}

/* Paired tests have less to spend. */
static void test_paired(void **state)
{
	struct sequential paired = sequential_start(0.06, 5, SEQUENTIAL_POCOCK, SEQUENTIAL_PAIRED);
	struct sequential unpaired =
		sequential_start(0.05, 5, SEQUENTIAL_POCOCK, SEQUENTIAL_UNPAIRED);

	(void)state;
	assert_true(paired.alpha == 0.06);
	assert_near(paired.spendable, 0.05, 1e-15);
	assert_near(sequential_look(paired, 2).level, sequential_look(unpaired, 2).level, 1e-12);
}

static void test_out_of_order(void **state)
{
	struct sequential sequential =
		sequential_start(0.05, 10, SEQUENTIAL_POCOCK, SEQUENTIAL_UNPAIRED);
	struct sequential again;

	(void)state;
	assert_true(sequential_look(sequential, 0).level == 0);
	sequential = sequential_look(sequential, 5);
	assert_true(sequential.level > 0);
	again = sequential_look(sequential, 5);
	assert_true(again.level == 0 && again.blocks == 5);
	assert_true(again.spent == sequential.spent);
	assert_true(sequential_look(sequential, 4).level == 0);
	assert_true(sequential_look(sequential, 11).level == 0);
	/* A skipped look costs nothing: all of alpha is there at the end. */
	assert_near(sequential_look(sequential, 10).spent, 0.05, 1e-15);
}

static void test_bad_input(void **state)
{
	struct sequential sequential =
		sequential_start(NAN, 0, SEQUENTIAL_POCOCK, SEQUENTIAL_UNPAIRED);

	(void)state;
	assert_true(sequential.alpha == 0.05 && sequential.blocks_max == 1);
	assert_near(sequential_look(sequential, 1).level, 0.05, 1e-9);
	assert_true(sequential_spent(SEQUENTIAL_POCOCK, 0.05, NAN) == 0);
	assert_true(sequential_spent(SEQUENTIAL_POCOCK, 0.05, -1) == 0);
	assert_true(sequential_spent(SEQUENTIAL_OBRIEN_FLEMING, 0.05, 2) == 0.05);
}

#define FIRST 3
#define LAST  20

/* Share of collections that are stopped by a Welch test below the look's level. */
static double stopped_frac(enum sequential_spending spending, double shift, int rounds)
{
	struct sequential state = sequential_start(0.05, LAST, spending, SEQUENTIAL_UNPAIRED);
	gsl_rng *random = gsl_rng_alloc(gsl_rng_mt19937);
	double levels[LAST + 1] = {0};
	int stopped = 0;

	for (size_t n = FIRST; n <= LAST; n++) {
		state = sequential_look(state, n);
		levels[n] = state.level;
	}
	gsl_rng_set(random, 31);
	for (int round = 0; round < rounds; round++) {
		double base[LAST], candidate[LAST];
		bool stop = false;

		for (size_t n = 1; n <= LAST && !stop; n++) {
			struct moments a, b;

			base[n - 1] = gsl_ran_ugaussian(random);
			candidate[n - 1] = shift + gsl_ran_ugaussian(random);
			a = moments_of(base, n);
			b = moments_of(candidate, n);
			stop = n >= FIRST && welch_test(&a, &b, 0.05).p < levels[n];
		}
		stopped += stop;
	}
	gsl_rng_free(random);
	return stopped / (double)rounds;
}

static void test_false_alarms(void **state)
{
	(void)state;
	assert_between(stopped_frac(SEQUENTIAL_OBRIEN_FLEMING, 0, 2000), 0.03, 0.06);
	assert_between(stopped_frac(SEQUENTIAL_POCOCK, 0, 2000), 0.025, 0.06);
	/* A fixed test of 20 against 20 finds one standard deviation with 87%. */
	assert_between(stopped_frac(SEQUENTIAL_OBRIEN_FLEMING, 1, 2000), 0.82, 0.9);
	assert_between(stopped_frac(SEQUENTIAL_POCOCK, 1, 2000), 0.7, 0.87);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_bounds),	     cmocka_unit_test(test_many_looks),
		cmocka_unit_test(test_one_look),     cmocka_unit_test(test_out_of_order),
		cmocka_unit_test(test_paired),	     cmocka_unit_test(test_bad_input),
		cmocka_unit_test(test_false_alarms),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
