/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Run sets in memory: all samples of one variant from one collection.
 *
 * run_set -> boots (what was booted, in which environment, how it ended)
 *         -> series (benchmark x parameters x metric) -> samples
 *
 * Everything is owned by the run set and released by run_set_release(). Text is UTF-8.
 */
#ifndef KREGRESS_STORE_RUN_SET_H
#define KREGRESS_STORE_RUN_SET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/array.h"
#include "common/metric.h"
#include "common/string_index.h"

enum boot_status {
	BOOT_OK,
	BOOT_FAILED, /* did not reach the end of its plan; samples received before still count */
};

/* A name and a value of a boot's environment: "kernel.release", "cpu.model", ... */
struct environment_item {
	char *key;
	char *value;
};

struct environment {
	struct environment_item *items;
	size_t count;
	size_t capacity;
};

/* A benchmark that gave no samples in a boot, and why. */
struct benchmark_failure {
	char *benchmark;
	char *params;
	char *reason;
	bool unavailable; /* this kernel cannot offer it: not an error */
};

/* One boot of the variant: the unit of replication. */
struct boot {
	uint32_t block; /* block of the interleaved schedule */
	uint32_t slot;	/* place in run order over the whole collection */
	enum boot_status status;
	char *reason;	    /* why it failed; NULL when it did not */
	char *console_tail; /* last lines of the console of a failed boot, or NULL */
	char *started_at;   /* UTC, "2026-11-30T20:33:07Z"; NULL when unknown */
	double duration_s;
	struct environment environment;
	ARRAY_OF(struct benchmark_failure) failures;
	char *extra; /* JSON object of keys this version does not know, or NULL */
};

struct sample {
	double value;  /* finite */
	uint32_t boot; /* index into run_set.boots */
	uint32_t invocation;
	uint32_t iteration;
};

struct series {
	char *benchmark; /* "lock.spin_irqsave" */
	char *params;	 /* "groups=4,threads=2", "" when there are none */
	char *metric;	 /* "time" */
	char *unit;	 /* "ns/op" */
	enum better better;
	ARRAY_OF(struct sample) samples; /* ordered by boot, invocation, iteration */
	char *extra;
};

/* What a sample of the set is a replicate of: the highest level at which the set repeats. */
enum level {
	LEVEL_BOOT,
	LEVEL_INVOCATION,
	LEVEL_ITERATION,
};

struct run_set {
	char *id;	  /* unique; made by run_set_init */
	char *collection; /* id shared by the sets that were interleaved */
	char *variant;	  /* "voluntary" */
	char *target;	  /* "vm"; "import" for other tools' output */
	char *machine;	  /* machine class: sets of different classes are not compared silently */
	char *created_at; /* UTC, "2026-11-30T20:33:07Z" */
	uint64_t seed;	  /* of the schedule */
	enum level level;
	ARRAY_OF(struct boot) boots;
	ARRAY_OF(struct series) series;
	char *extra; /* JSON object of keys this version does not know, or NULL */
	/* The first `indexed` series by name; run_set_find() keeps it. */
	struct string_index index;
	size_t indexed;
};

/*
 * An empty set with a fresh random id and the given variant. The other texts are NULL until the
 * caller sets them. A set that comes from the store or an exchange document has `collection`,
 * `target` and `machine` in any case: what was NULL is the set's own id, "" and "".
 */
void run_set_init(struct run_set *set, const char *variant);
void run_set_release(struct run_set *set);

/* Appends a boot (BOOT_OK); the pointer holds until the next one. Its index is boots.count - 1. */
struct boot *run_set_add_boot(struct run_set *set);

/* How many blocks of the schedule have a boot in the set, counted from the first without a gap. */
uint32_t run_set_complete_blocks(const struct run_set *set);

/*
 * The series of that benchmark, parameters and metric, made when there is none. NULL when it
 * exists with another unit or direction: mixed units are an error of whoever feeds the set.
 */
struct series *run_set_series(struct run_set *set, const char *benchmark, const char *params,
			      const char *metric, const char *unit, enum better better);

/* The series, or NULL. */
const struct series *run_set_find(const struct run_set *set, const char *benchmark,
				  const char *params, const char *metric);

void series_add_sample(struct series *series, uint32_t boot, uint32_t invocation,
		       uint32_t iteration, double value);

/* Puts the samples in order by boot, invocation, iteration. */
void series_sort(struct series *series);

/* "mm.kmalloc [size=256]", without brackets when there are no parameters. Owned by the caller. */
char *series_label(const char *benchmark, const char *params);

/* Sets or replaces the value of `key`; a `value` of NULL is ignored. */
void environment_set(struct environment *environment, const char *key, const char *value);
void environment_release(struct environment *environment);
/* The value, or NULL. */
const char *environment_get(const struct environment *environment, const char *key);

void boot_add_failure(struct boot *boot, const char *benchmark, const char *params,
		      const char *reason, bool unavailable);

/* "boot", "invocation", "iteration". */
const char *level_name(enum level level);
bool level_parse(const char *text, enum level *level);

/* 32 hex digits from the kernel's random source. Owned by the caller. */
char *run_set_make_id(void);

/* A list of owned run sets. */
struct run_set_list {
	struct run_set **items;
	size_t count;
	size_t capacity;
};

/* Takes ownership of `set`, which was allocated with malloc. */
void run_set_list_add(struct run_set_list *list, struct run_set *set);
void run_set_list_release(struct run_set_list *list);

#endif
