/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/unit/analyzer/near.h"

#include "analyzer/adjustment.h"
#include "analyzer/comparison.h"
#include "common/array.h"

static const double p[] = {0.01, 0.02, 0.03, 0.04, 0.05, 0.5, 0.02};

static void check(enum adjustment adjustment, const double *wanted)
{
	double q[ARRAY_SIZE(p)];

	adjustment_apply(adjustment, p, q, ARRAY_SIZE(p));
	for (size_t i = 0; i < ARRAY_SIZE(p); i++)
		assert_near(q[i], wanted[i], 1e-14);
}

/* R 4.2.2: p.adjust(p, "BH"), "BY", "holm" */
static void test_against_r(void **state)
{
	const double bh[] = {0.046666666666666669,
			     0.046666666666666669,
			     0.0525,
			     0.056,
			     0.058333333333333341,
			     0.5,
			     0.046666666666666669};
	const double by[] = {0.121, 0.121, 0.136125, 0.1452, 0.15125, 1, 0.121};
	const double holm[] = {0.07, 0.12, 0.12, 0.12, 0.12, 0.5, 0.12};

	(void)state;
	check(ADJUSTMENT_BH, bh);
	check(ADJUSTMENT_BY, by);
	check(ADJUSTMENT_HOLM, holm);
}

static void test_bad_input(void **state)
{
	const double odd[] = {NAN, -1, 2, 0.01};
	double q[4];

	(void)state;
	for (int i = ADJUSTMENT_BH; i <= ADJUSTMENT_HOLM; i++) {
		adjustment_apply((enum adjustment)i, NULL, NULL, 0);
		adjustment_apply((enum adjustment)i, odd, q, 4);
		assert_near(q[0], 1, 0);
		assert_near(q[1], 0, 0);
		assert_near(q[2], 1, 0);
		assert_between(q[3], 0.02, 0.05);
	}
}

static void test_names(void **state)
{
	enum adjustment adjustment = ADJUSTMENT_BH;

	(void)state;
	assert_true(adjustment_parse("holm", &adjustment));
	assert_int_equal(adjustment, ADJUSTMENT_HOLM);
	assert_true(adjustment_parse("by", &adjustment));
	assert_string_equal(adjustment_name(adjustment), "by");
	assert_false(adjustment_parse("BY", &adjustment));
}

static void test_comparisons(void **state)
{
	struct comparison items[3] = {
		{.p = 0.01, .p_known = true}, {.p = 0.9, .q = 0.7}, {.p = 0.02, .p_known = true}};

	(void)state;
	comparison_adjust_by(items, 3, ADJUSTMENT_HOLM);
	assert_near(items[0].q, 0.02, 1e-15);
	assert_near(items[1].q, 0.7, 0); /* has no p: left alone */
	assert_near(items[2].q, 0.02, 1e-15);
	comparison_adjust_by(items, 3, ADJUSTMENT_BY);
	assert_near(items[2].q, 0.03, 1e-15);
	comparison_adjust(items, 3);
	assert_near(items[2].q, 0.02, 1e-15);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_against_r),
		cmocka_unit_test(test_bad_input),
		cmocka_unit_test(test_names),
		cmocka_unit_test(test_comparisons),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
