/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "store/gc.h"

#include "store/database.h"

#define REFERRED                                                                                   \
	"(EXISTS (SELECT 1 FROM findings f WHERE f.state <> 'withdrawn' AND (f.before_set = r.id"  \
	" OR f.after_set = r.id OR f.low_set = r.id OR f.high_set = r.id))"                        \
	" OR EXISTS (SELECT 1 FROM baselines b WHERE b.run_set = r.id))"

static int run_with(struct store *store, const char *sql, int64_t number, struct error *err)
{
	_cleanup_query_ struct query query = {0};

	if (query_open(&query, store, sql, err) < 0)
		return -1;
	query_bind_int(&query, number);
	return query_run(&query, err);
}

/* 1 and the collection's id when the set is still there and may go. */
static int find_removable(struct store *store, const struct gc_set *set, char **collection,
			  struct error *err)
{
	_cleanup_query_ struct query query = {0};
	int row;

	if (query_open(&query, store,
		       "SELECT r.collection FROM run_sets r JOIN collections c"
		       " ON c.id = r.collection WHERE r.number = $1 AND r.id = $2"
		       " AND c.finished = 1 AND NOT " REFERRED,
		       err) < 0)
		return -1;
	query_bind_int(&query, set->number);
	query_bind_text(&query, set->id);
	row = query_step(&query, err);
	if (row > 0)
		*collection = query_text(&query, 0);
	return row;
}

static int remove_collection(struct store *store, const char *id, struct error *err)
{
	_cleanup_query_ struct query query = {0};

	if (query_open(&query, store,
		       "DELETE FROM collections WHERE id = $1 AND NOT EXISTS"
		       " (SELECT 1 FROM run_sets r WHERE r.collection = collections.id)",
		       err) < 0)
		return -1;
	query_bind_text(&query, id);
	return query_run(&query, err);
}

static int remove_set(struct store *store, const struct gc_set *set, int *removed,
		      struct error *err)
{
	static const char *const statements[] = {
		("DELETE FROM samples WHERE series IN"
		 " (SELECT number FROM set_series WHERE run_set = $1)"),
		"DELETE FROM set_series WHERE run_set = $1",
		"DELETE FROM boot_failures WHERE run_set = $1",
		"DELETE FROM boot_environment WHERE run_set = $1",
		"DELETE FROM boots WHERE run_set = $1",
		"DELETE FROM run_sets WHERE number = $1",
	};
	_cleanup_free_ char *collection = NULL;

	*removed = find_removable(store, set, &collection, err);
	if (*removed <= 0)
		return *removed;
	for (size_t i = 0; i < ARRAY_SIZE(statements); i++)
		if (run_with(store, statements[i], set->number, err) < 0)
			return -1;
	return remove_collection(store, collection, err);
}

int store_remove_set(struct store *store, const struct gc_set *set, struct error *err)
{
	int removed;

	if (transaction_begin(store, "this removal", err) < 0)
		return -1;
	if (transaction_end(store, remove_set(store, set, &removed, err), err) < 0)
		return -1;
	return removed;
}

int store_size(struct store *store, uint64_t *bytes, struct error *err)
{
	return store->kind->size(store, bytes, err);
}

/* Whether a collection is unfinished that was begun or got a boot since then. */
static int find_writing(struct store *store, const char *recent, bool *writing, struct error *err)
{
	_cleanup_query_ struct query query = {0};
	int row;

	if (query_open(&query, store,
		       "SELECT 1 FROM collections c WHERE c.finished = 0 AND (c.stored_at >= $1"
		       " OR EXISTS (SELECT 1 FROM run_sets r JOIN boots b ON b.run_set = r.number"
		       " WHERE r.collection = c.id AND b.started_at >= $1)) LIMIT 1",
		       err) < 0)
		return -1;
	query_bind_text(&query, recent);
	row = query_step(&query, err);
	*writing = row > 0;
	return row < 0 ? -1 : 0;
}

int store_vacuum(struct store *store, const char *recent, bool force, enum gc_vacuum *outcome,
		 struct error *err)
{
	bool worth = true, writing = false;

	*outcome = GC_VACUUM_DONE;
	if (!force && store->kind->vacuum_worth) {
		if (store->kind->vacuum_worth(store, &worth, err) < 0 ||
		    find_writing(store, recent, &writing, err) < 0)
			return -1;
		if (!worth || writing)
			*outcome = writing ? GC_VACUUM_BUSY : GC_VACUUM_LITTLE;
	}
	return *outcome == GC_VACUUM_DONE ? store->kind->vacuum(store, force, err) : 0;
}
