/* SPDX-License-Identifier: GPL-2.0-or-later */
/* One run of another program as a benchmark: in a folder of its own, for a bounded time, with
 * bounded output. */
#ifndef KREGRESS_AGENT_TOOL_RUNNER_H
#define KREGRESS_AGENT_TOOL_RUNNER_H

#include "collector/agent/child.h"
#include "collector/agent/plan.h"

/* More output than that is a failure. */
#define TOOL_OUTPUT_MAX (256u << 10)

struct tool_result {
	enum child_outcome outcome;
	struct fault fault; /* unless the outcome is CHILD_DONE; ends in what the program said */
	char *output;	    /* what the plan's capture names; NULL for none */
	size_t length;
	uint64_t elapsed; /* nanoseconds, or with the clock `insn` instructions; of the program */
};

/* Runs it. Of its process group and its folder nothing is left on return. */
void tool_runner_run(const struct plan_tool *tool, const struct plan *plan,
		     struct tool_result *result);
void tool_result_release(struct tool_result *result);

#endif
