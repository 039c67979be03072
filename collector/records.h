/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Reader of the agent's record stream (docs/agent-protocol.md): bytes in, as they come; samples,
 * environment and failures of one boot out. A stream is either complete, or it says what is wrong
 * with it; what came before the damage counts.
 */
#ifndef KREGRESS_COLLECTOR_RECORDS_H
#define KREGRESS_COLLECTOR_RECORDS_H

#include <stdbool.h>
#include <stdint.h>

#include <jansson.h>

#include "common/strbuf.h"
#include "store/run_set.h"

struct record_reader {
	struct run_set *set;  /* not owned; samples go to boot number `boot` of it */
	uint32_t boot;	      /* of the present state */
	uint32_t first_boot;  /* of state 0; the other states' follow */
	uint32_t states;      /* at least 1 */
	uint64_t switches;    /* `state` records that came */
	uint64_t count;	      /* records read */
	bool ended;	      /* the `end` record came and its count was right */
	bool failed;	      /* ... with status "failed" */
	char *agent_error;    /* message of an `error` record */
	char *damage;	      /* why the stream cannot be trusted from here on, or NULL */
	char *current;	      /* benchmark that began last */
	json_t **disturbance; /* a state: objects of its `context` records, or NULL */
	struct strbuf output; /* parts of another program's output that came so far */
	struct strbuf pending;
};

void record_reader_init(struct record_reader *reader, struct run_set *set, uint32_t boot);

/*
 * For a boot whose benchmarks ran in `states` states by turns: what was under state i goes to boot
 * number `boot` + i, and what was before the first state to all of them.
 */
void record_reader_init_states(struct record_reader *reader, struct run_set *set, uint32_t boot,
			       uint32_t states);
void record_reader_release(struct record_reader *reader);

/* Takes more bytes. After damage, or after the end, they are ignored. */
void record_reader_feed(struct record_reader *reader, const char *bytes, size_t length);

/*
 * To be called at the end of the stream: a line without its end is damage. What disturbed the
 * invocations goes to the boot (store/disturbance.h).
 */
void record_reader_finish(struct record_reader *reader);

#endif
