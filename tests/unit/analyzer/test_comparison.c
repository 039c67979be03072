/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The rules that lead to a verdict. */
#include "tests/unit/analyzer/near.h"

#include "tests/unit/analyzer/sides.h"

static const double base_5[] = {100, 100.4, 99.7, 100.1, 99.9};
static const double slow_5[] = {110.1, 110.6, 109.8, 110.2, 110.0};
static const double same_5[] = {100.6, 100.2, 99.9, 100.5, 100.1};
static const double tens[] = {10, 10, 10, 10, 10};
static const double elevens[] = {11, 11, 11, 11, 11};

static void check(const struct comparison_input *input, enum verdict verdict,
		  enum verdict_reason reason)
{
	struct comparison comparison = compare(input);

	assert_string_equal(verdict_name(comparison.verdict), verdict_name(verdict));
	assert_int_equal(comparison.reason, reason);
	assert_true((comparison.verdict == VERDICT_INCONCLUSIVE) || !comparison.boots_needed);
}

static void test_clear_change(void **state)
{
	struct comparison_input input = SIDES(base_5, slow_5);
	const enum method methods[] = {METHOD_AUTO, METHOD_WELCH, METHOD_MANN_WHITNEY};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(methods); i++) {
		input = SIDES(base_5, slow_5);
		input.method = methods[i];
		check(&input, VERDICT_REGRESSED, REASON_BEYOND_LIMIT);
		input.better = BETTER_HIGHER;
		check(&input, VERDICT_IMPROVED, REASON_BEYOND_LIMIT);
		input = SIDES(slow_5, base_5);
		input.method = methods[i];
		check(&input, VERDICT_IMPROVED, REASON_BEYOND_LIMIT);
		input.better = BETTER_HIGHER;
		check(&input, VERDICT_REGRESSED, REASON_BEYOND_LIMIT);
		input.limit_frac = 0;
		check(&input, VERDICT_REGRESSED, REASON_BEYOND_LIMIT);
		input = SIDES(base_5, same_5);
		input.method = methods[i];
		check(&input, VERDICT_EQUIVALENT, REASON_WITHIN_LIMIT);
	}
}

static void test_methods(void **state)
{
	struct comparison_input input = SIDES(base_5, slow_5);

	(void)state;
	assert_int_equal(comparison_measure(&input).method, METHOD_WELCH);
	input.deterministic = true;
	assert_int_equal(comparison_measure(&input).method, METHOD_WELCH);
	input.method = METHOD_EXACT;
	assert_int_equal(comparison_measure(&input).method, METHOD_WELCH);
	input = SIDES(tens, slow_5);
	assert_int_equal(comparison_measure(&input).method, METHOD_WELCH);
	input = SIDES(tens, elevens);
	assert_int_equal(comparison_measure(&input).method, METHOD_MANN_WHITNEY);
	input.method = METHOD_EXACT;
	assert_int_equal(comparison_measure(&input).method, METHOD_EXACT);
	input.method = METHOD_AUTO;
	input.deterministic = true;
	assert_int_equal(comparison_measure(&input).method, METHOD_EXACT);
	input.method = METHOD_WELCH;
	assert_int_equal(comparison_measure(&input).method, METHOD_MANN_WHITNEY);
	input.n_base = 1;
	assert_int_equal(comparison_measure(&input).method, METHOD_NONE);
}

static void test_few_boots(void **state)
{
	struct comparison_input input = SIDES(tens, elevens);
	struct comparison comparison;

	(void)state;
	input.n_base = 0;
	check(&input, VERDICT_INCONCLUSIVE, REASON_NO_SAMPLES);
	input.base = NULL;
	input.n_candidate = 0;
	check(&input, VERDICT_INCONCLUSIVE, REASON_NO_SAMPLES);
	input = SIDES(tens, elevens);
	input.n_candidate = 1;
	comparison = compare(&input);
	assert_int_equal(comparison.reason, REASON_ONE_BOOT);
	assert_int_equal(comparison.verdict, VERDICT_INCONCLUSIVE);
	assert_int_equal(comparison.boots_needed, 4);
	assert_false(comparison.p_known || comparison.ratio_ci.known || comparison.shift_ci.known);
	assert_near(comparison.ratio, 1.1, 1e-15);
	assert_near(comparison.shift, 1, 0);
	input.deterministic = true;
	comparison = compare(&input);
	assert_int_equal(comparison.reason, REASON_ONE_BOOT);
	assert_int_equal(comparison.boots_needed, 2);
}

/* One boot against a thousand, which rank methods alone would call enough. */
static void test_one_boot_against_many(void **state)
{
	double many[1000];
	const double one[] = {5000};
	struct comparison_input input = sides(many, 1000, one, 1);

	(void)state;
	for (int i = 0; i < 1000; i++)
		many[i] = 100 + i % 7;
	check(&input, VERDICT_INCONCLUSIVE, REASON_ONE_BOOT);
	input.method = METHOD_MANN_WHITNEY;
	check(&input, VERDICT_INCONCLUSIVE, REASON_ONE_BOOT);
}

static void test_exact(void **state)
{
	double base[] = {1000, 1000};
	double candidate[] = {1000, 1000};
	const struct {
		double base;
		double candidate;
		double limit_frac;
		enum verdict verdict;
		enum verdict_reason reason;
	} cases[] = {
		{1000, 1000, 0, VERDICT_EQUIVALENT, REASON_WITHIN_LIMIT},
		{1000, 1001, 0, VERDICT_REGRESSED, REASON_BEYOND_LIMIT},
		{1000, 999, 0, VERDICT_IMPROVED, REASON_BEYOND_LIMIT},
		{1000, 1020, 0.02, VERDICT_EQUIVALENT, REASON_WITHIN_LIMIT},
		{1000, 1021, 0.02, VERDICT_REGRESSED, REASON_BEYOND_LIMIT},
		{1000, 981, 0.02, VERDICT_EQUIVALENT, REASON_WITHIN_LIMIT},
		{1000, 980, 0.02, VERDICT_IMPROVED, REASON_BEYOND_LIMIT},
		/* Exactly the limit, though the quotient's last digit says beyond. */
		{23, 20, 0.15, VERDICT_EQUIVALENT, REASON_WITHIN_LIMIT},
		{51, 50, 0.02, VERDICT_EQUIVALENT, REASON_WITHIN_LIMIT},
		{0, 0, 0.02, VERDICT_EQUIVALENT, REASON_WITHIN_LIMIT},
		{0, 5, 0.02, VERDICT_INCONCLUSIVE, REASON_ZERO_BASE},
		{0, 5, 0, VERDICT_REGRESSED, REASON_BEYOND_LIMIT},
		{5, 0, 0, VERDICT_IMPROVED, REASON_BEYOND_LIMIT},
		{-10, -11, 0.02, VERDICT_IMPROVED, REASON_BEYOND_LIMIT},
		{-10, 11, 0, VERDICT_REGRESSED, REASON_BEYOND_LIMIT},
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		struct comparison_input input = SIDES(base, candidate);
		struct comparison comparison;

		base[0] = base[1] = cases[i].base;
		candidate[0] = candidate[1] = cases[i].candidate;
		input.deterministic = true;
		input.limit_frac = cases[i].limit_frac;
		check(&input, cases[i].verdict, cases[i].reason);
		comparison = compare(&input);
		assert_int_equal(comparison.method, METHOD_EXACT);
		assert_false(comparison.p_known);
		assert_true(comparison.ratio_ci.low == comparison.ratio);
		assert_true(comparison.ratio_ci.high == comparison.ratio);
	}
}

/* No variance where there could be some: ranks decide, and need four boots a side at 5%. */
static void test_constant_values(void **state)
{
	struct comparison_input input = SIDES(tens, elevens);
	struct comparison comparison = compare(&input);

	(void)state;
	assert_near(comparison.p, 2 / 252., 1e-14);
	assert_near(comparison.ratio, 1.1, 1e-14);
	check(&input, VERDICT_REGRESSED, REASON_BEYOND_LIMIT);
	input.n_base = input.n_candidate = 4;
	check(&input, VERDICT_REGRESSED, REASON_BEYOND_LIMIT);
	input.n_base = input.n_candidate = 3;
	comparison = compare(&input);
	assert_false(comparison.ratio_ci.known);
	assert_int_equal(comparison.reason, REASON_NOT_SIGNIFICANT);
	assert_int_equal(comparison.boots_needed, 4);
	input = SIDES(tens, tens);
	comparison = compare(&input);
	assert_near(comparison.p, 1, 0);
	assert_near(comparison.ratio, 1, 0);
	check(&input, VERDICT_EQUIVALENT, REASON_WITHIN_LIMIT);
	input.n_base = input.n_candidate = 3;
	comparison = compare(&input);
	assert_int_equal(comparison.reason, REASON_SPANS_LIMIT);
	assert_int_equal(comparison.boots_needed, 4);
	input.limit_frac = 0;
	check(&input, VERDICT_INCONCLUSIVE, REASON_NOT_SIGNIFICANT);
}

/* A significant change of 1.5% with a limit of 1.6%: neither beyond nor shown to be within. */
static void test_near_the_limit(void **state)
{
	const double near[] = {101.5, 101.9, 101.2, 101.6, 101.4};
	struct comparison_input input = SIDES(base_5, near);
	struct comparison comparison;

	(void)state;
	input.limit_frac = 0.016;
	comparison = compare(&input);
	assert_true(comparison.q < 0.05);
	assert_int_equal(comparison.reason, REASON_SPANS_LIMIT);
	assert_in_range(comparison.boots_needed, 6, 10000);
	input.limit_frac = 0.02;
	check(&input, VERDICT_EQUIVALENT, REASON_WITHIN_LIMIT);
	input.limit_frac = 0.005;
	check(&input, VERDICT_REGRESSED, REASON_BEYOND_LIMIT);
}

static void test_noise(void **state)
{
	const double noisy[] = {80, 130, 100, 140, 95};
	struct comparison_input input = SIDES(base_5, noisy);
	struct comparison_input ranks = input;
	struct comparison comparison = compare(&input);
	struct comparison by_ranks;

	(void)state;
	assert_int_equal(comparison.verdict, VERDICT_INCONCLUSIVE);
	assert_int_equal(comparison.reason, REASON_NOT_SIGNIFICANT);
	assert_in_range(comparison.boots_needed, 6, 100);
	assert_true(comparison.detectable_frac > 0.2);
	ranks.method = METHOD_MANN_WHITNEY;
	by_ranks = compare(&ranks);
	/* 3 / pi is the efficiency of ranks; it goes with variance, so its root with a change. */
	assert_near(by_ranks.detectable_frac, comparison.detectable_frac * 1.0233267, 1e-6);
	assert_int_equal(by_ranks.boots_needed, ceil((double)comparison.boots_needed / 0.9549297));
}

static void test_false_discovery_holds_back(void **state)
{
	const double other[] = {103, 104.6, 101, 105, 102};
	struct comparison_input input = SIDES(base_5, other);
	struct comparison items[20];

	(void)state;
	input.limit_frac = 0;
	for (size_t i = 0; i < 20; i++)
		items[i] = (struct comparison){.p = 0.9, .p_known = true};
	items[0] = comparison_measure(&input);
	assert_between(items[0].p, 0.0025, 0.05);
	comparison_decide(&items[0], &input);
	assert_int_equal(items[0].verdict, VERDICT_REGRESSED);
	comparison_adjust(items, 20);
	comparison_decide(&items[0], &input);
	assert_int_equal(items[0].verdict, VERDICT_INCONCLUSIVE);
	assert_int_equal(items[0].reason, REASON_NOT_SIGNIFICANT);
	/* Of twenty series it has to reach p < 0.05 / 20, for which one more boot is too little. */
	assert_in_range(items[0].boots_needed, 7, 20);
}

static void test_zero_base(void **state)
{
	const double around_zero[] = {-1, 1, 0.5, -0.5, 0};
	struct comparison_input input = SIDES(around_zero, slow_5);

	(void)state;
	check(&input, VERDICT_INCONCLUSIVE, REASON_ZERO_BASE);
	input.limit_frac = 0;
	check(&input, VERDICT_REGRESSED, REASON_BEYOND_LIMIT);
	input.method = METHOD_MANN_WHITNEY;
	check(&input, VERDICT_REGRESSED, REASON_BEYOND_LIMIT);
	input.better = BETTER_HIGHER;
	check(&input, VERDICT_IMPROVED, REASON_BEYOND_LIMIT);
}

static void test_negative_values(void **state)
{
	const double a[] = {-10, -10.1, -9.9, -10.05};
	const double b[] = {-12, -12.1, -11.9, -12.05};
	struct comparison_input input = SIDES(a, b);

	(void)state;
	check(&input, VERDICT_IMPROVED, REASON_BEYOND_LIMIT);
	assert_true(comparison_measure(&input).ratio > 1);
	input.method = METHOD_MANN_WHITNEY;
	check(&input, VERDICT_IMPROVED, REASON_BEYOND_LIMIT);
	input.better = BETTER_HIGHER;
	check(&input, VERDICT_REGRESSED, REASON_BEYOND_LIMIT);
}

/* An outlier drags the mean and its error; ranks still see every value higher. */
static void test_ranks_resist_an_outlier(void **state)
{
	const double outlier[] = {110.1, 110.6, 109.8, 410.2, 110.0};
	struct comparison_input input = SIDES(base_5, outlier);

	(void)state;
	check(&input, VERDICT_INCONCLUSIVE, REASON_NOT_SIGNIFICANT);
	input.method = METHOD_MANN_WHITNEY;
	check(&input, VERDICT_REGRESSED, REASON_BEYOND_LIMIT);
	assert_between(comparison_measure(&input).ratio, 1.09, 1.12);
}

static void test_names(void **state)
{
	enum method method = METHOD_NONE;

	(void)state;
	assert_true(method_parse("mann-whitney", &method));
	assert_int_equal(method, METHOD_MANN_WHITNEY);
	assert_true(method_parse("auto", &method));
	assert_int_equal(method, METHOD_AUTO);
	assert_false(method_parse("none", &method));
	assert_false(method_parse("Welch", &method));
	assert_false(method_parse("", &method));
	assert_int_equal(method, METHOD_AUTO);
	assert_string_equal(method_name(METHOD_EXACT), "exact");
	assert_string_equal(verdict_name(VERDICT_FAILED), "failed");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_clear_change),
		cmocka_unit_test(test_methods),
		cmocka_unit_test(test_few_boots),
		cmocka_unit_test(test_one_boot_against_many),
		cmocka_unit_test(test_exact),
		cmocka_unit_test(test_constant_values),
		cmocka_unit_test(test_near_the_limit),
		cmocka_unit_test(test_noise),
		cmocka_unit_test(test_false_discovery_holds_back),
		cmocka_unit_test(test_zero_base),
		cmocka_unit_test(test_negative_values),
		cmocka_unit_test(test_ranks_resist_an_outlier),
		cmocka_unit_test(test_names),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
