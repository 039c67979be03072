/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/unit/analyzer/near.h"

#include <math.h>

#include <gsl/gsl_randist.h>
#include <gsl/gsl_rng.h>

#include "analyzer/change_detector.h"
#include "analyzer/change_track.h"

#define POINTS 240
#define HALF   (POINTS / 2)

/* Standard deviation 1, from HALF on `factor`, there with `shift` more. */
static void draw(double *values, double factor, double shift, unsigned long seed)
{
	gsl_rng *random = gsl_rng_alloc(gsl_rng_mt19937);

	assert_non_null(random);
	gsl_rng_set(random, seed);
	for (size_t i = 0; i < POINTS; i++)
		values[i] = 100 + (i < HALF ? 0 : shift) +
			    gsl_ran_gaussian_ziggurat(random, i < HALF ? 1 : factor);
	gsl_rng_free(random);
}

static void assert_spread(double factor, unsigned long seed)
{
	double values[POINTS];
	struct change_series series = {values, NULL, POINTS};
	struct change_points points;

	draw(values, factor, 0, seed);
	points = change_points_of(&series, NULL);
	assert_true(points.known);
	assert_int_equal(points.count, 1);
	assert_int_equal(points.items[0].kind, CHANGE_KIND_SPREAD);
	assert_in_range(points.items[0].index, HALF - 10, HALF + 10);
	assert_true(points.items[0].low <= points.items[0].index);
	assert_true(points.items[0].high >= points.items[0].index);
	assert_true(points.items[0].p > 0 && points.items[0].p < 0.05);
	assert_near(points.items[0].before, 1, 0.25);
	assert_near(points.items[0].after, factor, 0.25);
	assert_true(points.items[0].ratio_ci.known);
	assert_between(factor, points.items[0].ratio_ci.low, points.items[0].ratio_ci.high);
	change_points_release(&points);
}

static void test_wider_and_narrower(void **state)
{
	(void)state;
	assert_spread(4, 1);
	assert_spread(0.25, 2);
	assert_string_equal(change_kind_name(CHANGE_KIND_SPREAD), "spread");
}

static void test_level_only(void **state)
{
	double values[POINTS];
	struct change_series series = {values, NULL, POINTS};
	struct change_settings settings = {.level_only = true};
	struct change_points points;

	(void)state;
	draw(values, 4, 0, 1);
	points = change_points_of(&series, &settings);
	assert_true(points.known);
	for (size_t i = 0; i < points.count; i++)
		assert_int_not_equal(points.items[i].kind, CHANGE_KIND_SPREAD);
	change_points_release(&points);
}

/* A step to another level where the noise is larger, too, is one change. */
static void test_part_of_a_step(void **state)
{
	double values[POINTS];
	struct change_series series = {values, NULL, POINTS};
	struct change_points points;

	(void)state;
	draw(values, 4, 40, 3);
	points = change_points_of(&series, NULL);
	assert_int_equal(points.count, 1);
	assert_int_equal(points.items[0].kind, CHANGE_KIND_LEVEL);
	assert_int_equal(points.items[0].index, HALF);
	change_points_release(&points);
}

/* Fewer boots in a run set explain a larger spread; variances that do not change do not. */
static void test_known_variances(void **state)
{
	double values[POINTS], variances[POINTS];
	struct change_series series = {values, variances, POINTS};
	struct change_points points;

	(void)state;
	draw(values, 4, 0, 1);
	for (size_t i = 0; i < POINTS; i++)
		variances[i] = i < HALF ? 1 : 16;
	points = change_points_of(&series, NULL);
	assert_int_equal(points.count, 0);
	change_points_release(&points);
	for (size_t i = 0; i < POINTS; i++)
		variances[i] = 0.5;
	points = change_points_of(&series, NULL);
	assert_int_equal(points.count, 1);
	assert_int_equal(points.items[0].kind, CHANGE_KIND_SPREAD);
	change_points_release(&points);
}

/* Also where the change shows, goes on, and the noise is estimated anew. */
static void test_appending_is_recomputing(void **state)
{
	double values[POINTS];
	struct change_detector *detector = change_detector_new(NULL);
	size_t shown = 0;

	(void)state;
	draw(values, 4, 0, 1);
	for (size_t n = 1; n <= POINTS; n++) {
		struct change_series series = {values, NULL, n};
		struct change_points anew = change_points_of(&series, NULL);
		struct change_points grown;

		assert_true(change_detector_append(detector, values[n - 1], -1));
		grown = change_detector_points(detector);
		assert_int_equal(grown.count, anew.count);
		for (size_t i = 0; i < grown.count; i++) {
			assert_int_equal(grown.items[i].index, anew.items[i].index);
			assert_int_equal(grown.items[i].kind, anew.items[i].kind);
			assert_true(grown.items[i].ratio == anew.items[i].ratio);
			assert_true(grown.items[i].p == anew.items[i].p);
			shown += grown.items[i].kind == CHANGE_KIND_SPREAD;
		}
		change_points_release(&grown);
		change_points_release(&anew);
	}
	assert_true(shown > 50);
	change_detector_free(detector);
}

static void test_track(void **state)
{
	double values[POINTS];
	struct change_track *track = change_track_new(NULL);
	const struct tracked_change *changes;
	size_t count;

	(void)state;
	draw(values, 4, 0, 1);
	for (size_t i = 0; i < POINTS; i++)
		assert_true(change_track_append(track, values[i], -1));
	changes = change_track_changes(track, &count);
	assert_int_equal(count, 1);
	assert_int_equal(changes[0].point.kind, CHANGE_KIND_SPREAD);
	assert_in_range(changes[0].accepted_at, HALF + 5, HALF + 60);
	change_track_free(track);
}

static void assert_silent(const double *values)
{
	struct change_series series = {values, NULL, POINTS};
	struct change_points points = change_points_of(&series, NULL);

	assert_true(points.known);
	assert_int_equal(points.count, 0);
	change_points_release(&points);
}

/* Values that do not vary, and such whose distances do not. */
static void test_flat(void **state)
{
	double values[POINTS];

	(void)state;
	for (size_t i = 0; i < POINTS; i++)
		values[i] = 0.1 * 3;
	assert_silent(values);
	for (size_t i = 0; i < POINTS; i++)
		values[i] = i % 2 ? 100 : 101;
	assert_silent(values);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_wider_and_narrower),
		cmocka_unit_test(test_level_only),
		cmocka_unit_test(test_part_of_a_step),
		cmocka_unit_test(test_known_variances),
		cmocka_unit_test(test_appending_is_recomputing),
		cmocka_unit_test(test_track),
		cmocka_unit_test(test_flat),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
