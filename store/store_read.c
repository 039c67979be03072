/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <inttypes.h>
#include <string.h>

#include "store/store_internal.h"

static int damaged(const struct store *store, const char *id, const char *what, struct error *err)
{
	return error_set(err, ERROR_DATA, "%s: run set %s is damaged: %s", store->path, id, what);
}

static int load_head(struct store *store, int64_t set_number, struct run_set *set,
		     struct error *err)
{
	_cleanup_query_ struct query query = {0};
	_cleanup_free_ char *level = NULL;
	int row;

	if (query_open(&query, store,
		       "SELECT id, collection, variant, target, machine, created_at, seed, level,"
		       " extra FROM run_sets WHERE number = $1",
		       err) < 0)
		return -1;
	query_bind_int(&query, set_number);
	row = query_step(&query, err);
	if (row < 0)
		return -1;
	if (row == 0)
		return error_set(err, ERROR_DATA, "%s: there is no run set number %" PRId64,
				 store->path, set_number);
	set->id = query_text(&query, 0);
	set->collection = query_text(&query, 1);
	set->variant = query_text(&query, 2);
	set->target = query_text(&query, 3);
	set->machine = query_text(&query, 4);
	set->created_at = query_text(&query, 5);
	set->seed = (uint64_t)query_int(&query, 6);
	level = query_text(&query, 7);
	set->extra = query_text(&query, 8);
	if (!level_parse(level, &set->level))
		return damaged(store, set->id, "unknown level", err);
	return 0;
}

static void fill_boot(const struct query *query, struct boot *boot)
{
	_cleanup_free_ char *status = query_text(query, 3);

	boot->block = (uint32_t)query_int(query, 1);
	boot->slot = (uint32_t)query_int(query, 2);
	boot->status = strcmp(status, "ok") ? BOOT_FAILED : BOOT_OK;
	boot->reason = query_text(query, 4);
	boot->console_tail = query_text(query, 5);
	boot->started_at = query_text(query, 6);
	boot->duration_s = query_real(query, 7);
	boot->extra = query_text(query, 8);
}

static int load_boots(struct store *store, int64_t set_number, struct run_set *set,
		      struct error *err)
{
	_cleanup_query_ struct query query = {0};
	int row;

	if (query_open(&query, store,
		       "SELECT number, block, slot, status, reason, console_tail, started_at,"
		       " duration_s, extra FROM boots WHERE run_set = $1 ORDER BY number",
		       err) < 0)
		return -1;
	query_bind_int(&query, set_number);
	while ((row = query_step(&query, err)) > 0) {
		if (query_int(&query, 0) != (int64_t)set->boots.count)
			return damaged(store, set->id, "a boot is missing", err);
		fill_boot(&query, run_set_add_boot(set));
	}
	return row;
}

/* The boot that column 0 names, or NULL when the set does not have it. */
static struct boot *boot_of_row(const struct query *query, struct run_set *set)
{
	int64_t boot = query_int(query, 0);

	return boot >= 0 && (uint64_t)boot < set->boots.count ? &set->boots.items[boot] : NULL;
}

static int load_environment(struct store *store, int64_t set_number, struct run_set *set,
			    struct error *err)
{
	_cleanup_query_ struct query query = {0};
	int row;

	if (query_open(&query, store,
		       "SELECT boot, key, value FROM boot_environment WHERE run_set = $1"
		       " ORDER BY boot, position",
		       err) < 0)
		return -1;
	query_bind_int(&query, set_number);
	while ((row = query_step(&query, err)) > 0) {
		struct boot *boot = boot_of_row(&query, set);
		struct environment_item *item;

		if (!boot)
			return damaged(store, set->id, "an environment without a boot", err);
		item = array_append(&boot->environment);
		item->key = query_text(&query, 1);
		item->value = query_text(&query, 2);
	}
	return row;
}

static int load_failures(struct store *store, int64_t set_number, struct run_set *set,
			 struct error *err)
{
	_cleanup_query_ struct query query = {0};
	int row;

	if (query_open(&query, store,
		       "SELECT boot, benchmark, params, reason, unavailable FROM boot_failures"
		       " WHERE run_set = $1 ORDER BY boot, position",
		       err) < 0)
		return -1;
	query_bind_int(&query, set_number);
	while ((row = query_step(&query, err)) > 0) {
		struct boot *boot = boot_of_row(&query, set);
		struct benchmark_failure *failure;

		if (!boot)
			return damaged(store, set->id, "a failure without a boot", err);
		failure = array_append(&boot->failures);
		failure->benchmark = query_text(&query, 1);
		failure->params = query_text(&query, 2);
		failure->reason = query_text(&query, 3);
		failure->unavailable = query_int(&query, 4) != 0;
	}
	return row;
}

static int fill_series(const struct query *query, struct run_set *set, struct series *series,
		       struct error *err)
{
	_cleanup_free_ char *better = query_text(query, 5);

	series->benchmark = query_text(query, 1);
	series->params = query_text(query, 2);
	series->metric = query_text(query, 3);
	series->unit = query_text(query, 4);
	series->extra = query_text(query, 6);
	if (!better_parse(better, &series->better))
		return damaged(query->store, set->id, "unknown direction of a series", err);
	return 0;
}

/* Numbers of the series' rows, in the order of the series in the set. */
struct series_numbers {
	int64_t *items;
	size_t count;
	size_t capacity;
};

static void series_numbers_release(struct series_numbers *numbers)
{
	array_release(numbers);
}

static int load_series(struct store *store, int64_t set_number, struct run_set *set,
		       struct series_numbers *numbers, struct error *err)
{
	_cleanup_query_ struct query query = {0};
	int row;

	if (query_open(&query, store,
		       "SELECT number, benchmark, params, metric, unit, better, extra FROM series"
		       " WHERE run_set = $1 ORDER BY position",
		       err) < 0)
		return -1;
	query_bind_int(&query, set_number);
	while ((row = query_step(&query, err)) > 0) {
		struct series *series = array_append(&set->series);

		*array_append(numbers) = query_int(&query, 0);
		if (fill_series(&query, set, series, err) < 0)
			return -1;
	}
	return row;
}

/* One query for all, in the order of the series. */
static int load_samples(struct store *store, int64_t set_number, struct run_set *set,
			const struct series_numbers *numbers, struct error *err)
{
	_cleanup_query_ struct query query = {0};
	size_t at = 0;
	int row;

	if (query_open(&query, store,
		       "SELECT s.boot, s.invocation, s.iteration, s.value, e.number"
		       " FROM set_series e JOIN samples s ON s.series = e.number"
		       " WHERE e.run_set = $1"
		       " ORDER BY e.position, s.boot, s.invocation, s.iteration",
		       err) < 0)
		return -1;
	query_bind_int(&query, set_number);
	while ((row = query_step(&query, err)) > 0) {
		while (at < numbers->count && numbers->items[at] != query_int(&query, 4))
			at++;
		if (at == numbers->count)
			return damaged(store, set->id, "a sample without a series", err);
		if (!boot_of_row(&query, set))
			return damaged(store, set->id, "a sample without a boot", err);
		series_add_sample(&set->series.items[at], (uint32_t)query_int(&query, 0),
				  (uint32_t)query_int(&query, 1), (uint32_t)query_int(&query, 2),
				  query_real(&query, 3));
	}
	return row;
}

static int load_all(struct store *store, int64_t set_number, struct run_set *set, struct error *err)
{
	_cleanup_(series_numbers_release) struct series_numbers numbers = {0};

	if (load_head(store, set_number, set, err) < 0 ||
	    load_boots(store, set_number, set, err) < 0 ||
	    load_environment(store, set_number, set, err) < 0 ||
	    load_failures(store, set_number, set, err) < 0 ||
	    load_series(store, set_number, set, &numbers, err) < 0)
		return -1;
	return load_samples(store, set_number, set, &numbers, err);
}

int store_load_number(struct store *store, int64_t set_number, struct run_set *set,
		      struct error *err)
{
	*set = (struct run_set){0};
	if (load_all(store, set_number, set, err) == 0)
		return 0;
	run_set_release(set);
	return -1;
}

static int load_spec(struct store *store, const char *spec, struct run_set *set, struct error *err)
{
	int64_t set_number;

	if (store_find_set(store, spec, &set_number, err) < 0)
		return -1;
	return store_load_number(store, set_number, set, err);
}

int store_load(struct store *store, const char *spec, struct run_set *set, struct error *err)
{
	*set = (struct run_set){0};
	if (transaction_begin_read(store, err) < 0)
		return -1;
	if (transaction_end(store, load_spec(store, spec, set, err), err) == 0)
		return 0;
	run_set_release(set);
	return -1;
}

static int load_collection(struct store *store, const char *collection_id,
			   struct run_set_list *sets, struct error *err)
{
	_cleanup_query_ struct query query = {0};
	int row;

	if (query_open(&query, store,
		       "SELECT number FROM run_sets WHERE collection = $1 ORDER BY number",
		       err) < 0)
		return -1;
	query_bind_text(&query, collection_id);
	while ((row = query_step(&query, err)) > 0) {
		struct run_set *set = xcalloc(1, sizeof(*set));

		run_set_list_add(sets, set);
		if (store_load_number(store, query_int(&query, 0), set, err) < 0)
			return -1;
	}
	return row;
}

int store_load_collection(struct store *store, const char *collection_id, struct run_set_list *sets,
			  struct error *err)
{
	struct run_set_list loaded = {0};
	int status;

	if (transaction_begin_read(store, err) < 0)
		return -1;
	status = transaction_end(store, load_collection(store, collection_id, &loaded, err), err);
	if (status < 0) {
		run_set_list_release(&loaded);
		return -1;
	}
	array_for_each (set, &loaded)
		run_set_list_add(sets, *set);
	array_release(&loaded);
	return 0;
}

int store_find_unfinished(struct store *store, const char *plan_digest,
			  struct collection *collection, struct error *err)
{
	_cleanup_query_ struct query query = {0};
	int row;

	if (query_open(&query, store,
		       "SELECT id, plan_digest, created_at, seed FROM collections"
		       " WHERE plan_digest = $1 AND finished = 0"
		       " ORDER BY COALESCE(created_at, stored_at) DESC, number DESC LIMIT 1",
		       err) < 0)
		return -1;
	query_bind_text(&query, plan_digest);
	row = query_step(&query, err);
	if (row <= 0)
		return row;
	*collection = (struct collection){
		.id = query_text(&query, 0),
		.plan_digest = query_text(&query, 1),
		.created_at = query_text(&query, 2),
		.seed = (uint64_t)query_int(&query, 3),
	};
	return 1;
}

static void fill_summary(const struct query *query, struct run_set_summary *summary)
{
	*summary = (struct run_set_summary){
		.id = query_text(query, 0),
		.collection = query_text(query, 1),
		.variant = query_text(query, 2),
		.target = query_text(query, 3),
		.created_at = query_text(query, 4),
		.boots_ok = (uint32_t)query_int(query, 5),
		.boots_failed = (uint32_t)query_int(query, 6),
		.samples = (uint64_t)query_int(query, 7),
	};
}

int store_list(struct store *store, struct run_set_summary_list *list, struct error *err)
{
	_cleanup_query_ struct query query = {0};
	int row;

	if (query_open(&query, store,
		       "SELECT r.id, r.collection, r.variant, r.target, r.created_at,"
		       " (SELECT COUNT(*) FROM boots b"
		       "  WHERE b.run_set = r.number AND b.status = 'ok'),"
		       " (SELECT COUNT(*) FROM boots b"
		       "  WHERE b.run_set = r.number AND b.status = 'failed'),"
		       " (SELECT COUNT(*) FROM series e JOIN samples s ON s.series = e.number"
		       "  WHERE e.run_set = r.number)"
		       " FROM run_sets r ORDER BY COALESCE(r.created_at, r.stored_at), r.number",
		       err) < 0)
		return -1;
	while ((row = query_step(&query, err)) > 0)
		fill_summary(&query, array_append(list));
	return row;
}
