/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <inttypes.h>
#include <math.h>
#include <string.h>
#include <time.h>

#include "common/utc.h"
#include "store/store_internal.h"

/* `*number` of the row with that id; 1 when there is one, 0, or -1. */
static int find_number(struct store *store, const char *sql, const char *id, int64_t *number,
		       struct error *err)
{
	_cleanup_query_ struct query query = {0};
	int row;

	if (query_open(&query, store, sql, err) < 0)
		return -1;
	query_bind_text(&query, id);
	row = query_step(&query, err);
	if (row > 0)
		*number = query_int(&query, 0);
	return row;
}

static int find_collection(struct store *store, const char *id, int64_t *number, struct error *err)
{
	return find_number(store, "SELECT number FROM collections WHERE id = $1", id, number, err);
}

static int find_run_set(struct store *store, const char *id, int64_t *number, struct error *err)
{
	return find_number(store, "SELECT number FROM run_sets WHERE id = $1", id, number, err);
}

/* New numbers are one above the largest: exact, as the transaction holds the write lock. */
static int insert_collection(struct store *store, const struct collection *collection,
			     struct error *err)
{
	_cleanup_query_ struct query query = {0};
	_cleanup_free_ char *now = utc_text(time(NULL));
	int64_t number;

	if (database_scalar(store, "SELECT COALESCE(MAX(number), 0) + 1 FROM collections", &number,
			    err) < 0 ||
	    query_open(&query, store,
		       "INSERT INTO collections"
		       " (number, id, plan_digest, created_at, stored_at, seed, finished)"
		       " VALUES ($1, $2, $3, $4, $5, $6, $7)",
		       err) < 0)
		return -1;
	query_bind_int(&query, number);
	query_bind_text(&query, collection->id);
	query_bind_text(&query, collection->plan_digest);
	query_bind_text(&query, collection->created_at);
	query_bind_text(&query, now);
	query_bind_int(&query, (int64_t)collection->seed);
	query_bind_int(&query, collection->finished);
	return query_run(&query, err);
}

static int begin_collection(struct store *store, const struct collection *collection,
			    struct error *err)
{
	int64_t number;
	int found = find_collection(store, collection->id, &number, err);

	if (found < 0)
		return -1;
	if (found)
		return error_set(err, ERROR_DATA, "%s: collection %s is there already", store->path,
				 collection->id);
	return insert_collection(store, collection, err);
}

int store_begin_collection(struct store *store, const struct collection *collection,
			   struct error *err)
{
	if (transaction_begin(store, "this collection", err) < 0)
		return -1;
	return transaction_end(store, begin_collection(store, collection, err), err);
}

static int finish_collection(struct store *store, const char *id, struct error *err)
{
	_cleanup_query_ struct query query = {0};
	int64_t number;
	int found = find_collection(store, id, &number, err);

	if (found < 0)
		return -1;
	if (!found)
		return error_set(err, ERROR_DATA, "%s: there is no collection %s", store->path, id);
	if (query_open(&query, store, "UPDATE collections SET finished = 1 WHERE number = $1",
		       err) < 0)
		return -1;
	query_bind_int(&query, number);
	return query_run(&query, err);
}

int store_finish_collection(struct store *store, const char *collection_id, struct error *err)
{
	if (transaction_begin(store, "this mark", err) < 0)
		return -1;
	return transaction_end(store, finish_collection(store, collection_id, err), err);
}

/* A set that was collected elsewhere brings its collection along, as a finished one. */
static int ensure_collection(struct store *store, const struct run_set *set, struct error *err)
{
	struct collection brought = {
		.id = set->collection ? set->collection : set->id,
		.created_at = set->created_at,
		.seed = set->seed,
		.finished = true,
	};
	int64_t number;
	int found = find_collection(store, brought.id, &number, err);

	if (found)
		return found < 0 ? -1 : 0;
	return insert_collection(store, &brought, err);
}

static int refuse_known_set(struct store *store, const struct run_set *set, struct error *err)
{
	int64_t number;
	int found = find_run_set(store, set->id, &number, err);

	if (found > 0)
		error_set(err, ERROR_DATA, "%s: run set %s of '%s' is there already", store->path,
			  set->id, set->variant);
	return found ? -1 : 0;
}

static void bind_head(struct query *query, const struct run_set *set, const char *now)
{
	query_bind_text(query, set->id);
	query_bind_text(query, set->collection ? set->collection : set->id);
	query_bind_text(query, set->variant);
	query_bind_text(query, set->target ? set->target : "");
	query_bind_text(query, set->machine ? set->machine : "");
	query_bind_text(query, set->created_at);
	query_bind_text(query, now);
	query_bind_int(query, (int64_t)set->seed);
	query_bind_text(query, level_name(set->level));
	query_bind_text(query, set->extra);
}

/* Gives the number of the new row. */
static int insert_head(struct store *store, const struct run_set *set, int64_t *number,
		       struct error *err)
{
	_cleanup_query_ struct query query = {0};
	_cleanup_free_ char *now = utc_text(time(NULL));

	if (refuse_known_set(store, set, err) < 0 || ensure_collection(store, set, err) < 0 ||
	    database_scalar(store, "SELECT COALESCE(MAX(number), 0) + 1 FROM run_sets", number,
			    err) < 0 ||
	    query_open(&query, store,
		       "INSERT INTO run_sets (number, id, collection, variant, target, machine,"
		       " created_at, stored_at, seed, level, extra)"
		       " VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)",
		       err) < 0)
		return -1;
	query_bind_int(&query, *number);
	bind_head(&query, set, now);
	return query_run(&query, err);
}

int store_begin_run_set(struct store *store, const struct run_set *set, struct error *err)
{
	int64_t number;

	if (transaction_begin(store, "this run set", err) < 0)
		return -1;
	return transaction_end(store, insert_head(store, set, &number, err), err);
}

static int insert_environment(struct store *store, int64_t set_number, uint32_t index,
			      const struct boot *boot, struct error *err)
{
	_cleanup_query_ struct query query = {0};
	int64_t position = 0;

	if (query_open(&query, store,
		       "INSERT INTO boot_environment (run_set, boot, position, key, value)"
		       " VALUES ($1, $2, $3, $4, $5)",
		       err) < 0)
		return -1;
	array_for_each (item, &boot->environment) {
		query_bind_int(&query, set_number);
		query_bind_int(&query, index);
		query_bind_int(&query, position++);
		query_bind_text(&query, item->key);
		query_bind_text(&query, item->value);
		if (query_run(&query, err) < 0)
			return -1;
	}
	return 0;
}

static int insert_failures(struct store *store, int64_t set_number, uint32_t index,
			   const struct boot *boot, struct error *err)
{
	_cleanup_query_ struct query query = {0};
	int64_t position = 0;

	if (query_open(&query, store,
		       "INSERT INTO boot_failures"
		       " (run_set, boot, position, benchmark, params, reason, unavailable)"
		       " VALUES ($1, $2, $3, $4, $5, $6, $7)",
		       err) < 0)
		return -1;
	array_for_each (failure, &boot->failures) {
		query_bind_int(&query, set_number);
		query_bind_int(&query, index);
		query_bind_int(&query, position++);
		query_bind_text(&query, failure->benchmark);
		query_bind_text(&query, failure->params);
		query_bind_text(&query, failure->reason);
		query_bind_int(&query, failure->unavailable);
		if (query_run(&query, err) < 0)
			return -1;
	}
	return 0;
}

static int insert_boot_row(struct store *store, int64_t set_number, uint32_t index,
			   const struct boot *boot, struct error *err)
{
	_cleanup_query_ struct query query = {0};

	if (!isfinite(boot->duration_s))
		return error_set(err, ERROR_DATA, "%s: boot %" PRIu32 ": duration is not finite",
				 store->path, index);
	if (query_open(&query, store,
		       "INSERT INTO boots (run_set, number, block, slot, status, reason,"
		       " console_tail, started_at, duration_s, extra)"
		       " VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)",
		       err) < 0)
		return -1;
	query_bind_int(&query, set_number);
	query_bind_int(&query, index);
	query_bind_int(&query, boot->block);
	query_bind_int(&query, boot->slot);
	query_bind_text(&query, boot->status == BOOT_OK ? "ok" : "failed");
	query_bind_text(&query, boot->reason);
	query_bind_text(&query, boot->console_tail);
	query_bind_text(&query, boot->started_at);
	query_bind_real(&query, boot->duration_s);
	query_bind_text(&query, boot->extra);
	return query_run(&query, err);
}

static int insert_boot(struct store *store, int64_t set_number, const struct run_set *set,
		       uint32_t index, struct error *err)
{
	const struct boot *boot = &set->boots.items[index];

	if (insert_boot_row(store, set_number, index, boot, err) < 0 ||
	    insert_environment(store, set_number, index, boot, err) < 0)
		return -1;
	return insert_failures(store, set_number, index, boot, err);
}

/* Refuses a boot that is stored and one that would leave a gap. */
static int check_next_boot(struct store *store, int64_t set_number, const struct run_set *set,
			   uint32_t boot, struct error *err)
{
	_cleanup_query_ struct query query = {0};

	if (boot >= set->boots.count)
		return error_set(err, ERROR_DATA, "%s: run set %s has no boot %" PRIu32,
				 store->path, set->id, boot);
	if (query_open(&query, store, "SELECT COUNT(*) FROM boots WHERE run_set = $1", err) < 0)
		return -1;
	query_bind_int(&query, set_number);
	if (query_step(&query, err) < 0)
		return -1;
	if (query_int(&query, 0) != boot)
		return error_set(err, ERROR_DATA,
				 "%s: boot %" PRIu32
				 " of run set %s cannot be stored: boot %" PRId64 " is next",
				 store->path, boot, set->id, query_int(&query, 0));
	return 0;
}

static int add_boot(struct store *store, const struct run_set *set, uint32_t boot,
		    struct error *err)
{
	struct sample_selection selection = {.set = set, .boot = boot};
	int64_t set_number;
	int found = find_run_set(store, set->id, &set_number, err);

	if (found < 0)
		return -1;
	if (!found)
		return error_set(err, ERROR_DATA, "%s: run set %s was not begun", store->path,
				 set->id);
	if (check_next_boot(store, set_number, set, boot, err) < 0 ||
	    insert_boot(store, set_number, set, boot, err) < 0)
		return -1;
	return store_insert_samples(store, set_number, &selection, err);
}

int store_add_boot(struct store *store, const struct run_set *set, uint32_t boot, struct error *err)
{
	if (transaction_begin(store, "this boot", err) < 0)
		return -1;
	return transaction_end(store, add_boot(store, set, boot, err), err);
}

static int add_run_set(struct store *store, const struct run_set *set, struct error *err)
{
	struct sample_selection selection = {.set = set, .all = true};
	int64_t set_number;

	if (insert_head(store, set, &set_number, err) < 0)
		return -1;
	for (uint32_t boot = 0; boot < set->boots.count; boot++)
		if (insert_boot(store, set_number, set, boot, err) < 0)
			return -1;
	return store_insert_samples(store, set_number, &selection, err);
}

int store_add_run_set(struct store *store, const struct run_set *set, struct error *err)
{
	if (transaction_begin(store, "this run set", err) < 0)
		return -1;
	return transaction_end(store, add_run_set(store, set, err), err);
}

int store_add_run_sets(struct store *store, const struct run_set_list *sets, struct error *err)
{
	int status = 0;

	if (transaction_begin(store, "these run sets", err) < 0)
		return -1;
	for (size_t i = 0; i < sets->count && status == 0; i++)
		status = add_run_set(store, sets->items[i], err);
	return transaction_end(store, status, err);
}
