/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A collection: all boots of all its variants, interleaved, each stored as soon as it is over.
 */
#ifndef KREGRESS_COLLECTOR_COLLECT_H
#define KREGRESS_COLLECTOR_COLLECT_H

#include <stdbool.h>
#include <stdint.h>

#include "collector/plan.h"
#include "common/log.h"
#include "store/store.h"

/*
 * Looks at a collection that grows: called after each complete block, in order, with the sets as
 * they are then. True ends the collection. Looking often must not raise false alarms: whoever
 * looks says in the sets' `extra` how (see collect_request.extra), so that reports can tell.
 */
struct collect_stop {
	bool (*enough)(void *context, const struct run_set_list *sets, uint32_t blocks);
	void *context;
	double budget_s; /* begin no block that would likely end later; 0: no bound */
};

struct collect_request {
	const struct config *config;
	const struct plan *plan;
	const struct string_list
		*variants; /* names; one that stands twice is booted twice as often */
	uint64_t seed;	   /* of the schedule; unused when a collection is resumed */
	uint64_t jobs;	   /* boots at a time; 0: as many as do not disturb each other */
	const struct collect_stop *stop; /* NULL: all boots of the plan */
	const char *extra;		 /* JSON object that the new sets carry, or NULL */
	bool fresh; /* do not resume an unfinished collection of the same plan */
	const struct log *log;
};

/*
 * Collects into the store. An unfinished collection of the same plan is resumed: the boots that it
 * has are not made again. `*collection_id` (owned by the caller) is set as soon as anything may
 * have been stored, also on failure. A variant whose first boots give nothing stops the collection
 * with ERROR_HARNESS; a signal does with ERROR_INTERRUPTED.
 */
int collect(const struct collect_request *request, struct store *store, char **collection_id,
	    struct error *err) __must_check;

#endif
