/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/unit/bisect/unit.h"

#include "bisect/core/choice.h"
#include "tests/benchmark/bisect_simulation.h"

/* Classes only save work: with evidence all over a random range, equal classes must mean equal
 * descendants among the measured, and the probabilities add up to one. */
static void test_classes_are_signatures(void **state)
{
	_cleanup_(dag_release) struct dag dag = DAG_INIT;
	_cleanup_(search_release) struct search search = {0};
	struct search_settings settings = SEARCH_VALUES;
	struct random random = {11};
	double sum;

	(void)state;
	random_dag(&dag, 120, 0.2, &random);
	search_init(&search, &dag, 2, &settings);
	for (size_t i = 0; i < 40; i++)
		search_add_value(&search, random_below(&random, 122), random_normal(&random));
	search_update(&search);
	sum = search.nothing.probability;
	for (size_t a = 0; a < 120; a++) {
		sum += search_probability(&search, a);
		for (size_t b = 0; b < a; b++) {
			bool same = true;

			array_for_each (site, &search.measured)
				same = same && search_is_slow(&search, a, *site) ==
						       search_is_slow(&search, b, *site);
			assert_int_equal(search.class_of[a] == search.class_of[b], same);
		}
	}
	assert_within(sum, 1, 1e-12);
}

/* The order in which evidence comes does not matter. */
static void test_order(void **state)
{
	_cleanup_(dag_release) struct dag dag = DAG_INIT;
	struct search_settings settings = SEARCH_VALUES;
	struct random random = {3};
	double values[30];
	double first[50];

	(void)state;
	settings.layout = 0.5;
	random_dag(&dag, 50, 0.2, &random);
	for (size_t i = 0; i < 30; i++)
		values[i] = 100 + random_normal(&random) + (i * 7 % 51 > 25 ? 2 : 0);
	for (int order = 0; order < 2; order++) {
		_cleanup_(search_release) struct search search = {0};

		search_init(&search, &dag, 1, &settings);
		for (size_t i = 0; i < 30; i++) {
			size_t at = order ? 29 - i : i;

			search_add_value(&search, at * 7 % 51, values[at]);
		}
		search_update(&search);
		for (size_t c = 0; c < 50; c++) {
			if (order)
				assert_within(search_probability(&search, c), first[c], 1e-9);
			first[c] = search_probability(&search, c);
		}
	}
}

/* A commit that builds the same as its parent is no candidate; others share what it had. */
static void test_exclude(void **state)
{
	_cleanup_(dag_release) struct dag dag = DAG_INIT;
	_cleanup_(search_release) struct search search = {0};
	struct search_settings settings = SEARCH_OUTCOMES;
	struct random random = {1};
	struct search_costs costs = SEARCH_COSTS_EVEN;
	struct search_step step;

	(void)state;
	random_dag(&dag, 4, 0, &random);
	search_init(&search, &dag, 1, &settings);
	search_add_outcome(&search, 3, true);
	search_add_outcome(&search, 0, false);
	search_exclude(&search, 2);
	search_update(&search);
	assert_within(search_probability(&search, 0), 0, 0);
	assert_within(search_probability(&search, 1), 0.5, 1e-12);
	assert_within(search_probability(&search, 2), 0, 0);
	assert_within(search_probability(&search, 3), 0.5, 1e-12);
	assert_int_equal(search_next(&search, &costs, &step), SEARCH_MEASURE);
	assert_true(step.site == 1 || step.site == 2);
	search_add_outcome(&search, step.site, false);
	search_update(&search);
	assert_int_equal(search_next(&search, &costs, &step), SEARCH_FOUND);
}

static void test_contradiction(void **state)
{
	_cleanup_(dag_release) struct dag dag = DAG_INIT;
	_cleanup_(search_release) struct search search = {0};
	struct search_settings settings = SEARCH_OUTCOMES;
	struct search_costs costs = SEARCH_COSTS_EVEN;
	struct search_step step;
	struct random random = {1};

	(void)state;
	random_dag(&dag, 8, 0, &random);
	search_init(&search, &dag, 1, &settings);
	search_add_outcome(&search, 3, true);
	search_add_outcome(&search, 3, false);
	search_update(&search);
	assert_int_equal(search_next(&search, &costs, &step), SEARCH_CONTRADICTION);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_classes_are_signatures),
		cmocka_unit_test(test_order),
		cmocka_unit_test(test_exclude),
		cmocka_unit_test(test_contradiction),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
