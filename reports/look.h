/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Collections that were looked at while they grew, to end when every series is decided
 * (analyzer/sequential.h). How they were looked at is in the `extra` of their run sets, so that
 * every later report judges them at the level that is left, whoever makes it.
 */
#ifndef KREGRESS_REPORTS_LOOK_H
#define KREGRESS_REPORTS_LOOK_H

#include <stdbool.h>
#include <stdint.h>

#include "analyzer/comparison.h"
#include "common/strbuf.h"
#include "store/run_set.h"

struct look_plan {
	uint32_t first;	     /* blocks at the first look; one more look after each block */
	uint32_t blocks_max; /* the collection ends then at the latest */
};

/* The JSON object for run_set.extra. Owned by the caller. */
char *look_plan_write(const struct look_plan *plan);

/* Reads it back; false when `extra` (NULL or JSON text) tells of no looks. */
bool look_plan_read(const char *extra, struct look_plan *plan);

/*
 * The level to judge the sets at, so that all looks together have `alpha`: alpha itself when they
 * were not looked at, or belong to different collections. Appends a sentence for the reader then.
 */
double look_level(const struct run_set *base, const struct run_set *const *variants, size_t count,
		  double alpha, enum method method, struct strbuf *sentence);

#endif
