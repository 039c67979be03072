/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>

#include <git2.h>

#include "reports/history_levels.h"
#include "tests/unit/reports/histories.h"

static size_t index_of(const struct history_rig *rig, const char *benchmark)
{
	for (size_t i = 0; i < rig->report.series.count; i++)
		if (!strcmp(rig->report.series.items[i].benchmark, benchmark))
			return i;
	fail_msg("no series %s", benchmark);
	return 0;
}

static const struct history_change *change_of(const struct history_rig *rig, const char *benchmark)
{
	return &rig->report.series.items[index_of(rig, benchmark)].changes.items[0];
}

static void every_state_has_its_grade(void **state)
{
	static const struct {
		const char *benchmark;
		enum history_grade grade;
	} rows[] = {
		{"mm.fork", HISTORY_REGRESSED},	      {"mm.mmap", HISTORY_REGRESSED},
		{"lock.known", HISTORY_KNOWN},	      {"lock.acknowledged", HISTORY_ACKNOWLEDGED},
		{"lock.improved", HISTORY_IMPROVED},  {"lock.fixed", HISTORY_FIXED},
		{"mm.unsure", HISTORY_UNSURE},	      {"lock.withdrawn", HISTORY_WITHDRAWN},
		{"mm.unremembered", HISTORY_CHANGED},
	};
	struct history_rig rig;

	(void)state;
	history_rig_usual(&rig);
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++)
		assert_int_equal(change_of(&rig, rows[i].benchmark)->grade, rows[i].grade);
	assert_int_equal(rig.report.counts[HISTORY_REGRESSED], 2);
	assert_int_equal(rig.report.counts[HISTORY_SPREAD], 0);
	assert_int_equal(rig.report.steady, 1);
	assert_int_equal(rig.report.points, 1000);
	assert_false(rig.report.several);
	history_rig_release(&rig);
}

static void changes_come_by_gravity_and_groups_together(void **state)
{
	static const char *const order[] = {
		"mm.mmap",    "mm.fork",       "lock.acknowledged",
		"lock.known", "lock.improved", "mm.unremembered",
		"lock.fixed", "mm.unsure",     "lock.withdrawn",
	};
	struct history_rig rig;

	(void)state;
	history_rig_usual(&rig);
	assert_int_equal(rig.report.items.count, ARRAY_SIZE(order));
	for (size_t i = 0; i < ARRAY_SIZE(order); i++)
		assert_int_equal(rig.report.items.items[i].series, index_of(&rig, order[i]));
	assert_int_equal(change_of(&rig, "mm.fork")->group_size, 2);
	assert_int_equal(change_of(&rig, "lock.known")->group_size, 1);
	history_rig_release(&rig);
}

/* A small member follows its group's gravest one, before what is graver than itself. */
static void group_keeps_its_members(void **state)
{
	static const char *const order[] = {"a.regressed", "a.withdrawn", "b.regressed"};
	static const struct history_shape shapes[] = {
		{"a.withdrawn", "", 100, 100, 1, 50, 1.10, 0},
		{"a.regressed", "", 100, 100, 1, 50, 1.20, 0},
		{"b.regressed", "", 100, 100, 1, 50, 1.15, 0},
	};
	struct history_rig rig;

	(void)state;
	history_rig_init(&rig);
	for (size_t i = 0; i < ARRAY_SIZE(shapes); i++)
		history_rig_add(&rig, &shapes[i]);
	history_rig_find(&rig, 0, 0, FINDING_WITHDRAWN, "aaaa");
	history_rig_find(&rig, 1, 0, FINDING_NEW, "aaaa");
	history_rig_find(&rig, 2, 0, FINDING_NEW, NULL);
	history_rig_finish(&rig);
	for (size_t i = 0; i < ARRAY_SIZE(order); i++)
		assert_int_equal(rig.report.items.items[i].series, index_of(&rig, order[i]));
	history_rig_release(&rig);
}

static void assert_near(double value, double expected, double tolerance)
{
	if (!(fabs(value - expected) <= tolerance))
		fail_msg("%g is not within %g of %g", value, tolerance, expected);
}

/* Levels follow each other without a gap from the first point to the last. */
static void assert_covers(const struct history_series *series)
{
	size_t next = 0;

	array_for_each (level, &series->levels) {
		assert_int_equal(level->first, next);
		assert_true(level->last >= level->first);
		next = level->last + 1;
	}
	assert_int_equal(next, series->points.count);
}

static void levels_are_those_of_the_data(void **state)
{
	static const struct history_shape shapes[] = {
		{"step", "", 120, 100, 1, 60, 1.10, 0},
		{"steady", "", 120, 100, 1, 0, 1, 0},
		{"slope", "", 120, 100, 1, 60, 1.10, 0.2},
	};
	/* At the ends of both levels. */
	static const double expected[][4] = {
		{100, 100, 110, 110}, {100, 100}, {100, 111.8, 123.2, 136.2}};
	struct history_rig rig;

	(void)state;
	history_rig_init(&rig);
	for (size_t i = 0; i < ARRAY_SIZE(shapes); i++)
		history_rig_add(&rig, &shapes[i]);
	history_rig_finish(&rig);
	for (size_t i = 0; i < ARRAY_SIZE(shapes); i++) {
		const struct history_series *series = &rig.report.series.items[i];

		assert_covers(series);
		assert_int_equal(series->levels.count, series->changes.count + 1);
		for (size_t j = 0; j < series->levels.count; j++) {
			assert_near(series->levels.items[j].from, expected[i][2 * j], 1.2);
			assert_near(series->levels.items[j].to, expected[i][2 * j + 1], 1.2);
		}
	}
	assert_int_equal(rig.report.series.items[0].changes.count, 1);
	assert_int_equal(rig.report.series.items[1].changes.count, 0);
	history_rig_release(&rig);
}

/* A change that is remembered only, or one of the spread, bounds no level. */
static void other_changes_bound_no_level(void **state)
{
	static const struct history_shape shape = {"step", "", 100, 100, 1, 50, 1.10, 0};
	struct history_rig rig;
	struct history_series *series;

	(void)state;
	history_rig_init(&rig);
	series = history_rig_add(&rig, &shape);
	*array_append(&series->changes) = (struct history_change){
		.index = 80, .low = 78, .high = 82, .before = 110, .after = 120, .p = 0.01};
	*array_append(&series->changes) = (struct history_change){.index = 90,
								  .low = 85,
								  .high = 95,
								  .seen = true,
								  .kind = CHANGE_KIND_SPREAD,
								  .before = 1,
								  .after = 3,
								  .p = 0.01};
	history_rig_finish(&rig);
	assert_int_equal(series->levels.count, 2);
	assert_covers(series);
	assert_int_equal(series->changes.items[2].grade, HISTORY_SPREAD);
	history_rig_release(&rig);
}

static void what_cannot_be_searched_has_no_level(void **state)
{
	static const struct history_shape shape = {"gap", "", 50, 100, 1, 0, 1, 0};
	struct history_rig rig;
	struct history_series *series;

	(void)state;
	history_rig_init(&rig);
	series = history_rig_add(&rig, &shape);
	series->points.items[7].location = NAN;
	series->known = false;
	array_release(&series->changes);
	history_rig_finish(&rig);
	assert_int_equal(series->levels.count, 0);
	history_rig_release(&rig);
}

static void several_timelines_are_told_apart(void **state)
{
	struct history_rig rig;

	(void)state;
	history_rig_hostile(&rig);
	assert_true(rig.report.several);
	history_rig_release(&rig);
	history_rig_empty(&rig);
	assert_false(rig.report.several);
	assert_int_equal(rig.report.items.count, 0);
	history_rig_release(&rig);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_state_has_its_grade),
		cmocka_unit_test(changes_come_by_gravity_and_groups_together),
		cmocka_unit_test(group_keeps_its_members),
		cmocka_unit_test(levels_are_those_of_the_data),
		cmocka_unit_test(other_changes_bound_no_level),
		cmocka_unit_test(what_cannot_be_searched_has_no_level),
		cmocka_unit_test(several_timelines_are_told_apart),
	};
	int failed;

	git_libgit2_init();
	failed = cmocka_run_group_tests(tests, NULL, NULL);
	git_libgit2_shutdown();
	return failed;
}
