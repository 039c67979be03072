/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How often the verdicts are wrong, over seeded random comparisons of five boots with five. */
#include "tests/unit/analyzer/near.h"

#include <gsl/gsl_randist.h>
#include <gsl/gsl_rng.h>

#include "tests/unit/analyzer/sides.h"

#define ROUNDS 2000

struct tally {
	int significant;
	int regressed;
	int improved;
	int equivalent;
};

static struct tally simulate(double shift, double sd, double limit_frac)
{
	gsl_rng *random = gsl_rng_alloc(gsl_rng_mt19937);
	struct tally tally = {0};

	gsl_rng_set(random, 99);
	for (int round = 0; round < ROUNDS; round++) {
		double base[5];
		double candidate[5];
		struct comparison_input input = SIDES(base, candidate);
		struct comparison comparison;

		for (int i = 0; i < 5; i++) {
			base[i] = 100 + gsl_ran_gaussian(random, sd);
			candidate[i] = 100 + shift + gsl_ran_gaussian(random, sd);
		}
		input.limit_frac = limit_frac;
		comparison = compare(&input);
		tally.significant += comparison.p < 0.05;
		tally.regressed += comparison.verdict == VERDICT_REGRESSED;
		tally.improved += comparison.verdict == VERDICT_IMPROVED;
		tally.equivalent += comparison.verdict == VERDICT_EQUIVALENT;
	}
	gsl_rng_free(random);
	return tally;
}

static void test_no_change(void **state)
{
	struct tally tally = simulate(0, 3, 0);

	(void)state;
	assert_between(tally.significant / (double)ROUNDS, 0.02, 0.065);
	/* Without a limit the verdict is the test's, and both directions are as likely. */
	assert_int_equal(tally.regressed + tally.improved, tally.significant);
	assert_between(tally.regressed / (double)ROUNDS, 0.01, 0.04);
	assert_between(tally.improved / (double)ROUNDS, 0.01, 0.04);
}

/* A true change of exactly the limit is called beyond in 2.5%, within in 5% at most. */
static void test_change_at_the_limit(void **state)
{
	struct tally tally = simulate(2, 0.5, 0.02);

	(void)state;
	assert_between(tally.regressed / (double)ROUNDS, 0.01, 0.04);
	assert_between(tally.equivalent / (double)ROUNDS, 0.02, 0.065);
	assert_int_equal(tally.improved, 0);
}

/* The change that is said to be found with 80% power is found about so often. */
static void test_power(void **state)
{
	struct tally tally = simulate(2.0244379394941245, 1, 0);

	(void)state;
	assert_between(tally.significant / (double)ROUNDS, 0.76, 0.83);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_no_change),
		cmocka_unit_test(test_change_at_the_limit),
		cmocka_unit_test(test_power),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
