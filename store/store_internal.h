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

#endif
