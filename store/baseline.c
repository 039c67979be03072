/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "store/baseline.h"

#include <stdlib.h>

#include "store/database.h"

#define COLUMNS "name, machine, target, suite, run_set, variant, commit_id, set_at"
#define OF_KEY	" WHERE name = $1 AND machine = $2 AND target = $3 AND suite = $4"

void baseline_release(struct baseline *baseline)
{
	free(baseline->name);
	free(baseline->machine);
	free(baseline->target);
	free(baseline->suite);
	free(baseline->run_set);
	free(baseline->variant);
	free(baseline->commit);
	free(baseline->set_at);
	*baseline = (struct baseline){0};
}

void baseline_list_release(struct baseline_list *list)
{
	array_for_each (item, list)
		baseline_release(item);
	array_release(list);
}

static void bind_key(struct query *query, const struct baseline_key *key)
{
	query_bind_text(query, key->name);
	query_bind_text(query, key->machine);
	query_bind_text(query, key->target);
	query_bind_text(query, key->suite);
}

static struct baseline_key key_of(const struct baseline *baseline)
{
	return (struct baseline_key){baseline->name, baseline->machine, baseline->target,
				     baseline->suite};
}

static int delete_one(struct store *store, const struct baseline_key *key, struct error *err)
{
	_cleanup_query_ struct query query = {0};

	if (query_open(&query, store, "DELETE FROM baselines" OF_KEY, err) < 0)
		return -1;
	bind_key(&query, key);
	return query_run(&query, err);
}

static int insert_one(struct store *store, const struct baseline *baseline, struct error *err)
{
	_cleanup_query_ struct query query = {0};
	struct baseline_key key = key_of(baseline);

	if (query_open(&query, store,
		       "INSERT INTO baselines (" COLUMNS
		       ") VALUES ($1, $2, $3, $4, $5, $6, $7, $8)",
		       err) < 0)
		return -1;
	bind_key(&query, &key);
	query_bind_text(&query, baseline->run_set);
	query_bind_text(&query, baseline->variant);
	query_bind_text(&query, baseline->commit);
	query_bind_text(&query, baseline->set_at);
	return query_run(&query, err);
}

static int replace_one(struct store *store, const struct baseline *baseline, struct error *err)
{
	struct baseline_key key = key_of(baseline);

	return delete_one(store, &key, err) < 0 ? -1 : insert_one(store, baseline, err);
}

int store_put_baseline(struct store *store, const struct baseline *baseline, struct error *err)
{
	if (transaction_begin(store, "this baseline", err) < 0)
		return -1;
	return transaction_end(store, replace_one(store, baseline, err), err);
}

static struct baseline read_row(const struct query *query)
{
	return (struct baseline){
		.name = query_text(query, 0),
		.machine = query_text(query, 1),
		.target = query_text(query, 2),
		.suite = query_text(query, 3),
		.run_set = query_text(query, 4),
		.variant = query_text(query, 5),
		.commit = query_text(query, 6),
		.set_at = query_text(query, 7),
	};
}

int store_find_baseline(struct store *store, const struct baseline_key *key,
			struct baseline *baseline, struct error *err)
{
	_cleanup_query_ struct query query = {0};
	int row;

	*baseline = (struct baseline){0};
	if (query_open(&query, store, "SELECT " COLUMNS " FROM baselines" OF_KEY, err) < 0)
		return -1;
	bind_key(&query, key);
	row = query_step(&query, err);
	if (row > 0)
		*baseline = read_row(&query);
	return row;
}

int store_list_baselines(struct store *store, struct baseline_list *list, struct error *err)
{
	_cleanup_query_ struct query query = {0};
	int row;

	if (query_open(&query, store,
		       "SELECT " COLUMNS " FROM baselines ORDER BY name, machine, target, suite",
		       err) < 0)
		return -1;
	while ((row = query_step(&query, err)) > 0)
		*array_append(list) = read_row(&query);
	return row;
}

static int remove_one(struct store *store, const struct baseline_key *key, int *found,
		      struct error *err)
{
	_cleanup_(baseline_release) struct baseline there = {0};

	*found = store_find_baseline(store, key, &there, err);
	if (*found <= 0)
		return *found;
	return delete_one(store, key, err);
}

int store_remove_baseline(struct store *store, const struct baseline_key *key, struct error *err)
{
	int found = 0;

	if (transaction_begin(store, "this change", err) < 0)
		return -1;
	return transaction_end(store, remove_one(store, key, &found, err), err) < 0 ? -1 : found;
}
