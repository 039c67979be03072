/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The starts of a benchmark: one a round or, where the plan has states, one in each of them. */
#ifndef KREGRESS_AGENT_ROUNDS_H
#define KREGRESS_AGENT_ROUNDS_H

#include <stdint.h>

#include "collector/agent/run.h"

enum attempt {
	ATTEMPT_DONE,
	ATTEMPT_FAILED,
	ATTEMPT_UNAVAILABLE,
};

/* Starts the benchmark and writes its records, whatever comes of it. */
typedef enum attempt attempt_start(struct run *run, const void *benchmark, const char *params,
				   uint64_t invocation);

/*
 * `rounds` rounds, in each state that no start has failed in. False when one failed; what is
 * unavailable is no failure.
 */
bool rounds_run(struct run *run, uint64_t rounds, attempt_start *start, const void *benchmark,
		const char *params);

#endif
