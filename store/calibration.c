/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "store/calibration.h"

#include <string.h>

#include "store/database.h"

static int delete_one(struct store *store, const struct calibration *item, struct error *err)
{
	_cleanup_query_ struct query query = {0};

	if (query_open(&query, store,
		       "DELETE FROM calibrations WHERE machine = $1 AND benchmark = $2"
		       " AND params = $3 AND metric = $4",
		       err) < 0)
		return -1;
	query_bind_text(&query, item->machine);
	query_bind_text(&query, item->benchmark);
	query_bind_text(&query, item->params);
	query_bind_text(&query, item->metric);
	return query_run(&query, err);
}

static int insert_one(struct store *store, const struct calibration *item, struct error *err)
{
	_cleanup_query_ struct query query = {0};

	if (query_open(&query, store,
		       "INSERT INTO calibrations (machine, benchmark, params, metric, variant,"
		       " created_at, boots, false_alarm_frac, noise_floor_frac, alpha)"
		       " VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)",
		       err) < 0)
		return -1;
	query_bind_text(&query, item->machine);
	query_bind_text(&query, item->benchmark);
	query_bind_text(&query, item->params);
	query_bind_text(&query, item->metric);
	query_bind_text(&query, item->variant);
	query_bind_text(&query, item->created_at);
	query_bind_int(&query, item->boots);
	query_bind_real(&query, item->false_alarm_frac);
	query_bind_real(&query, item->noise_floor_frac);
	query_bind_real(&query, item->alpha);
	return query_run(&query, err);
}

static int put_all(struct store *store, const struct calibration_list *list, struct error *err)
{
	array_for_each (item, list)
		if (delete_one(store, item, err) < 0 || insert_one(store, item, err) < 0)
			return -1;
	return 0;
}

int store_put_calibrations(struct store *store, const struct calibration_list *list,
			   struct error *err)
{
	if (transaction_begin(store, "this calibration", err) < 0)
		return -1;
	return transaction_end(store, put_all(store, list, err), err);
}

int store_load_calibrations(struct store *store, const char *machine, struct calibration_list *list,
			    struct error *err)
{
	_cleanup_query_ struct query query = {0};
	int row;

	if (query_open(&query, store,
		       "SELECT machine, benchmark, params, metric, variant, created_at, boots,"
		       " false_alarm_frac, noise_floor_frac, alpha FROM calibrations"
		       " WHERE machine = $1 ORDER BY benchmark, params, metric",
		       err) < 0)
		return -1;
	query_bind_text(&query, machine);
	while ((row = query_step(&query, err)) > 0)
		*array_append(list) = (struct calibration){
			.machine = query_text(&query, 0),
			.benchmark = query_text(&query, 1),
			.params = query_text(&query, 2),
			.metric = query_text(&query, 3),
			.variant = query_text(&query, 4),
			.created_at = query_text(&query, 5),
			.boots = (uint32_t)query_int(&query, 6),
			.false_alarm_frac = query_real(&query, 7),
			.noise_floor_frac = query_real(&query, 8),
			.alpha = query_real(&query, 9),
		};
	return row;
}

const struct calibration *calibration_find(const struct calibration_list *list,
					   const char *benchmark, const char *params,
					   const char *metric)
{
	if (!list)
		return NULL;
	array_for_each (item, list)
		if (!strcmp(item->benchmark, benchmark) && !strcmp(item->params, params) &&
		    !strcmp(item->metric, metric))
			return item;
	return NULL;
}

void calibration_list_release(struct calibration_list *list)
{
	array_for_each (item, list) {
		free(item->machine);
		free(item->benchmark);
		free(item->params);
		free(item->metric);
		free(item->variant);
		free(item->created_at);
	}
	array_release(list);
}
