/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Which run sets go, which stay, and why. */
#include <string.h>

#include "common/string_index.h"
#include "store/database.h"
#include "store/gc.h"

const char *gc_reason_name(enum gc_reason reason)
{
	static const char *const names[GC_REASONS] = {
		[GC_OLD] = "old",	    [GC_UNFINISHED] = "unfinished", [GC_NEWEST] = "newest",
		[GC_RECENT] = "recent",	    [GC_FINDING] = "finding",	    [GC_AROUND] = "around",
		[GC_BASELINE] = "baseline",
	};

	return names[reason];
}

void gc_plan_release(struct gc_plan *plan)
{
	array_for_each (set, &plan->sets) {
		free(set->id);
		free(set->variant);
		free(set->machine);
		free(set->created_at);
		free(set->referrer);
	}
	array_release(&plan->sets);
}

static bool is_alike(const struct gc_set *left, const struct gc_set *right)
{
	return !strcmp(left->variant, right->variant) && !strcmp(left->machine, right->machine);
}

/* What is known of the rows before: sets that count, of the present variant and machine class. */
struct walk {
	const struct gc_policy *policy;
	struct gc_plan *plan;
	uint64_t passed;
};

/* A set that is unfinished or empty is not counted: it must not push out a good one. */
static enum gc_reason judge_age(struct walk *walk, const struct gc_set *set, bool finished,
				bool empty)
{
	const struct gc_policy *policy = walk->policy;
	bool newest = walk->passed == 0 || walk->passed < policy->keep_sets;

	if (!finished)
		return GC_UNFINISHED;
	if (!empty)
		walk->passed++;
	if (newest)
		return GC_NEWEST;
	if (policy->keep_from && strcmp(set->created_at, policy->keep_from) >= 0)
		return GC_RECENT;
	return GC_OLD;
}

static void add_row(struct walk *walk, const struct query *query)
{
	struct gc_plan *plan = walk->plan;
	struct gc_set *set = array_append(&plan->sets);

	set->number = query_int(query, 0);
	set->id = query_text(query, 1);
	set->variant = query_text(query, 2);
	set->machine = query_text(query, 3);
	set->created_at = query_text(query, 4);
	if (plan->sets.count > 1 && !is_alike(set, set - 1))
		walk->passed = 0;
	set->reason = judge_age(walk, set, query_int(query, 5) != 0, query_int(query, 6) == 0);
}

static int load_sets(struct store *store, struct walk *walk, struct error *err)
{
	_cleanup_query_ struct query query = {0};
	int row;

	if (query_open(&query, store,
		       "SELECT r.number, r.id, r.variant, r.machine,"
		       " COALESCE(r.created_at, r.stored_at), c.finished,"
		       " CASE WHEN EXISTS (SELECT 1 FROM series e WHERE e.run_set = r.number)"
		       " THEN 1 ELSE 0 END"
		       " FROM run_sets r JOIN collections c ON c.id = r.collection"
		       " ORDER BY r.variant, r.machine,"
		       " COALESCE(r.created_at, r.stored_at) DESC, r.number DESC",
		       err) < 0)
		return -1;
	while ((row = query_step(&query, err)) > 0)
		add_row(walk, &query);
	return row;
}

static void keep(struct gc_set *set, enum gc_reason reason, const char *referrer)
{
	if (set->reason != GC_OLD && (set->reason != GC_AROUND || reason == GC_AROUND))
		return;
	set->reason = reason;
	replace_string(&set->referrer, referrer);
}

static int keep_baselines(struct store *store, const struct string_index *places,
			  struct gc_plan *plan, struct error *err)
{
	_cleanup_query_ struct query query = {0};
	int row;

	if (query_open(&query, store, "SELECT run_set, name FROM baselines ORDER BY name", err) < 0)
		return -1;
	while ((row = query_step(&query, err)) > 0) {
		_cleanup_free_ char *id = query_text(&query, 0), *name = query_text(&query, 1);
		size_t at;

		if (string_index_find(places, id, &at))
			keep(&plan->sets.items[at], GC_BASELINE, name);
	}
	return row;
}

/* Keeps what lies at most `around` sets of the same kind beyond the sides of a finding. */
static void keep_around(struct gc_plan *plan, size_t first, size_t last, uint64_t around,
			const char *finding)
{
	struct gc_set *sets = plan->sets.items;
	size_t from = first, to = last;

	for (uint64_t i = 0; i < around && from > 0 && is_alike(&sets[from - 1], &sets[first]); i++)
		from--;
	for (uint64_t i = 0;
	     i < around && to + 1 < plan->sets.count && is_alike(&sets[to + 1], &sets[last]); i++)
		to++;
	for (size_t i = from; i <= to; i++)
		if (is_alike(&sets[i], &sets[first]))
			keep(&sets[i], GC_AROUND, finding);
}

static void keep_finding(const struct query *query, const struct string_index *places,
			 struct gc_plan *plan, uint64_t around)
{
	_cleanup_free_ char *finding = query_text(query, 0);
	size_t first = SIZE_MAX, last = 0;

	for (int column = 1; column <= 4; column++) {
		_cleanup_free_ char *id = query_text(query, column);
		size_t at;

		if (!string_index_find(places, id, &at))
			continue;
		keep(&plan->sets.items[at], GC_FINDING, finding);
		first = at < first ? at : first;
		last = at > last ? at : last;
	}
	if (first != SIZE_MAX)
		keep_around(plan, first, last, around, finding);
}

static int keep_findings(struct store *store, const struct string_index *places,
			 struct gc_plan *plan, uint64_t around, struct error *err)
{
	_cleanup_query_ struct query query = {0};
	int row;

	if (query_open(&query, store,
		       "SELECT id, before_set, after_set, low_set, high_set FROM findings"
		       " WHERE state <> 'withdrawn' ORDER BY id",
		       err) < 0)
		return -1;
	while ((row = query_step(&query, err)) > 0)
		keep_finding(&query, places, plan, around);
	return row;
}

static int plan_all(struct store *store, const struct gc_policy *policy, struct gc_plan *plan,
		    struct error *err)
{
	_cleanup_(string_index_release) struct string_index places = {0};
	struct walk walk = {.policy = policy, .plan = plan};

	if (load_sets(store, &walk, err) < 0)
		return -1;
	for (size_t i = 0; i < plan->sets.count; i++)
		string_index_add(&places, plan->sets.items[i].id, i);
	if (keep_baselines(store, &places, plan, err) < 0)
		return -1;
	return keep_findings(store, &places, plan, policy->keep_around, err);
}

int store_plan_gc(struct store *store, const struct gc_policy *policy, struct gc_plan *plan,
		  struct error *err)
{
	if (transaction_begin_read(store, err) < 0)
		return -1;
	return transaction_end(store, plan_all(store, policy, plan, err), err);
}
