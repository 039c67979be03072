/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the readers of the store share; internal to store/. */
#ifndef KREGRESS_STORE_STORE_INTERNAL_H
#define KREGRESS_STORE_STORE_INTERNAL_H

#include "store/database.h"
#include "store/store.h"

/* Loads the set of that row into `*set`, which is overwritten; all zero on failure. */
int store_load_number(struct store *store, int64_t set_number, struct run_set *set,
		      struct error *err) __must_check;

/* The number of the set that the user means by `spec`; ERROR_USAGE when it is not exactly one. */
int store_find_set(struct store *store, const char *spec, int64_t *set_number, struct error *err)
	__must_check;

/* Which samples of a set are stored. */
struct sample_selection {
	const struct run_set *set;
	bool all;      /* those of every boot, and series without samples as well */
	uint32_t boot; /* otherwise: those of this boot */
};

/* Stores them, with their series, in the set of that row; within a transaction that writes. */
int store_insert_samples(struct store *store, int64_t set_number,
			 const struct sample_selection *selection, struct error *err) __must_check;

#endif
