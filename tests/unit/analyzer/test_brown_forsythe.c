/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/unit/analyzer/near.h"

#include "analyzer/brown_forsythe.h"

static const double b[] = {100, 100.4, 99.7, 100.1, 99.9, 103.5, 98.2};
static const double c[] = {101.1, 102.6, 100.8, 101.2, 101.0, 100.3};

/* R 4.2.2: anova(lm()) of the distances from the medians */
static void test_spread(void **state)
{
	struct brown_forsythe test = brown_forsythe_test(b, 7, c, 6);

	(void)state;
	assert_true(test.known);
	assert_near(test.ratio, 0.52688172043010795, 1e-12);
	assert_near(test.f, 0.51931726215968388, 1e-12);
	assert_near(test.df, 11, 0);
	assert_near(test.p, 0.48616579203571741, 1e-12);
}

static void test_finds_a_wider_side(void **state)
{
	double narrow[30];
	double wide[30];
	struct brown_forsythe test;

	(void)state;
	for (int i = 0; i < 30; i++) {
		narrow[i] = 50 + i * 7 % 31 / 31.0;
		wide[i] = 50 + 10 * (i * 7 % 31 / 31.0);
	}
	test = brown_forsythe_test(narrow, 30, wide, 30);
	assert_near(test.ratio, 10, 1e-9);
	assert_between(test.p, 0, 1e-6);
}

static void test_bad_input(void **state)
{
	const double odd[] = {1, INFINITY, 2};
	const double same[] = {3, 3, 3, 3, 3};
	const double huge[] = {1e308, -1e308, 1.1e308, 0};

	(void)state;
	assert_false(brown_forsythe_test(NULL, 0, c, 6).known);
	assert_false(brown_forsythe_test(b, 2, c, 6).known);
	assert_false(brown_forsythe_test(odd, 3, c, 6).known);
	assert_false(brown_forsythe_test(same, 5, same, 5).known);
	assert_near(brown_forsythe_test(same, 5, same, 5).p, 1, 0);
	assert_true(brown_forsythe_test(same, 5, c, 6).known);
	assert_near(brown_forsythe_test(same, 5, c, 6).ratio, 0, 0);
	assert_true(brown_forsythe_test(huge, 4, c, 6).known);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_spread),
		cmocka_unit_test(test_finds_a_wider_side),
		cmocka_unit_test(test_bad_input),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
