/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The table of methods, and the rule that chooses among them. */
#include "tests/unit/analyzer/near.h"

#include <string.h>

#include <gsl/gsl_randist.h>
#include <gsl/gsl_rng.h>

#include "analyzer/brunner_munzel.h"
#include "analyzer/comparison_effects.h"
#include "analyzer/kolmogorov_smirnov.h"
#include "analyzer/paired.h"
#include "analyzer/permutation.h"
#include "analyzer/signed_rank.h"
#include "analyzer/yuen.h"
#include "tests/unit/analyzer/sides.h"

static const double base_12[] = {100.2, 99.8, 101, 100.6, 99.1, 100.9,
				 100.3, 99.9, 100, 101.4, 99.6, 100.7};
static const double slow_12[] = {110.1, 109.5, 111.3, 110.2, 109.4, 111,
				 110.6, 109.7, 110.2, 111.1, 109.9, 110.4};
static const double near_12[] = {100.4, 100.1, 101.2, 100.5, 99.6, 101.3,
				 100.4, 100.2, 100.5, 101.5, 99.8, 101};
static const uint32_t blocks_12[] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11};

static struct comparison_input interleaved(const double *base, const double *candidate, size_t n)
{
	struct comparison_input input = sides(base, n, candidate, n);

	input.base_block = blocks_12;
	input.candidate_block = blocks_12;
	return input;
}

static void test_rule(void **state)
{
	const uint32_t other[] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 12};
	const double ones[] = {1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1};
	struct comparison_input input = interleaved(base_12, slow_12, 12);
	struct comparison comparison = comparison_measure(&input);

	(void)state;
	assert_int_equal(comparison.method, METHOD_PAIRED);
	assert_int_equal(comparison.method_reason, METHOD_REASON_BLOCKS);
	assert_int_equal(comparison.blocks, 12);
	input.candidate_block = other;
	comparison = comparison_measure(&input);
	assert_int_equal(comparison.method, METHOD_WELCH);
	assert_int_equal(comparison.method_reason, METHOD_REASON_UNEQUAL_BLOCKS);
	assert_int_equal(comparison.blocks, 0);
	input.candidate_block = NULL;
	assert_int_equal(comparison_measure(&input).method_reason, METHOD_REASON_NOT_INTERLEAVED);
	input = interleaved(base_12, slow_12, COMPARISON_BLOCKS_MIN - 1);
	comparison = comparison_measure(&input);
	assert_int_equal(comparison.method, METHOD_WELCH);
	assert_int_equal(comparison.method_reason, METHOD_REASON_FEW_BLOCKS);
	input = interleaved(base_12, slow_12, COMPARISON_BLOCKS_MIN);
	assert_int_equal(comparison_measure(&input).method, METHOD_PAIRED);
	input = interleaved(ones, ones, 12);
	input.deterministic = true;
	comparison = comparison_measure(&input);
	assert_int_equal(comparison.method, METHOD_EXACT);
	assert_int_equal(comparison.method_reason, METHOD_REASON_DETERMINISTIC);
}

static void test_falls_back(void **state)
{
	const double ones[] = {1, 1, 1, 1};
	const double twos[] = {2, 2, 2, 2};
	const enum method unpaired[] = {METHOD_WELCH, METHOD_YUEN, METHOD_PERMUTATION};
	const struct {
		enum method asked;
		enum method used;
	} rows[] = {{METHOD_PAIRED, METHOD_WELCH},
		    {METHOD_SIGNED_RANK, METHOD_MANN_WHITNEY},
		    {METHOD_BLOCK_PERMUTATION, METHOD_PERMUTATION}};
	struct comparison_input input;
	struct comparison comparison;

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		input = SIDES(base_12, slow_12);
		input.method = rows[i].asked;
		comparison = comparison_measure(&input);
		assert_int_equal(comparison.method, rows[i].used);
		assert_int_equal(comparison.method_reason, METHOD_REASON_NO_PAIRS);
	}
	for (size_t i = 0; i < ARRAY_SIZE(unpaired); i++) {
		input = SIDES(ones, twos);
		input.method = unpaired[i];
		comparison = comparison_measure(&input);
		assert_int_equal(comparison.method, METHOD_MANN_WHITNEY);
		assert_int_equal(comparison.method_reason, METHOD_REASON_NO_VARIANCE);
		assert_near(comparison.p, 2 / 70.0, 1e-12);
	}
	input = SIDES(base_12, slow_12);
	input.method = METHOD_EXACT;
	assert_int_equal(comparison_measure(&input).method_reason, METHOD_REASON_VARIES);
	input.n_base = 1;
	assert_int_equal(comparison_measure(&input).method_reason, METHOD_REASON_NONE);
}

static double p_by(enum method method)
{
	struct comparison_input input = interleaved(base_12, near_12, 12);
	struct comparison comparison;

	input.method = method;
	comparison = comparison_measure(&input);
	assert_int_equal(comparison.method, method);
	assert_int_equal(comparison.method_reason, METHOD_REASON_REQUESTED);
	return comparison.p;
}

/* Each method's p is that of its own test. */
static void test_dispatch(void **state)
{
	double differences[12];

	(void)state;
	for (int i = 0; i < 12; i++)
		differences[i] = near_12[i] - base_12[i];
	assert_near(p_by(METHOD_PERMUTATION), permutation_test(base_12, 12, near_12, 12, 0).p,
		    1e-12);
	assert_near(p_by(METHOD_BRUNNER_MUNZEL),
		    brunner_munzel_test(base_12, 12, near_12, 12, 0.05, 0).p, 1e-12);
	assert_near(p_by(METHOD_KS), kolmogorov_smirnov_test(base_12, 12, near_12, 12).p, 1e-12);
	assert_near(p_by(METHOD_YUEN), yuen_test(base_12, 12, near_12, 12, 0.05).p, 1e-12);
	assert_near(p_by(METHOD_PAIRED), paired_test(base_12, near_12, 12, 0.05).p, 1e-12);
	assert_near(p_by(METHOD_SIGNED_RANK), signed_rank_test(base_12, near_12, 12).p, 1e-12);
	assert_near(p_by(METHOD_BLOCK_PERMUTATION), block_permutation_test(differences, 12, 0).p,
		    1e-12);
	/* Pairs see the small shift that the spread between blocks hides from the others. */
	assert_true(p_by(METHOD_PAIRED) < 0.001 && p_by(METHOD_WELCH) > 0.1);
}

static void test_every_verdict(void **state)
{
	(void)state;
	for (int method = METHOD_AUTO; method < METHOD_EXACT; method++) {
		struct comparison_input input = interleaved(base_12, slow_12, 12);
		struct comparison comparison;

		input.method = (enum method)method;
		comparison = compare(&input);
		assert_int_equal(comparison.verdict, VERDICT_REGRESSED);
		assert_between(comparison.ratio, 1.09, 1.11);
		assert_between(comparison.shift, 9.5, 10.5);
		assert_true(comparison.ratio_ci.known && comparison.shift_ci.known);
		assert_between(comparison.ratio, comparison.ratio_ci.low, comparison.ratio_ci.high);
		assert_true(comparison.detectable_frac > 0);
		input.better = BETTER_HIGHER;
		assert_int_equal(compare(&input).verdict, VERDICT_IMPROVED);
		input = interleaved(base_12, near_12, 12);
		input.method = (enum method)method;
		assert_int_equal(compare(&input).verdict, VERDICT_EQUIVALENT);
	}
}

/* A limit too narrow to settle: pairs need fewer boots when the blocks differ more than the sides.
 */
static void test_boots_needed(void **state)
{
	struct comparison_input input = interleaved(base_12, near_12, 12);
	size_t by_pairs;

	(void)state;
	input.limit_frac = 0.0018;
	input.method = METHOD_PAIRED;
	by_pairs = compare(&input).boots_needed;
	input.method = METHOD_WELCH;
	assert_in_range(by_pairs, 13, 2000);
	assert_true(compare(&input).boots_needed > 3 * by_pairs);
}

/* Boots of a side by turns first in their block; a drift of 0.05 sd a boot. */
static double false_alarms(size_t n, double drift, double between_blocks)
{
	enum { ROUNDS = 2000 };
	gsl_rng *random = gsl_rng_alloc(gsl_rng_mt19937);
	uint32_t blocks[20];
	int alarms = 0;

	gsl_rng_set(random, 11);
	for (int round = 0; round < ROUNDS; round++) {
		double base[20];
		double candidate[20];
		struct comparison_input input = sides(base, n, candidate, n);

		for (size_t i = 0; i < n; i++) {
			double block = 100 + gsl_ran_gaussian(random, between_blocks);
			double at = 2 * (double)i;
			double late = i % 2 ? 1 : 0;

			blocks[i] = (uint32_t)i;
			base[i] = block + gsl_ran_gaussian(random, 1) + drift * (at + late);
			candidate[i] =
				block + gsl_ran_gaussian(random, 1) + drift * (at + 1 - late);
		}
		input.base_block = blocks;
		input.candidate_block = blocks;
		alarms += comparison_measure(&input).p < 0.05;
	}
	gsl_rng_free(random);
	return alarms / (double)ROUNDS;
}

static void test_default_keeps_its_level(void **state)
{
	(void)state;
	assert_between(false_alarms(9, 0, 0), 0.025, 0.06);
	assert_between(false_alarms(10, 0, 0), 0.025, 0.06);
	assert_between(false_alarms(9, 0.05, 0), 0.025, 0.06);
	assert_between(false_alarms(20, 0.05, 0), 0.025, 0.06);
	assert_between(false_alarms(10, 0, 3), 0.025, 0.06);
}

static void test_names(void **state)
{
	(void)state;
	for (int i = METHOD_AUTO; i < METHOD_NONE; i++) {
		enum method method = METHOD_NONE;

		assert_true(method_parse(method_name((enum method)i), &method));
		assert_int_equal(method, i);
	}
	for (int i = METHOD_REASON_REQUESTED; i <= METHOD_REASON_NO_VARIANCE; i++)
		assert_true(strlen(method_reason_text((enum method_reason)i)) > 5);
	assert_string_equal(method_reason_text(METHOD_REASON_NONE), "");
}

static void test_effects(void **state)
{
	const double odd[] = {1, NAN};
	struct comparison_input input = SIDES(base_12, slow_12);
	struct comparison_effects effects = comparison_effects_of(&input);

	(void)state;
	assert_near(effects.cliff.delta, 1, 0);
	assert_between(effects.hedges.g, effects.hedges_ci.low, effects.hedges_ci.high);
	assert_between(effects.medians.value, effects.medians.interval.low,
		       effects.medians.interval.high);
	assert_between(effects.means.ratio, effects.means.interval.low,
		       effects.means.interval.high);
	assert_between(effects.quantiles[4].shift, 9.5, 10.5);
	assert_true(effects.spread.known && effects.spread.p > 0.05);
	input = SIDES(base_12, odd);
	effects = comparison_effects_of(&input);
	assert_false(effects.cliff.known || effects.medians.known || effects.means.known);
	assert_false(effects.quantiles[0].known || effects.hedges_ci.known);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_rule),	     cmocka_unit_test(test_falls_back),
		cmocka_unit_test(test_dispatch),     cmocka_unit_test(test_every_verdict),
		cmocka_unit_test(test_boots_needed), cmocka_unit_test(test_default_keeps_its_level),
		cmocka_unit_test(test_names),	     cmocka_unit_test(test_effects),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
