/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Removal of old run sets. Whatever the policy says, these stay: sets of collections that are not
 * finished (they may be being written, or resumed); the newest set with samples of each variant
 * and machine class; baselines; and the sets that a finding refers to, unless it is withdrawn,
 * with those between its two sides and some on either side, so that the change can still be seen.
 */
#ifndef KREGRESS_STORE_GC_H
#define KREGRESS_STORE_GC_H

#include "common/error.h"
#include "store/store.h"

struct gc_policy {
	uint64_t keep_sets;    /* the newest so many of each variant and machine class stay */
	const char *keep_from; /* sets from this time (UTC) on stay; NULL: the time is no reason */
	uint64_t keep_around;  /* sets on either side of a finding that stay */
};

/* Why a set goes or stays: the first that applies. */
enum gc_reason {
	GC_OLD, /* it goes */
	GC_UNFINISHED,
	GC_NEWEST, /* one of the newest keep_sets, or the newest of all */
	GC_RECENT, /* not older than keep_from */
	GC_BASELINE,
	GC_FINDING,
	GC_AROUND, /* between the sides of a finding, or near them */
	GC_REASONS,
};

/* "old", "unfinished", "newest", "recent", "baseline", "finding", "around". */
const char *gc_reason_name(enum gc_reason reason);

struct gc_set {
	int64_t number;
	char *id;
	char *variant;
	char *machine;
	char *created_at; /* UTC; the time of storing where that is unknown */
	enum gc_reason reason;
	char *referrer; /* name of the baseline, id of the finding, or NULL */
};

struct gc_plan {
	ARRAY_OF(struct gc_set) sets; /* all of the store: variant, machine, the newest first */
};

/* Judges every set, in one state of the store, and changes nothing. Release the plan in any case.
 */
int store_plan_gc(struct store *store, const struct gc_policy *policy, struct gc_plan *plan,
		  struct error *err) __must_check;
void gc_plan_release(struct gc_plan *plan);

/*
 * Removes one set of a plan with all its samples, and its collection when that was its last set,
 * in one transaction: after a crash the set is there as a whole or not at all. Returns 1; 0 when
 * it is gone or something has come to refer to it since the plan was made; or -1.
 */
int store_remove_set(struct store *store, const struct gc_set *set, struct error *err) __must_check;

/* Bytes that the store takes: the file, without its journal, or the tables with their indices. */
int store_size(struct store *store, uint64_t *bytes, struct error *err) __must_check;

enum gc_vacuum {
	GC_VACUUM_DONE,
	GC_VACUUM_BUSY,	  /* left out: it would hold up a collection that may be being written */
	GC_VACUUM_LITTLE, /* left out: less than a tenth of the file is free */
};

/*
 * Gives the room of removed rows back. An SQLite file is written anew, which takes as much room
 * again meanwhile and holds off writers: unless `force`, that is left out while a collection is
 * unfinished that was begun, or got a boot, since `recent` (UTC). PostgreSQL reuses the room and
 * holds nobody up; with `force` the tables are written anew.
 */
int store_vacuum(struct store *store, const char *recent, bool force, enum gc_vacuum *outcome,
		 struct error *err) __must_check;

#endif
