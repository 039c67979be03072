/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The simulation benchmark with few replicates; docs/bisect.md has the full table. Seeds are fixed,
 * so the bounds hold always or never.
 */
#include "tests/unit/bisect/unit.h"

#include "tests/benchmark/bisect_simulation.h"

static void test_even_costs(void **state)
{
	struct simulation large = {.commits = 256, .shift = 4, .replicates = 60, .seed = 1};
	struct simulation small = {.commits = 256, .shift = 2, .replicates = 40, .seed = 2};
	struct simulation_result result = simulate(&large);

	(void)state;
	assert_true(result.right >= 59);
	assert_true(result.values < 1.2 * 18);
	result = simulate(&small);
	assert_true(result.right >= 39);
	assert_true(result.values < 1.2 * 40);
}

static void test_moves_cost(void **state)
{
	struct simulation simulation = {
		.commits = 256, .shift = 4, .move_cost = 10, .replicates = 40, .seed = 3};
	struct simulation_result result = simulate(&simulation);

	(void)state;
	assert_true(result.right >= 39);
	assert_true(result.cost < 1.2 * 123);
}

static void test_merges(void **state)
{
	struct simulation simulation = {
		.commits = 256, .merges = 0.2, .shift = 3, .replicates = 20, .seed = 4};
	struct simulation_result result = simulate(&simulation);

	(void)state;
	assert_true(result.right >= 19);
	assert_true(result.values < 50);
}

static void test_null(void **state)
{
	struct simulation simulation = {.commits = 256, .shift = 0, .replicates = 10, .seed = 5};
	struct simulation_result result = simulate(&simulation);

	(void)state;
	assert_int_equal(result.refused, 10);
}

/* Plain bisection with a test per step is wrong too often: the reason for all of this. */
static void test_classic(void **state)
{
	struct simulation simulation = {
		.commits = 256, .shift = 2, .classic = 5, .replicates = 200, .seed = 6};
	struct simulation_result result = simulate(&simulation);

	(void)state;
	assert_int_equal(result.right + result.wrong, 200);
	assert_true(result.wrong > 60);
	assert_within(result.values, 50, 0);
}

/* Instruction counts, a few commits of which cannot be built. */
static void test_exact(void **state)
{
	struct simulation simulation = {.commits = 24,
					.merges = 0.2,
					.shift = 8,
					.layout = 0.2,
					.exact = true,
					.broken = 0.1,
					.replicates = 100,
					.seed = 7};
	struct simulation_result result = simulate(&simulation);

	(void)state;
	assert_int_equal(result.wrong, 0);
	assert_int_equal(result.held, 100);
	assert_true(result.distinct < 8);
}

static void test_flaky(void **state)
{
	struct simulation simulation = {.commits = 128,
					.fails_fast = 0.02,
					.fails_slow = 0.9,
					.flaky = true,
					.replicates = 20,
					.seed = 8};
	struct simulation_result known = simulate(&simulation);
	struct simulation_result unknown;

	(void)state;
	assert_true(known.right >= 19);
	assert_true(known.values < 50);
	simulation.flaky = false;
	unknown = simulate(&simulation);
	assert_true(unknown.wrong > known.wrong + 3);
}

static void test_two_changes(void **state)
{
	struct simulation simulation = {.commits = 128,
					.shift = 4,
					.second_shift = 4,
					.steps = 2,
					.replicates = 6,
					.seed = 9};
	struct simulation_result result = simulate(&simulation);

	(void)state;
	assert_int_equal(result.right, 6);
	assert_true(result.values < 60);
	/* Slow, then mended: bad is as fast as good. */
	simulation.second_shift = -4;
	result = simulate(&simulation);
	assert_int_equal(result.right, 6);
	assert_true(result.values < 80);
	/* Only one of them is there. */
	simulation.second_shift = 0;
	result = simulate(&simulation);
	assert_true(result.held >= 5);
	assert_int_equal(result.wrong, 0);
}

static void test_outliers(void **state)
{
	struct simulation simulation = {.commits = 256,
					.shift = 4,
					.outlier_rate = 0.02,
					.outlier = 10,
					.replicates = 30,
					.seed = 10};
	struct simulation_result result = simulate(&simulation);

	(void)state;
	assert_true(result.right >= 29);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_even_costs), cmocka_unit_test(test_moves_cost),
		cmocka_unit_test(test_merges),	   cmocka_unit_test(test_null),
		cmocka_unit_test(test_classic),	   cmocka_unit_test(test_exact),
		cmocka_unit_test(test_flaky),	   cmocka_unit_test(test_two_changes),
		cmocka_unit_test(test_outliers),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
