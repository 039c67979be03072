/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The past of a variant on a class of machines: its run sets of finished collections, the series in
 * them, and one series' samples over all of them without loading the sets.
 */
#ifndef KREGRESS_STORE_TIMELINE_H
#define KREGRESS_STORE_TIMELINE_H

#include "common/error.h"
#include "store/store.h"

struct timeline_set {
	int64_t number; /* of the store's own; not stable over export and import */
	char *id;
	char *created_at; /* UTC; the time of storing where that is unknown */
	char *commit;	  /* environment item kernel.commit of its first boot, or NULL */
};

/* A series' name; sets with another unit or direction hold another series. */
struct timeline_series {
	char *benchmark;
	char *params;
	char *metric;
	char *unit;
	enum better better;
};

struct timeline {
	char *variant;
	char *machine;
	ARRAY_OF(struct timeline_set) sets; /* oldest first; the caller may reorder them */
};

struct timeline_list {
	struct timeline *items;
	size_t count;
	size_t capacity;
};

struct timeline_series_list {
	struct timeline_series *items;
	size_t count;
	size_t capacity;
};

/* The samples of one series in one set, ordered by boot, invocation, iteration. */
struct timeline_point {
	int64_t set_number;
	ARRAY_OF(struct sample) samples;
};

struct timeline_points {
	struct timeline_point *items;
	size_t count;
	size_t capacity;
};

/* Appends a timeline for each variant and machine class; `variant` NULL: of all variants. */
int store_load_timelines(struct store *store, const char *variant, struct timeline_list *list,
			 struct error *err) __must_check;
void timeline_list_release(struct timeline_list *list);

/* Appends the names of all series in the timeline, ordered by name. */
int store_load_timeline_series(struct store *store, const struct timeline *timeline,
			       struct timeline_series_list *list, struct error *err) __must_check;
void timeline_series_list_release(struct timeline_series_list *list);

/*
 * Appends the points of a series, ascending by set_number. There may be sets that the timeline
 * does not have: stored since, or of a collection that is not finished.
 */
int store_load_timeline_points(struct store *store, const struct timeline *timeline,
			       const struct timeline_series *series, struct timeline_points *points,
			       struct error *err) __must_check;
void timeline_points_release(struct timeline_points *points);

/* Fills `environment` with that of the first boot of a set; empty where none is recorded. */
int store_load_environment(struct store *store, int64_t set_number, struct environment *environment,
			   struct error *err) __must_check;

#endif
