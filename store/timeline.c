/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "store/timeline.h"

#include <string.h>

#include "store/database.h"

static void timeline_release(struct timeline *timeline)
{
	array_for_each (set, &timeline->sets) {
		free(set->id);
		free(set->created_at);
		free(set->commit);
	}
	array_release(&timeline->sets);
	free(timeline->variant);
	free(timeline->machine);
}

void timeline_list_release(struct timeline_list *list)
{
	array_for_each (timeline, list)
		timeline_release(timeline);
	array_release(list);
}

void timeline_series_list_release(struct timeline_series_list *list)
{
	array_for_each (series, list) {
		free(series->benchmark);
		free(series->params);
		free(series->metric);
		free(series->unit);
	}
	array_release(list);
}

void timeline_points_release(struct timeline_points *points)
{
	array_for_each (point, points)
		array_release(&point->samples);
	array_release(points);
}

/* The timeline of the row: the last one, or a new one behind it, as rows come in that order. */
static struct timeline *timeline_of(const struct query *query, struct timeline_list *list)
{
	_cleanup_free_ char *variant = query_text(query, 1), *machine = query_text(query, 2);
	struct timeline *last = list->count ? &list->items[list->count - 1] : NULL;

	if (last && !strcmp(last->variant, variant) && !strcmp(last->machine, machine))
		return last;
	last = array_append(list);
	last->variant = take_pointer(variant);
	last->machine = take_pointer(machine);
	return last;
}

static int load_sets(struct store *store, const char *variant, struct timeline_list *list,
		     struct error *err)
{
	_cleanup_query_ struct query query = {0};
	int row;

	if (query_open(&query, store,
		       variant ? "SELECT r.number, r.variant, r.machine, r.id,"
				 " COALESCE(r.created_at, r.stored_at)"
				 " FROM run_sets r JOIN collections c ON c.id = r.collection"
				 " WHERE c.finished = 1 AND r.variant = $1"
				 " ORDER BY r.variant, r.machine,"
				 " COALESCE(r.created_at, r.stored_at), r.number"
			       : "SELECT r.number, r.variant, r.machine, r.id,"
				 " COALESCE(r.created_at, r.stored_at)"
				 " FROM run_sets r JOIN collections c ON c.id = r.collection"
				 " WHERE c.finished = 1 ORDER BY r.variant, r.machine,"
				 " COALESCE(r.created_at, r.stored_at), r.number",
		       err) < 0)
		return -1;
	if (variant)
		query_bind_text(&query, variant);
	while ((row = query_step(&query, err)) > 0) {
		struct timeline *timeline = timeline_of(&query, list);
		struct timeline_set *set = array_append(&timeline->sets);

		set->number = query_int(&query, 0);
		set->id = query_text(&query, 3);
		set->created_at = query_text(&query, 4);
	}
	return row;
}

static int load_commits(struct query *query, struct timeline *timeline, struct error *err)
{
	array_for_each (set, &timeline->sets) {
		int row;

		query_bind_int(query, set->number);
		row = query_step(query, err);
		if (row < 0)
			return -1;
		if (row)
			set->commit = query_text(query, 0);
		query_reset(query);
	}
	return 0;
}

int store_load_timelines(struct store *store, const char *variant, struct timeline_list *list,
			 struct error *err)
{
	_cleanup_query_ struct query query = {0};

	if (load_sets(store, variant, list, err) < 0 ||
	    query_open(&query, store,
		       "SELECT value FROM boot_environment WHERE run_set = $1"
		       " AND key = 'kernel.commit' ORDER BY boot LIMIT 1",
		       err) < 0)
		return -1;
	array_for_each (timeline, list)
		if (load_commits(&query, timeline, err) < 0)
			return -1;
	return 0;
}

/* Asks each name for one set that has it: a join, or EXISTS on PostgreSQL, reads all the past. */
int store_load_timeline_series(struct store *store, const struct timeline *timeline,
			       struct timeline_series_list *list, struct error *err)
{
	_cleanup_query_ struct query query = {0};
	int row;

	if (query_open(&query, store,
		       "SELECT n.benchmark, n.params, n.metric, n.unit, n.better"
		       " FROM series_names n WHERE (SELECT 1 FROM run_sets r"
		       " CROSS JOIN set_series e WHERE r.variant = $1 AND r.machine = $2"
		       " AND e.run_set = r.number AND e.name = n.number LIMIT 1) = 1"
		       " ORDER BY n.benchmark, n.params, n.metric, n.unit, n.better",
		       err) < 0)
		return -1;
	query_bind_text(&query, timeline->variant);
	query_bind_text(&query, timeline->machine);
	while ((row = query_step(&query, err)) > 0) {
		struct timeline_series *series = array_append(list);
		_cleanup_free_ char *better = query_text(&query, 4);

		series->benchmark = query_text(&query, 0);
		series->params = query_text(&query, 1);
		series->metric = query_text(&query, 2);
		series->unit = query_text(&query, 3);
		if (!better_parse(better, &series->better))
			return error_set(err, ERROR_DATA, "%s: series %s is damaged", store->path,
					 series->benchmark);
	}
	return row;
}

/* From the one name and the sets to the series goes the unique index of each set's series. */
static const char points_sql[] =
	"SELECT r.number, s.boot, s.invocation, s.iteration, s.value"
	" FROM run_sets r JOIN series e ON e.run_set = r.number"
	" JOIN samples s ON s.series = e.number"
	" WHERE r.variant = $1 AND r.machine = $2 AND e.benchmark = $3 AND e.params = $4"
	" AND e.metric = $5 AND e.unit = $6 AND e.better = $7"
	" ORDER BY r.number, s.boot, s.invocation, s.iteration";

static void add_sample(const struct query *query, struct timeline_points *points)
{
	int64_t number = query_int(query, 0);
	struct timeline_point *last = points->count ? &points->items[points->count - 1] : NULL;

	if (!last || last->set_number != number) {
		last = array_append(points);
		last->set_number = number;
	}
	*array_append(&last->samples) = (struct sample){
		.boot = (uint32_t)query_int(query, 1),
		.invocation = (uint32_t)query_int(query, 2),
		.iteration = (uint32_t)query_int(query, 3),
		.value = query_real(query, 4),
	};
}

int store_load_timeline_points(struct store *store, const struct timeline *timeline,
			       const struct timeline_series *series, struct timeline_points *points,
			       struct error *err)
{
	const char *const names[] = {
		timeline->variant, timeline->machine, series->benchmark,	  series->params,
		series->metric,	   series->unit,      better_name(series->better)};
	_cleanup_query_ struct query query = {0};
	int row;

	if (query_open(&query, store, points_sql, err) < 0)
		return -1;
	for (size_t i = 0; i < ARRAY_SIZE(names); i++)
		query_bind_text(&query, names[i]);
	while ((row = query_step(&query, err)) > 0)
		add_sample(&query, points);
	return row;
}

int store_load_environment(struct store *store, int64_t set_number, struct environment *environment,
			   struct error *err)
{
	_cleanup_query_ struct query query = {0};
	int row;

	if (query_open(&query, store,
		       "SELECT key, value FROM boot_environment WHERE run_set = $1 AND boot ="
		       " (SELECT MIN(b.boot) FROM boot_environment b WHERE b.run_set = $1)"
		       " ORDER BY position",
		       err) < 0)
		return -1;
	query_bind_int(&query, set_number);
	while ((row = query_step(&query, err)) > 0) {
		struct environment_item *item = array_append(environment);

		item->key = query_text(&query, 0);
		item->value = query_text(&query, 1);
	}
	return row;
}
