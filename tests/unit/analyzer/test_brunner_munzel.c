/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/unit/analyzer/near.h"

#include <float.h>

#include "analyzer/brunner_munzel.h"
#include "common/array.h"

/* Full enumeration and formulas in R 4.2.2. */
static void test_small(void **state)
{
	const double b[] = {100, 100.4, 99.7, 100.1, 99.9, 103.5, 98.2};
	const double c[] = {101.1, 102.6, 100.8, 101.2, 101.0, 100.3};
	const double tied_b[] = {1, 2, 2, 3, 3, 3, 4};
	const double tied_c[] = {2, 3, 3, 4, 4, 5};
	struct brunner_munzel test = brunner_munzel_test(b, 7, c, 6, 0.05, 1);

	(void)state;
	assert_true(test.known && test.exact);
	assert_near(test.superior, 0.83333333333333337, 1e-14);
	assert_near(test.t, 2.3333333333333335, 1e-13);
	assert_near(test.df, 6.3415429783069657, 1e-13);
	assert_near(test.p_t, 0.056094268352806273, 1e-12);
	assert_near(test.superior_ci.low, 0.48828778069666934, 1e-12);
	assert_near(test.superior_ci.high, 1, 0);
	assert_near(test.p, 0.057109557109557112, 1e-13);
	assert_near(test.p_less, 0.97202797202797198, 1e-13);
	assert_near(test.p_greater, 0.028554778554778556, 1e-13);
	test = brunner_munzel_test(tied_b, 7, tied_c, 6, 0.05, 1);
	assert_near(test.t, 1.7029244456147221, 1e-13);
	assert_near(test.p_t, 0.11971728485596012, 1e-12);
	assert_near(test.p, 0.18648018648018649, 1e-13);
	assert_near(test.p_less, 0.9592074592074592, 1e-13);
	assert_near(test.p_greater, 0.093240093240093247, 1e-13);
}

/* The pain scores of Brunner & Munzel (2000), and what their paper's followers get for them. */
static void test_pain_scores(void **state)
{
	const double yes[] = {1, 2, 1, 1, 1, 1, 1, 1, 1, 1, 2, 4, 1, 1};
	const double no[] = {3, 3, 4, 3, 1, 2, 3, 1, 1, 5, 4};
	struct brunner_munzel test =
		brunner_munzel_test(yes, ARRAY_SIZE(yes), no, ARRAY_SIZE(no), 0.05, 3);

	(void)state;
	assert_near(test.t, 3.1374674823029505, 1e-12);
	assert_near(test.df, 17.682841979481545, 1e-12);
	assert_near(test.p_t, 0.0057862086661515377, 1e-11);
	assert_near(test.superior, 0.788961, 1e-6);
	assert_near(test.superior_ci.low, 0.5952169, 1e-6);
	assert_near(test.superior_ci.high, 0.9827052, 1e-6);
	/* 25 over 11 is too much to count. */
	assert_false(test.exact);
	assert_true(test.p_ci.known);
	assert_between(test.p, 0.002, 0.015);
}

static void test_large(void **state)
{
	double base[40];
	double candidate[50];
	struct brunner_munzel test;

	(void)state;
	for (int i = 0; i < 40; i++)
		base[i] = i * 17 % 41;
	for (int i = 0; i < 50; i++)
		candidate[i] = i * 19 % 53 - 4;
	test = brunner_munzel_test(base, 40, candidate, 50, 0.05, 1);
	assert_false(test.exact || test.p_ci.known);
	assert_near(test.p, test.p_t, 0);
	assert_near(test.p_less + test.p_greater, 1, 1e-12);
}

static void test_bad_input(void **state)
{
	const double odd[] = {1, NAN, 2};
	const double same[] = {3, 3, 3, 3};
	const double above[] = {4, 4, 4, 4};
	const double huge[] = {DBL_MAX, 1e308};
	struct brunner_munzel test;

	(void)state;
	assert_false(brunner_munzel_test(NULL, 0, same, 4, 0.05, 1).known);
	assert_false(brunner_munzel_test(same, 1, same, 4, 0.05, 1).known);
	assert_false(brunner_munzel_test(odd, 3, same, 4, 0.05, 1).known);
	assert_near(brunner_munzel_test(odd, 3, same, 4, 0.05, 1).p, 1, 0);
	assert_near(brunner_munzel_test(same, 4, same, 4, 0.05, 1).p, 1, 0);
	test = brunner_munzel_test(same, 4, above, 4, 0.05, 1);
	assert_near(test.p, 2 / 70.0, 1e-15);
	assert_near(test.superior, 1, 0);
	assert_false(test.superior_ci.known);
	assert_true(isfinite(test.t));
	assert_near(brunner_munzel_test(same, 2, huge, 2, 0.05, 1).p, 1 / 3.0, 1e-15);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_small),
		cmocka_unit_test(test_pain_scores),
		cmocka_unit_test(test_large),
		cmocka_unit_test(test_bad_input),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
