/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/unit/bisect/unit.h"

#include "bisect/core/choice.h"
#include "tests/benchmark/bisect_simulation.h"

/* A linear search with values at the endpoints, three each and far apart. */
struct fixture {
	struct dag dag;
	struct search search;
	struct search_costs costs;
	struct search_step step;
};

static void fixture_init(struct fixture *fixture, size_t commits,
			 const struct search_settings *settings)
{
	struct random random = {1};

	*fixture = (struct fixture){.dag = DAG_INIT, .costs = SEARCH_COSTS_EVEN};
	random_dag(&fixture->dag, commits, 0, &random);
	search_init(&fixture->search, &fixture->dag, 1, settings);
}

static void fixture_release(struct fixture *fixture)
{
	search_release(&fixture->search);
	dag_release(&fixture->dag);
}

static enum search_state next(struct fixture *fixture)
{
	search_update(&fixture->search);
	return search_next(&fixture->search, &fixture->costs, &fixture->step);
}

static void add_values(struct fixture *fixture, size_t site, double level, size_t count)
{
	static const double noise[] = {-0.9, 0.1, 0.8, -0.4, 0.5, -0.2};

	for (size_t i = 0; i < count; i++)
		search_add_value(&fixture->search, site, level + noise[i % 6]);
}

static void test_endpoints_come_first(void **state)
{
	struct search_settings settings = SEARCH_VALUES;
	struct fixture fixture;

	(void)state;
	fixture_init(&fixture, 64, &settings);
	assert_int_equal(next(&fixture), SEARCH_MEASURE);
	assert_int_equal(fixture.step.site, 64);
	assert_int_equal(fixture.step.repeats, 3);
	add_values(&fixture, 64, 100, 3);
	assert_int_equal(next(&fixture), SEARCH_MEASURE);
	assert_int_equal(fixture.step.site, 63);
	add_values(&fixture, 63, 120, 3);
	assert_int_equal(next(&fixture), SEARCH_MEASURE);
	/* A change of twenty standard deviations: plain bisection. */
	assert_in_range(fixture.step.site, 28, 35);
	assert_true(fixture.step.information_bits > 0.8);
	assert_within(fixture.step.slow_probability, 0.5, 0.1);
	fixture_release(&fixture);
}

/* Equal endpoints are measured on until it is clear that nothing is there to find. */
static void test_not_reproduced(void **state)
{
	struct search_settings settings = SEARCH_VALUES;
	struct fixture fixture;
	enum search_state last;

	(void)state;
	settings.verify_values = 60;
	fixture_init(&fixture, 64, &settings);
	while ((last = next(&fixture)) == SEARCH_MEASURE) {
		assert_true(fixture.step.site >= 63);
		assert_true(fixture.search.value_count < 70);
		add_values(&fixture, fixture.step.site, 100, fixture.step.repeats);
	}
	assert_int_equal(last, SEARCH_NOT_REPRODUCED);
	fixture_release(&fixture);
}

/* Where moving costs much, several values are taken at once, and the rig stays. */
static void test_costs(void **state)
{
	struct search_settings settings = SEARCH_VALUES;
	struct fixture fixture;
	double build[65] = {0};

	(void)state;
	fixture_init(&fixture, 64, &settings);
	add_values(&fixture, 64, 100, 6);
	add_values(&fixture, 63, 101.7, 6);
	assert_int_equal(next(&fixture), SEARCH_MEASURE);
	assert_int_equal(fixture.step.repeats, 1);
	fixture.costs.move = 30;
	assert_int_equal(next(&fixture), SEARCH_MEASURE);
	assert_true(fixture.step.repeats > 1);
	assert_within(fixture.step.cost, 30 + (double)fixture.step.repeats, 1e-9);
	assert_true(fixture.step.cost_left > fixture.step.cost);
	/* A build at hand beats a better place that is to be built. */
	for (size_t i = 0; i < 63; i++)
		build[i] = i == 24 ? 0 : 1000;
	fixture.costs = (struct search_costs){1, 0, build, SIZE_MAX};
	add_values(&fixture, 64, 100, 6);
	add_values(&fixture, 63, 104, 6);
	assert_int_equal(next(&fixture), SEARCH_MEASURE);
	assert_true(fixture.step.site == 24);
	fixture_release(&fixture);
}

/* A flaky test: one pass on a slow commit does not end the matter. */
static void test_flaky(void **state)
{
	struct search_settings settings = SEARCH_OUTCOMES;
	struct random random = {5};
	struct fixture fixture;
	size_t found[1];
	double reached;

	(void)state;
	settings.slow = (struct fail_rate){0.5, 1, 1};
	fixture_init(&fixture, 32, &settings);
	search_add_outcome(&fixture.search, 31, true);
	while (next(&fixture) == SEARCH_MEASURE) {
		bool slow = fixture.step.site >= 19;

		assert_true(fixture.search.value_count < 200);
		search_add_outcome(&fixture.search, fixture.step.site,
				   slow && random_uniform(&random) < 0.5);
	}
	assert_int_equal(next(&fixture), SEARCH_FOUND);
	assert_true(fixture.search.value_count > 8);
	{
		_cleanup_free_ size_t *set = xcalloc(32, sizeof(*set));

		assert_int_equal(search_credible_set(&fixture.search, 0.99, set, &reached), 1);
		found[0] = set[0];
	}
	assert_int_equal(found[0], 19);
	assert_true(reached >= 0.99);
	fixture_release(&fixture);
}

/* Skips stay candidates, and what can be measured still narrows them down. */
static void test_skips_with_values(void **state)
{
	struct search_settings settings = SEARCH_VALUES;
	struct fixture fixture;
	_cleanup_free_ size_t *set = xcalloc(16, sizeof(*set));
	double reached;
	enum search_state last;

	(void)state;
	fixture_init(&fixture, 16, &settings);
	for (size_t site = 6; site <= 8; site++)
		search_skip(&fixture.search, site);
	while ((last = next(&fixture)) == SEARCH_MEASURE) {
		assert_false(fixture.step.site >= 6 && fixture.step.site <= 8);
		assert_true(fixture.search.value_count < 200);
		add_values(&fixture, fixture.step.site,
			   fixture.step.site >= 7 && fixture.step.site < 16 ? 110 : 100,
			   fixture.step.repeats);
	}
	assert_int_equal(last, SEARCH_FOUND_AMONG);
	assert_int_equal(search_credible_set(&fixture.search, 0.99, set, &reached), 4);
	for (size_t i = 0; i < 4; i++)
		assert_int_equal(set[i], 6 + i);
	fixture_release(&fixture);
}

/* Without noise: one value per commit, few commits, none twice. */
static void test_exact(void **state)
{
	struct search_settings settings = SEARCH_EXACT;

	(void)state;
	for (size_t culprit = 0; culprit < 24; culprit++) {
		struct fixture fixture;
		bool seen[25] = {false};
		enum search_state last;
		_cleanup_free_ size_t *set = xcalloc(24, sizeof(*set));
		double reached;

		fixture_init(&fixture, 24, &settings);
		while ((last = next(&fixture)) == SEARCH_MEASURE) {
			bool slow = fixture.step.site >= culprit && fixture.step.site < 24;

			assert_int_equal(fixture.step.repeats, 1);
			assert_false(seen[fixture.step.site]);
			seen[fixture.step.site] = true;
			search_add_value(&fixture.search, fixture.step.site, slow ? 420 : 412);
		}
		assert_int_equal(last, SEARCH_FOUND);
		assert_true(fixture.search.value_count <= 8);
		assert_int_equal(search_credible_set(&fixture.search, 0.99, set, &reached), 1);
		assert_int_equal(set[0], culprit);
		fixture_release(&fixture);
	}
}

static void test_exact_without_change(void **state)
{
	struct search_settings settings = SEARCH_EXACT;
	struct fixture fixture;

	(void)state;
	settings.noise_floor = 0.5;
	fixture_init(&fixture, 24, &settings);
	search_add_value(&fixture.search, 24, 412);
	search_add_value(&fixture.search, 23, 413.5);
	assert_int_equal(next(&fixture), SEARCH_NOT_REPRODUCED);
	fixture_release(&fixture);
	/* The same difference is one where the floor is finer. */
	settings.noise_floor = 0.05;
	fixture_init(&fixture, 24, &settings);
	search_add_value(&fixture.search, 24, 412);
	search_add_value(&fixture.search, 23, 413.5);
	assert_int_equal(next(&fixture), SEARCH_MEASURE);
	fixture_release(&fixture);
}

/* Repeating an exact value adds nothing to what it says. */
static void test_exact_repeats(void **state)
{
	struct search_settings settings = SEARCH_EXACT;
	struct fixture once;
	struct fixture often;

	(void)state;
	fixture_init(&once, 24, &settings);
	fixture_init(&often, 24, &settings);
	for (size_t i = 0; i < 30; i++) {
		search_add_value(&often.search, 24, 412);
		search_add_value(&often.search, 11, 412.2);
	}
	search_add_value(&once.search, 24, 412);
	search_add_value(&once.search, 11, 412.2);
	search_update(&once.search);
	search_update(&often.search);
	assert_within(search_probability(&often.search, 5), search_probability(&once.search, 5),
		      1e-9);
	fixture_release(&once);
	fixture_release(&often);
}

/* A script known as flaky runs the endpoints first, and is refused when they do not differ. */
static void test_flaky_endpoints(void **state)
{
	struct search_settings settings = SEARCH_FLAKY;
	struct fixture fixture;
	struct random random = {8};
	enum search_state last;

	(void)state;
	fixture_init(&fixture, 32, &settings);
	assert_int_equal(next(&fixture), SEARCH_MEASURE);
	assert_int_equal(fixture.step.site, 32);
	assert_int_equal(fixture.step.repeats, 3);
	while ((last = next(&fixture)) == SEARCH_MEASURE) {
		assert_true(fixture.search.value_count < 1000);
		search_add_outcome(&fixture.search, fixture.step.site,
				   random_uniform(&random) < 0.2);
	}
	assert_int_equal(last, SEARCH_NOT_REPRODUCED);
	fixture_release(&fixture);
}

/* An open range is planned by samples: the first step still splits it almost in halves. */
static void test_open_range(void **state)
{
	_cleanup_(dag_release) struct dag dag = DAG_INIT;
	_cleanup_(search_release) struct search search = {0};
	struct search_settings settings = SEARCH_VALUES;
	struct search_costs costs = SEARCH_COSTS_EVEN;
	struct search_step step;
	struct random random = {17};
	_cleanup_free_ size_t *weights = xcalloc(3000, sizeof(*weights));
	_cleanup_free_ size_t *set = xcalloc(3000, sizeof(*set));
	enum search_state state_of;
	double reached;

	(void)state;
	dag.closure_max = 100;
	random_dag(&dag, 3000, 0.1, &random);
	dag_weights(&dag, weights);
	search_init(&search, &dag, 1, &settings);
	for (size_t i = 0; i < 12; i++)
		search_add_value(&search, 2999 + i % 2, (i % 2 ? 0 : 9) + random_normal(&random));
	search_update(&search);
	assert_int_equal(search_next(&search, &costs, &step), SEARCH_MEASURE);
	assert_in_range(weights[step.site], 1400, 1600);
	for (;;) {
		search_update(&search);
		state_of = search_next(&search, &costs, &step);
		if (state_of != SEARCH_MEASURE)
			break;
		assert_true(search.value_count < 200);
		search_add_value(&search, step.site,
				 (search_is_slow(&search, 1234, step.site) ? 9 : 0) +
					 random_normal(&random));
	}
	assert_int_equal(state_of, SEARCH_FOUND);
	assert_int_equal(search_credible_set(&search, 0.99, set, &reached), 1);
	assert_int_equal(set[0], 1234);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_endpoints_come_first),
		cmocka_unit_test(test_not_reproduced),
		cmocka_unit_test(test_costs),
		cmocka_unit_test(test_flaky),
		cmocka_unit_test(test_skips_with_values),
		cmocka_unit_test(test_exact),
		cmocka_unit_test(test_exact_without_change),
		cmocka_unit_test(test_exact_repeats),
		cmocka_unit_test(test_flaky_endpoints),
		cmocka_unit_test(test_open_range),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
