/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Drives the kernel module through the files of its debugfs folder. */
#ifndef KREGRESS_AGENT_KERNEL_RUNNER_H
#define KREGRESS_AGENT_KERNEL_RUNNER_H

#include <stdbool.h>

#include "collector/agent/child.h"
#include "collector/agent/kernel_results.h"
#include "collector/agent/plan.h"

/* True when the folder `kregress` is there. */
bool kernel_runner_present(const char *debugfs);

/* Reads the module's list. -1 and a fault that says what is missing and what to do. */
int kernel_runner_list(const char *debugfs, struct kernel_list *list, struct fault *fault);

struct kernel_outcome {
	enum child_outcome outcome;
	struct fault fault; /* unless the outcome is CHILD_DONE */
	struct kernel_results results;
};

/* One invocation, in a child, so that one that hangs can be killed. Release the results. */
void kernel_runner_run(const char *debugfs, const struct kernel_bench *bench,
		       const struct plan *plan, struct kernel_outcome *outcome);

#endif
