/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Pairs by block, and the paired t test. */
#include "tests/unit/analyzer/near.h"

#include <float.h>

#include "analyzer/blocks.h"
#include "analyzer/paired.h"

/* Student's sleep data (1908) plus 10, so that a ratio makes sense. */
static const double sleep_1[] = {10.7, 8.4, 9.8, 8.8, 9.9, 13.4, 13.7, 10.8, 10.0, 12.0};
static const double sleep_2[] = {11.9, 10.8, 11.1, 10.1, 9.9, 14.4, 15.5, 11.6, 14.6, 13.4};

/* R 4.2.2: t.test(paired = TRUE); the ratio's ends where t.test(c - r b) has p = 0.05 */
static void test_sleep(void **state)
{
	struct paired test = paired_test(sleep_1, sleep_2, 10, 0.05);
	struct ratio ratio = paired_ratio(sleep_1, sleep_2, 10, 0.05);

	(void)state;
	assert_near(test.difference, 1.58, 1e-12);
	assert_near(test.t, 4.0621276833820357, 1e-11);
	assert_near(test.df, 9, 0);
	assert_near(test.p, 0.0028328901973842732, 1e-10);
	assert_near(test.interval.low, 0.70011423672301731, 1e-11);
	assert_near(test.interval.high, 2.4598857632769824, 1e-11);
	assert_near(ratio.value, 1.1469767441860466, 1e-13);
	assert_near(ratio.interval.low, 1.0635799728186641, 1e-12);
	assert_near(ratio.interval.high, 1.237763815271621, 1e-12);
	assert_near(paired_equivalence(sleep_1, sleep_2, 10, 0.02), 0.9965939380751675, 1e-11);
}

/* The interval leaves out 1 exactly when p is below alpha. */
static void test_interval_agrees_with_p(void **state)
{
	struct paired test = paired_test(sleep_1, sleep_2, 10, 0.05);

	(void)state;
	assert_near(paired_ratio(sleep_1, sleep_2, 10, test.p).interval.low, 1, 1e-12);
	/* And an equivalence p of 5% goes with an end of the 90% interval on the limit. */
	{
		double high = paired_ratio(sleep_1, sleep_2, 10, 0.1).interval.high;

		assert_near(paired_equivalence(sleep_1, sleep_2, 10, high - 1), 0.05, 1e-10);
	}
}

static void test_negative(void **state)
{
	double b[10];
	double c[10];
	struct ratio ratio;

	(void)state;
	for (int i = 0; i < 10; i++) {
		b[i] = -sleep_1[i];
		c[i] = -sleep_2[i];
	}
	ratio = paired_ratio(b, c, 10, 0.05);
	assert_near(ratio.interval.low, 1.0635799728186641, 1e-12);
	assert_near(paired_equivalence(b, c, 10, 0.02), 0.9965939380751675, 1e-11);
}

static void test_bad_input(void **state)
{
	const double odd[] = {1, NAN, 2};
	const double one[] = {1, 1, 1};
	const double huge[] = {DBL_MAX, 1e308, 1.5e308};
	const double low[] = {-DBL_MAX, -1e308, -1.2e308};
	struct paired test;

	(void)state;
	assert_false(paired_test(NULL, NULL, 0, 0.05).known);
	assert_false(paired_test(one, odd, 1, 0.05).known);
	assert_false(paired_test(one, odd, 3, 0.05).known);
	assert_false(paired_test(one, one, 3, 0.05).known);
	assert_near(paired_test(one, one, 3, 0.05).p, 1, 0);
	test = paired_test(low, huge, 3, 0.05);
	assert_true(test.known && isfinite(test.interval.low) && isfinite(test.difference));
	assert_false(paired_ratio(low, huge, 3, 0.05).known);
	assert_false(paired_ratio(NULL, NULL, 0, 0.05).known);
	assert_false(paired_ratio(one, one, 3, 0.05).interval.known);
	assert_near(paired_equivalence(one, odd, 3, 0.02), 1, 0);
	assert_near(paired_equivalence(sleep_1, sleep_2, 10, 0), 1, 0);
}

static void test_blocks(void **state)
{
	const double base[] = {1, 2, 3, 4, 5};
	const uint32_t base_block[] = {7, 0, 7, 2, 9};
	const double candidate[] = {10, 20, 30};
	const uint32_t candidate_block[] = {2, 7, 0};
	const uint32_t matching[] = {0, 0, 2, 7, 7};
	struct block_pairs pairs;

	(void)state;
	block_pairs_init(&pairs, base, base_block, 5, candidate, candidate_block, 3);
	assert_int_equal(pairs.n, 3);
	assert_false(pairs.same_blocks); /* block 9 has no candidate */
	assert_near(pairs.base[0], 2, 0);
	assert_near(pairs.base[1], 4, 0);
	assert_near(pairs.base[2], 2, 0); /* the mean of 1 and 3 */
	assert_near(pairs.candidate[0], 30, 0);
	assert_near(pairs.candidate[1], 10, 0);
	assert_near(pairs.candidate[2], 20, 0);
	block_pairs_release(&pairs);
	block_pairs_init(&pairs, base, matching, 5, candidate, candidate_block, 3);
	assert_true(pairs.same_blocks);
	assert_near(pairs.base[0], 1.5, 0);
	block_pairs_release(&pairs);
	block_pairs_init(&pairs, base, NULL, 5, candidate, candidate_block, 3);
	assert_true(pairs.n == 0 && !pairs.base);
	block_pairs_release(&pairs);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_sleep),	 cmocka_unit_test(test_interval_agrees_with_p),
		cmocka_unit_test(test_negative), cmocka_unit_test(test_bad_input),
		cmocka_unit_test(test_blocks),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
