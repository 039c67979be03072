/* SPDX-License-Identifier: GPL-2.0-or-later */
/* One invocation of a userland benchmark: calibration, warm-up, repetitions. */
#ifndef KREGRESS_AGENT_USER_RUNNER_H
#define KREGRESS_AGENT_USER_RUNNER_H

#include "collector/agent/child.h"
#include "collector/agent/plan.h"
#include "collector/agent/user_bench.h"

struct user_result {
	enum child_outcome outcome;
	struct fault fault; /* unless the outcome is CHILD_DONE */
	uint64_t loops;
	size_t count; /* the plan's repetitions */
	/* In the benchmark's unit; with the clock `insn` in instructions per operation. */
	double values[PLAN_VALUES_MAX];
};

/* Runs it in a process group of its own, of which nothing is left on return. */
void user_runner_run(const struct user_bench *bench, const struct plan *plan,
		     struct user_result *result);

#endif
