/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "store/run_set.h"
#include "tests/unit/store/sample_sets.h"

static void init_gives_a_fresh_id(void **state)
{
	struct run_set a, b;

	(void)state;
	run_set_init(&a, "full");
	run_set_init(&b, "full");
	assert_int_equal(strlen(a.id), 32);
	assert_int_equal(strspn(a.id, "0123456789abcdef"), 32);
	assert_string_not_equal(a.id, b.id);
	assert_string_equal(a.variant, "full");
	assert_null(a.created_at);
	assert_int_equal(a.boots.count, 0);
	run_set_release(&a);
	run_set_release(&b);
	assert_null(a.id);
	run_set_release(&a);
}

static void series_is_made_once(void **state)
{
	_cleanup_(run_set_release) struct run_set set;
	struct series *series;

	(void)state;
	run_set_init(&set, "full");
	assert_null(run_set_find(&set, "mm.fork", "", "time"));
	series = run_set_series(&set, "mm.fork", "", "time", "ns/op", BETTER_LOWER);
	assert_ptr_equal(run_set_series(&set, "mm.fork", "", "time", "ns/op", BETTER_LOWER),
			 series);
	assert_ptr_equal(run_set_find(&set, "mm.fork", "", "time"), series);
	assert_non_null(run_set_series(&set, "mm.fork", "n=2", "time", "ns/op", BETTER_LOWER));
	assert_non_null(run_set_series(&set, "mm.fork", "", "insn", "insn/op", BETTER_LOWER));
	assert_int_equal(set.series.count, 3);
}

static void series_refuses_mixed_units(void **state)
{
	_cleanup_(run_set_release) struct run_set set;

	(void)state;
	run_set_init(&set, "full");
	assert_non_null(run_set_series(&set, "a.b", "", "time", "ns/op", BETTER_LOWER));
	assert_null(run_set_series(&set, "a.b", "", "time", "us/op", BETTER_LOWER));
	assert_null(run_set_series(&set, "a.b", "", "time", "ns/op", BETTER_HIGHER));
	assert_int_equal(set.series.count, 1);
}

static void sort_orders_samples(void **state)
{
	static const uint32_t places[][3] = {
		{1, 0, 0}, {0, 2, 0}, {0, 1, 4000000000u}, {0, 1, 3}, {UINT32_MAX, 0, 0}, {0, 0, 9},
	};
	static const double expected[] = {5, 3, 2, 1, 0, 4};
	_cleanup_(run_set_release) struct run_set set;
	struct series *series;

	(void)state;
	run_set_init(&set, "full");
	series = run_set_series(&set, "a.b", "", "time", "ns/op", BETTER_LOWER);
	series_sort(series);
	for (size_t i = 0; i < ARRAY_SIZE(places); i++)
		series_add_sample(series, places[i][0], places[i][1], places[i][2], (double)i);
	series_sort(series);
	for (size_t i = 0; i < ARRAY_SIZE(expected); i++)
		assert_true(series->samples.items[i].value == expected[i]);
}

static void label_has_brackets_for_parameters(void **state)
{
	_cleanup_free_ char *plain = series_label("mm.fork", "");
	_cleanup_free_ char *full = series_label("mm.kmalloc", "size=256");

	(void)state;
	assert_string_equal(plain, "mm.fork");
	assert_string_equal(full, "mm.kmalloc [size=256]");
}

static void environment_replaces_values(void **state)
{
	_cleanup_(run_set_release) struct run_set set;
	struct environment *environment;

	(void)state;
	run_set_init(&set, "full");
	environment = &run_set_add_boot(&set)->environment;
	assert_null(environment_get(environment, "cpu.model"));
	environment_set(environment, "cpu.model", "a");
	environment_set(environment, "cpu.smt", "on");
	environment_set(environment, "cpu.model", "b");
	environment_set(environment, "cpu.model", NULL);
	assert_int_equal(environment->count, 2);
	assert_string_equal(environment_get(environment, "cpu.model"), "b");
}

static void level_names_read_back(void **state)
{
	enum level level;

	(void)state;
	for (int i = LEVEL_BOOT; i <= LEVEL_ITERATION; i++) {
		assert_true(level_parse(level_name((enum level)i), &level));
		assert_int_equal(level, i);
	}
	assert_string_equal(level_name(LEVEL_INVOCATION), "invocation");
	assert_false(level_parse("boots", &level));
	assert_false(level_parse("", &level));
}

static void list_owns_its_sets(void **state)
{
	struct run_set_list sets = {0};

	(void)state;
	sample_sets_make(&sets);
	assert_int_equal(sets.count, 3);
	assert_int_equal(sets.items[0]->boots.items[0].failures.count, 2);
	run_set_list_release(&sets);
	assert_int_equal(sets.count, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(init_gives_a_fresh_id),
		cmocka_unit_test(series_is_made_once),
		cmocka_unit_test(series_refuses_mixed_units),
		cmocka_unit_test(sort_orders_samples),
		cmocka_unit_test(label_has_brackets_for_parameters),
		cmocka_unit_test(environment_replaces_values),
		cmocka_unit_test(level_names_read_back),
		cmocka_unit_test(list_owns_its_sets),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
