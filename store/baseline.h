/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Baselines: the run sets that later candidates are held against, one for each name, machine class,
 * target and suite. They change only when somebody says so.
 */
#ifndef KREGRESS_STORE_BASELINE_H
#define KREGRESS_STORE_BASELINE_H

#include "common/error.h"
#include "store/store.h"

/* What a baseline is found by. */
struct baseline_key {
	const char *name;    /* "main" */
	const char *machine; /* machine class of the run set */
	const char *target;
	const char *suite;
};

struct baseline {
	char *name;
	char *machine;
	char *target;
	char *suite;
	char *run_set; /* id */
	char *variant; /* of the run set */
	char *commit;  /* that the kernel was built from, or NULL when unknown */
	char *set_at;  /* UTC */
};

struct baseline_list {
	struct baseline *items;
	size_t count;
	size_t capacity;
};

/*
 * Stores it in the place of the one with the same name, machine class, target and suite. A run set
 * that is not in the store is refused (ERROR_DATA or ERROR_IO).
 */
int store_put_baseline(struct store *store, const struct baseline *baseline, struct error *err)
	__must_check;

/*
 * 1 when there is one, in `*baseline`, which is overwritten and released by the caller; 0 when
 * there is none; -1 on failure.
 */
int store_find_baseline(struct store *store, const struct baseline_key *key,
			struct baseline *baseline, struct error *err) __must_check;

/* Appends all of them, ordered by name, machine class, target, suite. */
int store_list_baselines(struct store *store, struct baseline_list *list, struct error *err)
	__must_check;

/* 1 when it was there; 0 when there is none; -1 on failure. Its run set stays. */
int store_remove_baseline(struct store *store, const struct baseline_key *key, struct error *err)
	__must_check;

void baseline_release(struct baseline *baseline);
void baseline_list_release(struct baseline_list *list);

#endif
