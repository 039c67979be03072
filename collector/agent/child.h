/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Work in a forked child that leads a process group of its own. However it ends, the whole group
 * is killed and reaped before child_run() returns.
 */
#ifndef KREGRESS_AGENT_CHILD_H
#define KREGRESS_AGENT_CHILD_H

#include <stddef.h>
#include <stdint.h>

#include "collector/agent/fault.h"

enum child_outcome {
	CHILD_DONE,    /* it exited with 0 */
	CHILD_FAILED,  /* another exit code, a signal, or it could not be started */
	CHILD_TIMEOUT, /* it was killed after the time-out */
	CHILD_STOPPED, /* it was killed because a stop signal came */
	CHILD_STUCK,   /* killed for either reason, and it does not die */
};

struct child_result {
	enum child_outcome outcome;
	struct fault fault; /* says why, unless the outcome is CHILD_DONE */
	char *output;	    /* what it wrote to its result descriptor; the caller frees it */
	size_t length;
};

/* What the child does; returns its exit code. */
typedef int child_main(void *context, int result_fd);

/* Runs `entry` in a child for at most `timeout_s` seconds. */
void child_run(child_main *entry, void *context, uint64_t timeout_s, struct child_result *result);

/* Makes orphaned descendants children of this process, so that child_run() can reap them. */
void child_adopt_orphans(void);

#endif
