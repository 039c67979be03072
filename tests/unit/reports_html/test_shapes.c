/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "reports/shapes.h"
#include "tests/unit/reports/sets.h"

/* Boot b has the samples 10 b + 1, ..., 10 b + n. */
static void add_samples(struct run_set *set, size_t n, double offset)
{
	struct series *series = run_set_series(set, "mm.fork", "", "time", "ns/op", BETTER_LOWER);

	for (uint32_t boot = 0; boot < set->boots.count; boot++)
		for (uint32_t i = 0; i < n; i++)
			series_add_sample(series, boot, 0, i, offset + 10 * boot + 1 + i);
}

static struct finding_shape shape_of(const struct report *report)
{
	return finding_shape_of(report, &report->series.items[0],
				&report->series.items[0].findings.items[0]);
}

static struct report report_of(struct run_set *base, struct run_set *candidate, size_t n)
{
	struct report_options options = default_options();
	const struct run_set *pointer = candidate;

	set_init(base, "base", 4);
	set_init(candidate, "new", 4);
	add_samples(base, n, 0);
	add_samples(candidate, n, 3);
	return build(base, &pointer, 1, &options);
}

static void release(struct report *report, struct run_set *base, struct run_set *candidate)
{
	report_release(report);
	run_set_release(base);
	run_set_release(candidate);
}

static void boots_have_five_numbers(void **state)
{
	struct run_set base, candidate;
	struct report report = report_of(&base, &candidate, 5);
	_cleanup_(finding_shape_release) struct finding_shape shape = shape_of(&report);
	const struct boot_shape *boot = &shape.base.boots.items[2];

	(void)state;
	assert_int_equal(shape.base.boots.count, 4);
	assert_int_equal(boot->boot, 2);
	assert_int_equal(boot->slot, 4);
	assert_int_equal(boot->n, 5);
	assert_true(boot->min == 21 && boot->quarter == 22 && boot->median == 23);
	assert_true(boot->three_quarters == 24 && boot->max == 25);
	/* What the comparison takes for the boot: the median. */
	assert_true(boot->value == 23);
	release(&report, &base, &candidate);
}

static void points_are_thinned(void **state)
{
	struct run_set base, candidate;
	struct report report = report_of(&base, &candidate, 1000);
	_cleanup_(finding_shape_release) struct finding_shape shape = shape_of(&report);

	(void)state;
	assert_int_equal(shape.base.samples, 4000);
	assert_int_equal(shape.base.points.count, 4 * SHAPE_POINTS_MAX);
	assert_int_equal(shape.base.boots.items[1].first_point, SHAPE_POINTS_MAX);
	assert_true(shape.base.points.items[0] == 1);
	assert_true(shape.base.points.items[1] == 1 + 1000 / SHAPE_POINTS_MAX);
	release(&report, &base, &candidate);
}

static void distribution_rises(void **state)
{
	struct run_set base, candidate;
	struct report report = report_of(&base, &candidate, 5);
	_cleanup_(finding_shape_release) struct finding_shape shape = shape_of(&report);

	(void)state;
	assert_true(shape.base.quantiles[0] == 1);
	assert_true(shape.base.quantiles[SHAPE_STEPS] == 35);
	for (size_t i = 1; i <= SHAPE_STEPS; i++)
		assert_true(shape.base.quantiles[i] >= shape.base.quantiles[i - 1]);
	/* Every boot's value is in the range that is shown. */
	assert_true(shape.base.low <= 3 && shape.base.high >= 33);
	release(&report, &base, &candidate);
}

/* The candidate is the base, 3 further on: so is each of its quantiles. */
static void shift_is_the_same_everywhere(void **state)
{
	struct run_set base, candidate;
	struct report report = report_of(&base, &candidate, 5);
	_cleanup_(finding_shape_release) struct finding_shape shape = shape_of(&report);

	(void)state;
	for (size_t i = 0; i < SHAPE_SHIFTS; i++) {
		assert_true(shape.shifts[i].known);
		assert_true(shape.shifts[i].shift > 2.999999 && shape.shifts[i].shift < 3.000001);
		assert_true(shape.shifts[i].interval.known);
	}
	release(&report, &base, &candidate);
}

static void missing_side_is_empty(void **state)
{
	static const double values[] = {1, 2, 3};
	struct report_options options = default_options();
	struct run_set base, candidate;
	const struct run_set *pointer = &candidate;
	struct report report;
	struct finding_shape shape;

	(void)state;
	set_init(&base, "base", 3);
	set_init(&candidate, "new", 3);
	set_add(&base, "a.gone", "", "time", "ns/op", BETTER_LOWER, values, 3);
	set_add(&base, "b.both", "", "time", "ns/op", BETTER_LOWER, values, 3);
	set_add(&candidate, "b.both", "", "time", "ns/op", BETTER_LOWER, values, 3);
	report = build(&base, &pointer, 1, &options);
	shape = shape_of(&report);
	assert_int_equal(shape.base.samples, 3);
	assert_int_equal(shape.candidate.samples, 0);
	assert_int_equal(shape.candidate.boots.count, 0);
	assert_false(shape.shifts[0].known);
	finding_shape_release(&shape);
	release(&report, &base, &candidate);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(boots_have_five_numbers),
		cmocka_unit_test(points_are_thinned),
		cmocka_unit_test(distribution_rises),
		cmocka_unit_test(shift_is_the_same_everywhere),
		cmocka_unit_test(missing_side_is_empty),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
