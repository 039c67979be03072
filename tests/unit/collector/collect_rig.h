/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Collections on the local target with agents that are shell scripts, into a real store. Variants
 * `a` and `b` have an agent each; `low` and `high` are switches of `a`, `planted` is another boot.
 * Everything lies in the test's folder, temporary files too.
 */
#ifndef KREGRESS_TESTS_COLLECT_RIG_H
#define KREGRESS_TESTS_COLLECT_RIG_H

#include "collector/collect.h"
#include "collector/config.h"
#include "store/store.h"

struct rig {
	struct config config;
	struct plan plan;
	struct store *store;
	struct string_list variants;
	struct strbuf notes; /* what the log said, a line each */
	struct log log;
	struct collect_request request;
};

/*
 * For cmocka; the state is a `struct rig`. Two variants, `a` and `b`, `boots` = 4, seed 7. Both
 * agents give the sample values 1 (a) and 2 (b), and note each start in rig_starts().
 */
int rig_setup(void **state);
int rig_teardown(void **state);

/*
 * What the agent of `variant` does between its first records and its end. A shell script may use
 * `record 'TEXT'` (a record with the next sequence number), `sample VALUE`, `finish STATUS`, $name,
 * $start (this start's number over all agents, from 1) and $folder.
 */
void rig_agent(const char *variant, const char *script);

/* Letters of the variants in the order in which agents were started. Owned by the caller. */
char *rig_starts(void);

/* Collects; 0 or -1 with the error; `*id` is owned by the caller. */
int rig_collect(struct rig *rig, char **id, struct error *err);

/* The sets of a collection as the store has them. */
void rig_load(struct rig *rig, const char *id, struct run_set_list *sets);

/* Letters of the variants in order of slots, as the schedule has them. Owned by the caller. */
char *rig_schedule(const struct rig *rig);

/* Fails the test unless every slot of the plan is stored once, in its block, for its variant. */
void assert_every_slot_stored(const struct rig *rig, const struct run_set_list *sets);

/* Fails the test unless nothing is left in the folder for temporary files. */
void assert_nothing_left(void);

#endif
