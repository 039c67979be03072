/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The store: run sets in one SQLite file (STRICT tables, WAL) or, for a fleet, in a PostgreSQL
 * database: the same tables and queries. Its schema has a version and is migrated on open.
 *
 * A collection is written boot by boot: store_begin_collection() and store_begin_run_set() first,
 * store_add_boot() after every boot, each a transaction of its own, synced before it returns. What
 * was stored before a failure stays. Raw samples are never changed; store/gc.h removes whole sets.
 */
#ifndef KREGRESS_STORE_STORE_H
#define KREGRESS_STORE_STORE_H

#include <stdbool.h>
#include <stdint.h>

#include "common/error.h"
#include "store/run_set.h"

struct store;

/*
 * Opens a file, made with its folder when missing, or "postgresql://USER@HOST/DATABASE". Errors
 * (ERROR_IO) name it, without a password, and say what to do: not a database, schema newer than
 * this program, locked, disk full, no permission, server not reached.
 */
int store_open(const char *address, struct store **store, struct error *err) __must_check;
void store_close(struct store *store);

/* True for what is no path of a file. */
bool store_is_url(const char *address);

static inline void cleanup_store_(struct store **store)
{
	if (*store)
		store_close(*store);
}
#define _cleanup_store_ _cleanup_(cleanup_store_)

/* Stores a whole set in one transaction: all of it or nothing. A set of that id is refused. */
int store_add_run_set(struct store *store, const struct run_set *set, struct error *err)
	__must_check;

/* The same for several sets: all or nothing. */
int store_add_run_sets(struct store *store, const struct run_set_list *sets, struct error *err)
	__must_check;

/*
 * A collection that is being made. `plan_digest` says what it is to consist of: a collection with
 * the same digest that was not finished is resumed by the next run.
 */
struct collection {
	char *id;
	char *plan_digest;
	char *created_at;
	uint64_t seed;
	bool finished;
};

void collection_release(struct collection *collection);

int store_begin_collection(struct store *store, const struct collection *collection,
			   struct error *err) __must_check;

/* The newest unfinished collection of that digest; 1 when found, 0 when there is none, or -1. */
int store_find_unfinished(struct store *store, const char *plan_digest,
			  struct collection *collection, struct error *err) __must_check;

int store_finish_collection(struct store *store, const char *collection_id, struct error *err)
	__must_check;

/* Stores a set's head; its boots follow one by one. Boots and series in `set` are ignored. */
int store_begin_run_set(struct store *store, const struct run_set *set, struct error *err)
	__must_check;

/*
 * Stores boot number `boot` of `set` with the samples that refer to it. The set's head must be
 * stored, and `boot` must be the next one: a set's boots are stored in order and without a gap.
 */
int store_add_boot(struct store *store, const struct run_set *set, uint32_t boot, struct error *err)
	__must_check;

/*
 * Loads a set by what the user wrote: a variant's name (its newest set with at least one boot or
 * sample), VARIANT@PREFIX where PREFIX begins the id of the set or its collection, or the id's
 * first 6 or more digits. ERROR_USAGE names what the store holds when nothing or too much fits.
 * `*set` is overwritten; on failure it is all zero.
 */
int store_load(struct store *store, const char *spec, struct run_set *set, struct error *err)
	__must_check;

/* Loads all sets of a collection, in order of creation. */
int store_load_collection(struct store *store, const char *collection_id, struct run_set_list *sets,
			  struct error *err) __must_check;

/* What a list of the store's content shows. */
struct run_set_summary {
	char *id;
	char *collection;
	char *variant;
	char *target;
	char *created_at;
	uint32_t boots_ok;
	uint32_t boots_failed;
	uint64_t samples;
};

struct run_set_summary_list {
	struct run_set_summary *items;
	size_t count;
	size_t capacity;
};

/*
 * Every set, oldest first: by created_at, or by the time of storing where that is unknown. The new
 * summaries are appended to `*list`.
 */
int store_list(struct store *store, struct run_set_summary_list *list, struct error *err)
	__must_check;
void run_set_summary_list_release(struct run_set_summary_list *list);

#endif
