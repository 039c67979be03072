/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Benchmarks under voluntary and full preemption, three runs each, as posted to the kernel mailing
 * list in 2013 together with their ratios.
 */
#include "tests/unit/analyzer/near.h"

#include "tests/unit/analyzer/sides.h"

struct row {
	const char *name;
	enum better better;
	double voluntary[3];
	double preempt[3];
	int ratio_permille; /* as posted: cut off after three places */
	/* R 4.2.2: t.test(preempt, voluntary)$p.value, and p.adjust(all four, "BH") */
	double p;
	double q;
};

static const struct row rows[] = {
	{"vmark",
	 BETTER_HIGHER,
	 {169808, 155826, 154741},
	 {149354, 124016, 128436},
	 836,
	 5.744935837601354e-02,
	 0.059739484469679555},
	{"tbench",
	 BETTER_HIGHER,
	 {1027.96, 1028.76, 1044.60},
	 {929.06, 935.01, 928.64},
	 900,
	 9.401147458085428e-04,
	 0.003760458983234171},
	{"hackbench",
	 BETTER_LOWER,
	 {23.146, 23.124, 23.230},
	 {25.065, 24.633, 24.789},
	 1071,
	 0.00375149511647034,
	 0.007502990232940679},
	{"kbuild",
	 BETTER_LOWER,
	 {224.842, 222.975, 222.954},
	 {226.141, 225.835, 225.953},
	 1010,
	 0.05973948446967955,
	 0.059739484469679555},
};

static void compare_all(struct comparison items[4], double limit_frac)
{
	struct comparison_input inputs[4];

	for (size_t i = 0; i < 4; i++) {
		inputs[i] = SIDES(rows[i].voluntary, rows[i].preempt);
		inputs[i].better = rows[i].better;
		inputs[i].limit_frac = limit_frac;
		items[i] = comparison_measure(&inputs[i]);
	}
	comparison_adjust(items, 4);
	for (size_t i = 0; i < 4; i++)
		comparison_decide(&items[i], &inputs[i]);
}

static void test_numbers(void **state)
{
	struct comparison items[4];

	(void)state;
	compare_all(items, 0.02);
	for (size_t i = 0; i < 4; i++) {
		assert_int_equal((int)(items[i].ratio * 1000), rows[i].ratio_permille);
		assert_near(items[i].p, rows[i].p, 1e-10);
		assert_near(items[i].q, rows[i].q, 1e-10);
	}
	/* R 4.2.2: t.test(preempt, voluntary)$conf.int for tbench */
	assert_near(items[1].difference_ci.low, -1.232177234721456e+02, 1e-10);
	assert_near(items[1].difference_ci.high, -8.252227652785437e+01, 1e-10);
}

static void test_verdicts(void **state)
{
	struct comparison items[4];

	(void)state;
	compare_all(items, 0.02);
	assert_int_equal(items[0].verdict, VERDICT_INCONCLUSIVE);
	assert_int_equal(items[0].reason, REASON_NOT_SIGNIFICANT);
	assert_in_range(items[0].boots_needed, 4, 8);
	assert_int_equal(items[1].verdict, VERDICT_REGRESSED);
	assert_int_equal(items[2].verdict, VERDICT_REGRESSED);
	/* 1.1% slower: within 2%, not within 1%. */
	assert_int_equal(items[3].verdict, VERDICT_EQUIVALENT);
	compare_all(items, 0.01);
	assert_int_equal(items[3].verdict, VERDICT_INCONCLUSIVE);
	assert_int_equal(items[3].reason, REASON_NOT_SIGNIFICANT);
	compare_all(items, 0);
	assert_int_equal(items[0].verdict, VERDICT_INCONCLUSIVE);
	assert_int_equal(items[1].verdict, VERDICT_REGRESSED);
	assert_int_equal(items[2].verdict, VERDICT_REGRESSED);
	assert_int_equal(items[3].verdict, VERDICT_INCONCLUSIVE);
	compare_all(items, 0.2);
	assert_int_equal(items[1].verdict, VERDICT_EQUIVALENT);
	assert_int_equal(items[2].verdict, VERDICT_EQUIVALENT);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_numbers),
		cmocka_unit_test(test_verdicts),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
