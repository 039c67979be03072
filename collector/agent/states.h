/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The states that a plan's benchmarks are run in by turns. What they set is put back as it was
 * found by a process of its own, which waits for the agent's end: also when that is a SIGKILL.
 */
#ifndef KREGRESS_AGENT_STATES_H
#define KREGRESS_AGENT_STATES_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "collector/agent/plan.h"
#include "collector/agent/record.h"
#include "collector/agent/setting.h"

/* No state. */
#define STATE_NONE SIZE_MAX

struct states {
	const struct plan *plan;
	struct record_writer *writer;
	struct setting *settings; /* each that any state sets, once */
	size_t setting_count;
	size_t current;
	bool *entered;		  /* a state: has been entered before */
	unsigned short random[3]; /* of nrand48(3) */
	pid_t guard;
	int guard_fd; /* no more writing to it lets the guard put all back */
};

/*
 * Opens what the plan's states set, and checks every value, before anything is changed; starts the
 * guard. -1 and a fault for what cannot be set; there is nothing to close then. A plan without
 * states needs nothing.
 */
int states_open(struct states *states, const struct plan *plan, struct record_writer *writer,
		const char *debugfs, struct fault *fault);

/*
 * Puts the machine into that state; what it does not set is as it was found. Writes the record
 * `state` when it was in another one, and what it is now when it is entered first.
 */
int states_enter(struct states *states, size_t state, struct fault *fault);

/*
 * The order of the states in a round, into `order`, which holds that of the round before. Of two
 * rounds on end, the first has a random order and the second its reverse, so that a drift falls on
 * all alike.
 */
void states_order(struct states *states, uint64_t round, size_t *order);

/* Puts all back and ends the guard. -1 and a fault when something could not be put back. */
int states_close(struct states *states, struct fault *fault);

#endif
