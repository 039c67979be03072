/* SPDX-License-Identifier: GPL-2.0-or-later */
/* One invocation of a userland benchmark: calibration, warm-up, repetitions. */
#ifndef KREGRESS_AGENT_USER_RUNNER_H
#define KREGRESS_AGENT_USER_RUNNER_H

#include "collector/agent/child.h"
#include "collector/agent/plan.h"
#include "collector/agent/record.h"
#include "collector/agent/user_bench.h"

struct user_result {
	enum child_outcome outcome;
	bool unavailable;   /* a failure that means: this kernel or machine does not offer it */
	struct fault fault; /* unless the outcome is CHILD_DONE */
	uint64_t loops;
	size_t count; /* the plan's repetitions, times the copies */
	/*
	 * In the benchmark's unit; with the clock `insn` in instructions per operation. One value a
	 * repetition and copy, the copies of a repetition beside each other.
	 */
	double values[PLAN_VALUES_MAX];
	double extra[BENCH_EXTRA_MAX][PLAN_VALUES_MAX]; /* nanoseconds; as the row names them */
	bool known; /* what came from outside during every repetition */
	struct record_disturbance disturbances[PLAN_VALUES_MAX];
};

/* How many copies of it run at once under the plan, each on a CPU of its own. */
uint64_t user_runner_copies(const struct user_bench *bench, const struct plan *plan);

/* Runs it in a process group of its own, of which nothing is left on return. */
void user_runner_run(const struct user_bench *bench, const struct plan *plan,
		     struct user_result *result);

#endif
