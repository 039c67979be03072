/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <string.h>

#include "reports/svg_path.h"

static void numbers_are_short(void **state)
{
	_cleanup_(svg_path_release) struct svg_path path = {.drawing = false};

	(void)state;
	svg_path_move(&path, 0.5, 12);
	svg_path_line(&path, 0, 12.25);
	svg_path_line(&path, 10, 12.25);
	assert_string_equal(svg_path_text(&path), "m.5 12-.5 .3 10 0");
}

static void strokes_are_relative(void **state)
{
	_cleanup_(svg_path_release) struct svg_path path = {.drawing = false};

	(void)state;
	svg_path_move(&path, 10, 20);
	svg_path_horizontal(&path, 35);
	svg_path_vertical(&path, 5);
	svg_path_line(&path, 30, 1);
	svg_path_close(&path);
	assert_string_equal(svg_path_text(&path), "m10 20h25v-15l-5-4z");
}

static void rectangle_ends_at_its_start(void **state)
{
	_cleanup_(svg_path_release) struct svg_path path = {.drawing = false};

	(void)state;
	svg_path_rectangle(&path, 1, 2, 4, 6);
	svg_path_rectangle(&path, 1, 2, 4, 6);
	assert_string_equal(svg_path_text(&path), "m1 2h3v4h-3zm0 0h3v4h-3z");
}

/* Rounding to tenths leaves every point within half a tenth of its place, however many there are.
 */
static void rounding_does_not_add_up(void **state)
{
	_cleanup_(svg_path_release) struct svg_path path = {.drawing = false};

	(void)state;
	svg_path_move(&path, 0, 0);
	for (int i = 1; i <= 1000; i++)
		svg_path_line(&path, i / 3.0, i / 7.0);
	assert_int_equal(path.x, 3333);
	assert_int_equal(path.y, 1429);
}

static void huge_values_are_held(void **state)
{
	_cleanup_(svg_path_release) struct svg_path path = {.drawing = false};

	(void)state;
	svg_path_move(&path, 1e300, -1e300);
	assert_string_equal(svg_path_text(&path), "m1000000-1000000");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(numbers_are_short),
		cmocka_unit_test(strokes_are_relative),
		cmocka_unit_test(rectangle_ends_at_its_start),
		cmocka_unit_test(rounding_does_not_add_up),
		cmocka_unit_test(huge_values_are_held),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
