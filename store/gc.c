/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "store/gc.h"

#include <string.h>

#include "store/database.h"

#define REFERRED                                                                                   \
	"(EXISTS (SELECT 1 FROM findings f WHERE f.state <> 'withdrawn' AND (f.before_set = r.id"  \
	" OR f.after_set = r.id OR f.low_set = r.id OR f.high_set = r.id))"                        \
	" OR EXISTS (SELECT 1 FROM baselines b WHERE b.run_set = r.id))"

void gc_plan_release(struct gc_plan *plan)
{
	array_for_each (set, &plan->sets) {
		free(set->id);
		free(set->variant);
		free(set->created_at);
	}
	array_release(&plan->sets);
}

/* Rows of one variant and machine class, the newest first. */
struct gc_walk {
	const struct gc_policy *policy;
	struct gc_plan *plan;
	char *variant;
	char *machine;
	uint64_t passed; /* sets of it before the present one */
};

static void step_to(struct gc_walk *walk, const char *variant, const char *machine)
{
	if (walk->variant && !strcmp(walk->variant, variant) && !strcmp(walk->machine, machine)) {
		walk->passed++;
		return;
	}
	replace_string(&walk->variant, variant);
	replace_string(&walk->machine, machine);
	walk->passed = 0;
}

static bool is_old(const struct gc_walk *walk, const char *created_at)
{
	const struct gc_policy *policy = walk->policy;

	return walk->passed > 0 && walk->passed >= policy->keep_sets &&
	       (!policy->keep_from || strcmp(created_at, policy->keep_from) < 0);
}

static void judge(struct gc_walk *walk, const struct query *query)
{
	_cleanup_free_ char *variant = query_text(query, 2), *machine = query_text(query, 3);
	_cleanup_free_ char *created_at = query_text(query, 4);

	walk->plan->total++;
	step_to(walk, variant, machine);
	if (!is_old(walk, created_at))
		return;
	if (!query_int(query, 5)) {
		walk->plan->unfinished++;
	} else if (query_int(query, 6)) {
		walk->plan->for_findings++;
	} else {
		*array_append(&walk->plan->sets) = (struct gc_set){
			.number = query_int(query, 0),
			.id = query_text(query, 1),
			.variant = take_pointer(variant),
			.created_at = take_pointer(created_at),
		};
	}
}

int store_plan_gc(struct store *store, const struct gc_policy *policy, struct gc_plan *plan,
		  struct error *err)
{
	_cleanup_query_ struct query query = {0};
	struct gc_walk walk = {.policy = policy, .plan = plan};
	int row;

	if (query_open(&query, store,
		       "SELECT r.number, r.id, r.variant, r.machine,"
		       " COALESCE(r.created_at, r.stored_at), c.finished,"
		       " CASE WHEN " REFERRED " THEN 1 ELSE 0 END"
		       " FROM run_sets r JOIN collections c ON c.id = r.collection"
		       " ORDER BY r.variant, r.machine,"
		       " COALESCE(r.created_at, r.stored_at) DESC, r.number DESC",
		       err) < 0)
		return -1;
	while ((row = query_step(&query, err)) > 0)
		judge(&walk, &query);
	free(walk.variant);
	free(walk.machine);
	return row;
}

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
		 " (SELECT number FROM series WHERE run_set = $1)"),
		"DELETE FROM series WHERE run_set = $1",
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

int store_vacuum(struct store *store, struct error *err)
{
	return database_execute(store, "VACUUM", err);
}
