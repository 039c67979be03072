/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <float.h>
#include <math.h>

#include "reports/plot_scale.h"

static void values_lie_in_proportion(void **state)
{
	const struct plot_scale scale = {10, 30, 100, 300};
	/* As for a vertical axis, whose start is below its end. */
	const struct plot_scale down = {0, 4, 90, 10};

	(void)state;
	assert_true(plot_scale_at(&scale, 10) == 100);
	assert_true(plot_scale_at(&scale, 15) == 150);
	assert_true(plot_scale_at(&scale, 30) == 300);
	assert_true(plot_scale_at(&down, 1) == 70);
}

static void outer_values_lie_on_the_edge(void **state)
{
	const struct plot_scale scale = {10, 30, 100, 300};

	(void)state;
	assert_true(plot_scale_at(&scale, -1e300) == 100);
	assert_true(plot_scale_at(&scale, DBL_MAX) == 300);
	assert_true(plot_scale_holds(&scale, 30));
	assert_false(plot_scale_holds(&scale, 30.01));
}

static void range_gets_a_margin(void **state)
{
	double low = 10, high = 20;

	(void)state;
	plot_range(&low, &high, 0.1);
	assert_true(low == 9 && high == 21);
	low = 20;
	high = 10;
	plot_range(&low, &high, 0.1);
	assert_true(low == 9 && high == 21);
}

static void range_is_never_empty(void **state)
{
	static const double values[] = {0, 5, -5, 1e-300, 1e300, DBL_MAX, -DBL_MAX};

	(void)state;
	for (size_t i = 0; i < sizeof(values) / sizeof(*values); i++) {
		double low = values[i], high = values[i];

		plot_range(&low, &high, 0.05);
		assert_true(isfinite(low) && isfinite(high) && low < high);
	}
}

static void ticks_are_round(void **state)
{
	double ticks[12];
	int decimals;

	(void)state;
	assert_int_equal(plot_ticks(0.9, 5.2, 5, ticks, 12, &decimals), 5);
	assert_true(ticks[0] == 1 && ticks[4] == 5);
	assert_int_equal(decimals, 0);
	assert_int_equal(plot_ticks(-0.03, 0.05, 4, ticks, 12, &decimals), 4);
	assert_true(ticks[1] == 0);
	assert_true(fabs(ticks[0] + 0.02) < 1e-12);
	assert_int_equal(decimals, 2);
}

static void ticks_stay_within_and_few(void **state)
{
	static const double ranges[][2] = {{0, 1},	    {-1e300, 1e300}, {1e-9, 2e-9},
					   {999.9, 1000.1}, {-7, -6.5},	     {1e15, 1e15 + 1000}};

	(void)state;
	for (size_t i = 0; i < sizeof(ranges) / sizeof(*ranges); i++) {
		double low = ranges[i][0], high = ranges[i][1], ticks[8];
		double slack = (high / 2 - low / 2) * 1e-6;
		int decimals;
		size_t count = plot_ticks(low, high, 5, ticks, 8, &decimals);

		assert_in_range(count, 2, 8);
		for (size_t k = 0; k < count; k++) {
			assert_true(ticks[k] >= low - slack && ticks[k] <= high + slack);
			assert_true(!k || ticks[k] > ticks[k - 1]);
		}
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(values_lie_in_proportion),
		cmocka_unit_test(outer_values_lie_on_the_edge),
		cmocka_unit_test(range_gets_a_margin),
		cmocka_unit_test(range_is_never_empty),
		cmocka_unit_test(ticks_are_round),
		cmocka_unit_test(ticks_stay_within_and_few),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
