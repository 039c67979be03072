/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Removal of old run sets. What stays in any case: sets of collections that are not finished (they
 * may be being written, or resumed), sets that a finding refers to unless it is withdrawn, and the
 * newest set of each variant and machine class.
 */
#ifndef KREGRESS_STORE_GC_H
#define KREGRESS_STORE_GC_H

#include "common/error.h"
#include "store/store.h"

struct gc_policy {
	uint64_t keep_sets;    /* the newest so many of each variant and machine class stay */
	const char *keep_from; /* sets from this time (UTC) on stay; NULL: the time is no reason */
};

struct gc_set {
	char *id;
	char *variant;
	char *created_at;
	int64_t number;
};

struct gc_plan {
	ARRAY_OF(struct gc_set) sets; /* to be removed */
	size_t total;		      /* sets in the store */
	size_t for_findings;	      /* old enough, but a finding refers to them */
	size_t unfinished;	      /* old enough, but of an unfinished collection */
};

int store_plan_gc(struct store *store, const struct gc_policy *policy, struct gc_plan *plan,
		  struct error *err) __must_check;
void gc_plan_release(struct gc_plan *plan);

/*
 * Removes one set of a plan with all its samples, and its collection when that was its last set,
 * in one transaction. Returns 1; 0 when in the meantime a finding has come to refer to it or it is
 * gone; or -1.
 */
int store_remove_set(struct store *store, const struct gc_set *set, struct error *err) __must_check;

/* Gives the room of removed rows back; may take long and needs as much room again meanwhile. */
int store_vacuum(struct store *store, struct error *err) __must_check;

#endif
