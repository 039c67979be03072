/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "reports/history_levels.h"

#include <math.h>

#include "analyzer/quantile.h"

/* A slope shows when it leads so many standard deviations of single points away. */
#define CLEAR_SLOPE_SD 2

/* Fewer points tell no slope. */
#define CLEAR_SLOPE_POINTS 10

static double median_level(const struct history_series *series)
{
	size_t n = series->points.count;
	_cleanup_free_ double *values = xcalloc(n, sizeof(*values));

	for (size_t i = 0; i < n; i++)
		values[i] = series->points.items[i].location;
	return quantile_median(values, n);
}

/* The median slope between a place that is known and the other points of a level. */
static double median_slope(const struct history_series *series, const struct history_level *level,
			   size_t at, double location)
{
	size_t n = level->last - level->first;
	_cleanup_free_ double *slopes = xcalloc(n + 1, sizeof(*slopes));
	size_t count = 0;

	for (size_t i = level->first; i <= level->last; i++)
		if (i != at)
			slopes[count++] = (series->points.items[i].location - location) /
					  ((double)i - (double)at);
	return count ? quantile_median(slopes, count) : 0;
}

/* Where the open end of an outer level lies, as seen from its other end. */
static double open_end(const struct history_series *series, const struct history_level *level,
		       size_t at, const struct history_change *bound)
{
	double location = at == level->last ? bound->before : bound->after;
	double length = (double)(level->last - level->first);
	double away = length * median_slope(series, level, at, location);
	bool clear =
		length + 1 >= CLEAR_SLOPE_POINTS && fabs(away) > CLEAR_SLOPE_SD * series->noise_sd;

	if (bound->kind != CHANGE_KIND_TREND && !clear)
		return location;
	return at == level->last ? location - away : location + away;
}

/* `before` and `after` are the changes around it, NULL at the ends of the series. */
static void add_level(struct history_series *series, const struct history_change *before,
		      const struct history_change *after)
{
	struct history_level *level = array_append(&series->levels);

	level->first = before ? before->index : 0;
	level->last = (after ? after->index : series->points.count) - 1;
	if (!before && !after) {
		level->from = level->to = median_level(series);
		return;
	}
	level->from = before ? before->after : open_end(series, level, level->last, after);
	level->to = after ? after->before : open_end(series, level, level->first, before);
}

/* True for a change that ends a level which began at `from`. */
static bool bounds_level(const struct history_series *series, const struct history_change *change,
			 size_t from)
{
	return change->seen && change->kind != CHANGE_KIND_SPREAD && change->index > from &&
	       change->index < series->points.count;
}

void history_series_find_levels(struct history_series *series)
{
	const struct history_change *before = NULL;

	if (!series->known || !series->points.count)
		return;
	array_for_each (change, &series->changes) {
		if (!bounds_level(series, change, before ? before->index : 0))
			continue;
		add_level(series, before, change);
		before = change;
	}
	add_level(series, before, NULL);
}
