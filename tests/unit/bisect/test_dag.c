/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/unit/bisect/unit.h"

#include "bisect/core/dag.h"
#include "tests/benchmark/bisect_simulation.h"

/* Ancestors by walking, without the closure. */
static void walk(const struct dag *dag, size_t commit, bool *seen)
{
	const uint32_t *parents;
	size_t count = dag_parents(dag, commit, &parents);

	if (seen[commit])
		return;
	seen[commit] = true;
	for (size_t p = 0; p < count; p++)
		walk(dag, parents[p], seen);
}

static void check_against_walk(const struct dag *dag)
{
	size_t count = dag_count(dag);
	size_t *weights = xcalloc(count, sizeof(*weights));
	uint64_t *even = xcalloc(dag_set_words(dag), sizeof(*even));

	for (size_t i = 0; i < count; i += 2)
		even[i / 64] |= UINT64_C(1) << i % 64;
	dag_weights(dag, weights);
	for (size_t commit = 0; commit < count; commit++) {
		bool *seen = xcalloc(count, sizeof(*seen));
		size_t weight = 0;
		size_t even_weight = 0;

		walk(dag, commit, seen);
		for (size_t i = 0; i < count; i++) {
			assert_int_equal(dag_is_ancestor(dag, i, commit), seen[i]);
			weight += seen[i];
			even_weight += seen[i] && i % 2 == 0;
		}
		assert_int_equal(weights[commit], weight);
		assert_int_equal(dag_count_ancestors(dag, commit, even), even_weight);
		free(seen);
	}
	free(weights);
	free(even);
}

static void test_random(void **state)
{
	(void)state;
	for (uint64_t seed = 1; seed <= 8; seed++) {
		_cleanup_(dag_release) struct dag dag = DAG_INIT;
		struct random random = {seed};

		random_dag(&dag, 40 + 31 * seed, 0.2, &random);
		assert_false(dag.linear);
		check_against_walk(&dag);
	}
}

/* A range too large for a closure answers the same by scans. */
static void test_open(void **state)
{
	(void)state;
	for (uint64_t seed = 1; seed <= 4; seed++) {
		_cleanup_(dag_release) struct dag dag = DAG_INIT;
		_cleanup_(dag_release) struct dag closed = DAG_INIT;
		struct random random = {seed};
		struct random again = {seed};
		size_t best = 0;
		size_t other = 1;

		dag.closure_max = 10;
		random_dag(&dag, 700, 0.2, &random);
		random_dag(&closed, 700, 0.2, &again);
		assert_true(dag_is_open(&dag));
		assert_false(dag_is_open(&closed));
		check_against_walk(&dag);
		assert_true(dag_split(&dag, NULL, &best));
		assert_true(dag_split(&closed, NULL, &other));
		assert_int_equal(best, other);
	}
}

static void test_ancestors_and_descendants(void **state)
{
	static const double merges[] = {0, 0.2, 0.2};

	(void)state;
	for (size_t kind = 0; kind < 3; kind++) {
		_cleanup_(dag_release) struct dag dag = DAG_INIT;
		struct random random = {3};
		uint64_t up[4];
		uint64_t down[4];

		dag.closure_max = kind == 2 ? 10 : DAG_CLOSURE_MAX;
		random_dag(&dag, 200, merges[kind], &random);
		assert_int_equal(dag_set_words(&dag), 4);
		for (size_t commit = 0; commit < 200; commit++) {
			dag_ancestors(&dag, commit, down);
			dag_descendants(&dag, commit, up);
			for (size_t i = 0; i < 200; i++) {
				assert_int_equal(dag_set_has(down, i),
						 dag_is_ancestor(&dag, i, commit));
				assert_int_equal(dag_set_has(up, i),
						 dag_is_ancestor(&dag, commit, i));
			}
		}
	}
}

static void test_linear(void **state)
{
	_cleanup_(dag_release) struct dag dag = DAG_INIT;
	struct random random = {1};
	size_t best;

	(void)state;
	random_dag(&dag, 129, 0, &random);
	assert_true(dag.linear);
	assert_null(dag.rows);
	check_against_walk(&dag);
	assert_true(dag_split(&dag, NULL, &best));
	assert_true(best == 63 || best == 64);
}

/* The last commit of a random range descends from all others, as `bad` does. */
static void test_random_has_one_tip(void **state)
{
	_cleanup_(dag_release) struct dag dag = DAG_INIT;
	struct random random = {7};
	size_t weights[500];
	size_t merges = 0;

	(void)state;
	random_dag(&dag, 500, 0.2, &random);
	dag_weights(&dag, weights);
	assert_int_equal(weights[499], 500);
	for (size_t i = 0; i < 500; i++) {
		const uint32_t *parents;

		merges += dag_parents(&dag, i, &parents) > 1;
	}
	assert_in_range(merges, 70, 130);
}

static void test_split_skips(void **state)
{
	_cleanup_(dag_release) struct dag dag = DAG_INIT;
	struct random random = {1};
	bool skipped[9] = {false, false, false, true, true, false, false, false, false};
	size_t best;

	(void)state;
	random_dag(&dag, 9, 0, &random);
	assert_true(dag_split(&dag, skipped, &best));
	assert_true(best == 2 || best == 5);
	for (size_t i = 0; i < 9; i++)
		skipped[i] = true;
	assert_false(dag_split(&dag, skipped, &best));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_random),
		cmocka_unit_test(test_open),
		cmocka_unit_test(test_ancestors_and_descendants),
		cmocka_unit_test(test_linear),
		cmocka_unit_test(test_random_has_one_tip),
		cmocka_unit_test(test_split_skips),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
