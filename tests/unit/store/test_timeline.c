/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#include "common/alloc.h"
#include "store/timeline.h"
#include "tests/unit/store/sample_sets.h"
#include "tests/unit/store/store_fixture.h"

/* Stores a set of two boots with eight samples each; returns its id, which the caller frees. */
static char *add_set(struct store *store, const char *variant, const char *machine,
		     const char *created_at, const char *commit)
{
	_cleanup_(error_clear) struct error err = {0};
	struct run_set set;
	char *id;

	plain_set_make(&set, variant, 2, 8);
	replace_string(&set.machine, machine);
	replace_string(&set.created_at, created_at);
	environment_set(&set.boots.items[0].environment, "kernel.commit", commit);
	environment_set(&set.boots.items[1].environment, "only.second", "x");
	assert_success(store_add_run_set(store, &set, &err), &err);
	id = xstrdup(set.id);
	run_set_release(&set);
	return id;
}

static void load(struct store *store, const char *variant, struct timeline_list *list)
{
	_cleanup_(error_clear) struct error err = {0};

	assert_success(store_load_timelines(store, variant, list, &err), &err);
}

static void oldest_first_for_each_variant_and_machine(void **state)
{
	_cleanup_store_ struct store *store = fixture_open();
	_cleanup_(timeline_list_release) struct timeline_list all = {0}, one = {0};
	_cleanup_free_ char *second = add_set(store, "a", "m", "2026-01-02T00:00:00Z", "c2");
	_cleanup_free_ char *first = add_set(store, "a", "m", "2026-01-01T00:00:00Z", NULL);
	_cleanup_free_ char *same = add_set(store, "a", "m", "2026-01-02T00:00:00Z", "c3");
	_cleanup_free_ char *other = add_set(store, "a", "n", "2026-01-01T00:00:00Z", NULL);
	_cleanup_free_ char *b = add_set(store, "b", "m", "2025-01-01T00:00:00Z", NULL);

	(void)state;
	load(store, NULL, &all);
	assert_int_equal(all.count, 3);
	assert_int_equal(all.items[0].sets.count, 3);
	assert_string_equal(all.items[0].sets.items[0].id, first);
	assert_null(all.items[0].sets.items[0].commit);
	assert_string_equal(all.items[0].sets.items[1].id, second);
	assert_string_equal(all.items[0].sets.items[1].commit, "c2");
	assert_string_equal(all.items[0].sets.items[2].id, same); /* stored later */
	assert_string_equal(all.items[1].machine, "n");
	assert_string_equal(all.items[1].sets.items[0].id, other);
	load(store, "b", &one);
	assert_int_equal(one.count, 1);
	assert_string_equal(one.items[0].sets.items[0].id, b);
	assert_string_equal(one.items[0].sets.items[0].created_at, "2025-01-01T00:00:00Z");
	load(store, "no such", &one);
	assert_int_equal(one.count, 1);
}

static void unfinished_collections_are_left_out(void **state)
{
	_cleanup_store_ struct store *store = fixture_open();
	_cleanup_(timeline_list_release) struct timeline_list list = {0}, finished = {0};
	_cleanup_(error_clear) struct error err = {0};
	struct collection collection = {
		.id = (char *)"running",
		.plan_digest = (char *)"digest",
		.created_at = (char *)"2026-01-01T00:00:00Z",
	};
	struct run_set set;

	(void)state;
	plain_set_make(&set, "a", 1, 4);
	replace_string(&set.collection, "running");
	assert_success(store_begin_collection(store, &collection, &err), &err);
	assert_success(store_begin_run_set(store, &set, &err), &err);
	assert_success(store_add_boot(store, &set, 0, &err), &err);
	load(store, NULL, &list);
	assert_int_equal(list.count, 0);
	assert_success(store_finish_collection(store, "running", &err), &err);
	load(store, NULL, &finished);
	assert_int_equal(finished.count, 1);
	run_set_release(&set);
}

static void points_of_one_series(void **state)
{
	_cleanup_store_ struct store *store = fixture_open();
	_cleanup_(timeline_list_release) struct timeline_list list = {0};
	_cleanup_(timeline_series_list_release) struct timeline_series_list series = {0};
	_cleanup_(timeline_points_release) struct timeline_points points = {0};
	_cleanup_(error_clear) struct error err = {0};
	_cleanup_free_ char *first = add_set(store, "a", "m", "2026-01-02T00:00:00Z", NULL);
	_cleanup_free_ char *second = add_set(store, "a", "m", "2026-01-01T00:00:00Z", NULL);
	_cleanup_free_ char *beside = add_set(store, "a", "n", "2026-01-01T00:00:00Z", NULL);
	const struct sample *samples;

	(void)state;
	(void)first;
	(void)second;
	(void)beside;
	load(store, NULL, &list);
	assert_success(store_load_timeline_series(store, &list.items[0], &series, &err), &err);
	assert_int_equal(series.count, 4);
	assert_string_equal(series.items[0].benchmark, "lock.spin");
	assert_string_equal(series.items[3].benchmark, "sched.pipe");
	assert_string_equal(series.items[0].unit, "ns/op");
	assert_success(
		store_load_timeline_points(store, &list.items[0], &series.items[0], &points, &err),
		&err);
	assert_int_equal(points.count, 2);
	assert_true(points.items[0].set_number < points.items[1].set_number);
	/* Of the eight samples of a boot, the first and the fifth are of this series. */
	assert_int_equal(points.items[0].samples.count, 4);
	samples = points.items[0].samples.items;
	assert_true(samples[0].value == 100 && samples[1].value == 100.004);
	assert_true(samples[2].boot == 1 && samples[2].value == 101);
	assert_int_equal(samples[3].iteration, 1);
}

static void another_unit_is_another_series(void **state)
{
	_cleanup_store_ struct store *store = fixture_open();
	_cleanup_(timeline_list_release) struct timeline_list list = {0};
	_cleanup_(timeline_series_list_release) struct timeline_series_list series = {0};
	_cleanup_(timeline_points_release) struct timeline_points points = {0};
	_cleanup_(error_clear) struct error err = {0};
	const char *const units[] = {"ns/op", "us/op", "ns/op"};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(units); i++) {
		struct run_set set;

		run_set_init(&set, "a");
		set.machine = xstrdup("m");
		run_set_add_boot(&set);
		series_add_sample(run_set_series(&set, "x", "", "time", units[i], BETTER_LOWER), 0,
				  0, 0, 1);
		assert_success(store_add_run_set(store, &set, &err), &err);
		run_set_release(&set);
	}
	load(store, NULL, &list);
	assert_success(store_load_timeline_series(store, &list.items[0], &series, &err), &err);
	assert_int_equal(series.count, 2);
	assert_success(
		store_load_timeline_points(store, &list.items[0], &series.items[0], &points, &err),
		&err);
	assert_int_equal(points.count, 2);
}

static void environment_of_the_first_boot(void **state)
{
	_cleanup_store_ struct store *store = fixture_open();
	_cleanup_(timeline_list_release) struct timeline_list list = {0};
	_cleanup_(error_clear) struct error err = {0};
	_cleanup_free_ char *id = add_set(store, "a", "m", "2026-01-02T00:00:00Z", "c1");
	struct environment environment = {0}, none = {0};

	(void)state;
	(void)id;
	load(store, NULL, &list);
	assert_success(store_load_environment(store, list.items[0].sets.items[0].number,
					      &environment, &err),
		       &err);
	assert_int_equal(environment.count, 2);
	assert_string_equal(environment_get(&environment, "kernel.release"), "6.1.0");
	assert_string_equal(environment_get(&environment, "kernel.commit"), "c1");
	assert_success(store_load_environment(store, 999, &none, &err), &err);
	assert_int_equal(none.count, 0);
	environment_release(&environment);
	environment_release(&none);
}

#define TEST(function) cmocka_unit_test_setup_teardown(function, fixture_setup, fixture_teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(oldest_first_for_each_variant_and_machine),
		TEST(unfinished_collections_are_left_out),
		TEST(points_of_one_series),
		TEST(another_unit_is_another_series),
		TEST(environment_of_the_first_boot),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
