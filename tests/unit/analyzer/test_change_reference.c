/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Change points of series that other detectors are tested with, read from the folder of reference
 * data: mozilla/treeherder (MPL-2.0), apache/otava and mongodb/signal-processing-algorithms
 * (Apache-2.0). Skipped (77) where the folder is absent.
 */
#include "tests/unit/analyzer/near.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include <jansson.h>

#include "analyzer/change_point.h"
#include "common/alloc.h"

#define MARGIN 12 /* points: the window in which the original must find its alerts */

struct run {
	long long time_s;
	double value;
	size_t place; /* in the file: runs of one second keep its order */
};

static json_t *load(const char *name)
{
	_cleanup_free_ char *path = xasprintf("%s/stats/%s.json", SHARED_DATA, name);
	json_error_t error;
	json_t *root = json_load_file(path, 0, &error);

	if (!root)
		fail_msg("%s, line %d: %s", path, error.line, error.text);
	return root;
}

static int compare_runs(const void *left, const void *right)
{
	const struct run *a = left;
	const struct run *b = right;

	if (a->time_s != b->time_s)
		return a->time_s < b->time_s ? -1 : 1;
	return a->place < b->place ? -1 : 1;
}

/* The runs of a series of Firefox's, in the order of their push; the caller frees them. */
static struct run *load_runs(const char *series, size_t *n)
{
	_cleanup_free_ char *name = xasprintf("mozilla/%s", series);
	json_t *root = load(name);
	json_t *list = json_object_get(root, "test_runs");
	struct run *runs;

	*n = json_array_size(list);
	assert_true(*n >= 100);
	runs = xcalloc(*n, sizeof(*runs));
	for (size_t i = 0; i < *n; i++) {
		json_t *record = json_array_get(list, i);

		runs[i].time_s = json_integer_value(json_array_get(record, 2));
		runs[i].value = json_number_value(json_array_get(record, 3));
		runs[i].place = i;
	}
	json_decref(root);
	qsort(runs, *n, sizeof(*runs), compare_runs);
	return runs;
}

static struct change_points find(const double *values, size_t n)
{
	struct change_series series = {values, NULL, n};
	struct change_points points = change_points_of(&series, NULL);

	assert_true(points.known);
	return points;
}

static size_t place_of(const struct run *runs, size_t n, long long time_s)
{
	for (size_t i = 0; i < n; i++) {
		if (runs[i].time_s == time_s)
			return i;
	}
	fail_msg("no run was pushed at %lld", time_s);
	return 0;
}

static void assert_found(const char *series, const struct change_points *points, size_t place)
{
	for (size_t i = 0; i < points->count; i++) {
		if (points->items[i].index + MARGIN >= place &&
		    points->items[i].index <= place + MARGIN)
			return;
	}
	fail_msg("%s: no change within %d points of %zu", series, MARGIN, place);
}

static void check_alerts(const char *series, json_t *times)
{
	size_t n;
	_cleanup_free_ struct run *runs = load_runs(series, &n);
	_cleanup_free_ double *values = xcalloc(n, sizeof(*values));
	struct change_points points;
	json_t *time;
	size_t i;

	for (size_t at = 0; at < n; at++)
		values[at] = runs[at].value;
	points = find(values, n);
	json_array_foreach (times, i, time)
		assert_found(series, &points, place_of(runs, n, json_integer_value(time)));
	if (json_array_size(times) == 0)
		assert_int_equal(points.count, 0);
	change_points_release(&points);
}

/* Six alerts in three series; the fourth lies on two levels in random turn and has none. */
static void test_mozilla(void **state)
{
	json_t *root = load("mozilla/expected");
	json_t *all = json_object_get(root, "expected_timestamps");
	const char *series;
	json_t *times;

	(void)state;
	assert_int_equal(json_object_size(all), 4);
	json_object_foreach (all, series, times)
		check_alerts(series, times);
	json_decref(root);
}

static void assert_exact(json_t *list, json_t *places)
{
	size_t n = json_array_size(list);
	_cleanup_free_ double *values = xcalloc(n, sizeof(*values));
	struct change_points points;

	for (size_t i = 0; i < n; i++)
		values[i] = json_number_value(json_array_get(list, i));
	points = find(values, n);
	assert_int_equal(points.count, json_array_size(places));
	for (size_t i = 0; i < points.count; i++)
		assert_int_equal(points.items[i].index,
				 json_integer_value(json_array_get(places, i)));
	change_points_release(&points);
}

/* Cases whose series is written out; returns how many. */
static size_t check_cases(const char *name, const char *key)
{
	json_t *root = load(name);
	json_t *list = json_object_get(root, key);
	size_t checked = 0;
	json_t *item;
	size_t i;

	json_array_foreach (list, i, item) {
		json_t *series = json_object_get(item, "series");

		if (!json_is_array(series))
			continue;
		assert_exact(series, json_object_get(item, "cps"));
		checked++;
	}
	json_decref(root);
	return checked;
}

static void test_otava(void **state)
{
	(void)state;
	assert_int_equal(check_cases("otava/small_cases", "cases"), 4);
}

/* The others are written as formulas; test_change_point.c has them. */
static void test_mongodb(void **state)
{
	(void)state;
	assert_int_equal(check_cases("mongodb/expected", "exact"), 1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_mozilla),
		cmocka_unit_test(test_otava),
		cmocka_unit_test(test_mongodb),
	};

	if (access(SHARED_DATA "/stats/mozilla/expected.json", R_OK) != 0) {
		fprintf(stderr, "skipped: no " SHARED_DATA "/stats/mozilla\n");
		return 77;
	}
	return cmocka_run_group_tests(tests, NULL, NULL);
}
