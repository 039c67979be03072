/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "store/calibration.h"
#include "tests/unit/store/store_fixture.h"

static void add(struct calibration_list *list, const char *machine, const char *params,
		double floor_frac)
{
	*array_append(list) = (struct calibration){
		.machine = xstrdup(machine),
		.benchmark = xstrdup("mm.kmalloc"),
		.params = xstrdup(params),
		.metric = xstrdup("time"),
		.variant = xstrdup("full"),
		.created_at = xstrdup("2026-11-30T20:33:07Z"),
		.boots = 10,
		.false_alarm_frac = 0.0625,
		.noise_floor_frac = floor_frac,
		.alpha = 0.05,
	};
}

static void put(struct store *store, const char *machine, const char *params, double floor_frac)
{
	_cleanup_(calibration_list_release) struct calibration_list list = {0};
	_cleanup_(error_clear) struct error err = {0};

	add(&list, machine, params, floor_frac);
	assert_success(store_put_calibrations(store, &list, &err), &err);
}

static void the_newest_of_each_series_is_kept(void **state)
{
	_cleanup_store_ struct store *store = fixture_open();
	_cleanup_(calibration_list_release) struct calibration_list list = {0};
	_cleanup_(error_clear) struct error err = {0};
	const struct calibration *found;

	(void)state;
	put(store, "lab x4", "size=64", 0.01);
	put(store, "lab x4", "size=256", 0.03);
	put(store, "lab x4", "size=64", 0.02);
	put(store, "other x2", "size=64", 0.5);
	assert_success(store_load_calibrations(store, "lab x4", &list, &err), &err);
	assert_int_equal(list.count, 2);
	found = calibration_find(&list, "mm.kmalloc", "size=64", "time");
	assert_non_null(found);
	assert_true(found->noise_floor_frac == 0.02 && found->false_alarm_frac == 0.0625);
	assert_int_equal(found->boots, 10);
	assert_string_equal(found->variant, "full");
	assert_null(calibration_find(&list, "mm.kmalloc", "size=64", "insn"));
	assert_null(calibration_find(NULL, "mm.kmalloc", "size=64", "time"));
}

static void all_or_none(void **state)
{
	_cleanup_store_ struct store *store = fixture_open();
	_cleanup_(calibration_list_release) struct calibration_list list = {0}, stored = {0};
	_cleanup_(error_clear) struct error err = {0}, ignored = {0};

	(void)state;
	add(&list, "lab x4", "size=64", 0.01);
	add(&list, "lab x4", "size=256", 0.01);
	list.items[1].boots = 0; /* the table refuses it */
	assert_int_equal(store_put_calibrations(store, &list, &err), -1);
	assert_non_null(err.message);
	assert_success(store_load_calibrations(store, "lab x4", &stored, &ignored), &ignored);
	assert_int_equal(stored.count, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(the_newest_of_each_series_is_kept, fixture_setup,
						fixture_teardown),
		cmocka_unit_test_setup_teardown(all_or_none, fixture_setup, fixture_teardown),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
