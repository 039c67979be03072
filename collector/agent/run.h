/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the benchmarks of a session share. */
#ifndef KREGRESS_AGENT_RUN_H
#define KREGRESS_AGENT_RUN_H

#include <stdbool.h>

#include "collector/agent/child.h"
#include "collector/agent/plan.h"
#include "collector/agent/record.h"
#include "collector/agent/states.h"
#include "collector/agent/stop.h"

struct run {
	struct record_writer *writer;
	const struct plan *plan;
	const char *debugfs;
	struct states *states;
	struct fault lost; /* why a state could not be entered; empty: none failed */
	bool stuck;	   /* a process hangs in the kernel */
};

/* False when a signal came, the channel is broken, a process is stuck or a state was refused. */
static inline bool run_may_go_on(const struct run *run)
{
	return !stop_signal() && !run->writer->broken && !run->stuck && !*run->lost.text;
}

#endif
