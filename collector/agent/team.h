/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Processes or threads that do rounds of work together. They live as long as the benchmark, so
 * that a repetition measures what they do for each other, not how they are made.
 */
#ifndef KREGRESS_AGENT_TEAM_H
#define KREGRESS_AGENT_TEAM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "collector/agent/user_bench.h"

/* What all members share. */
struct team {
	uint32_t round;	   /* raised to start one: the members wait on it */
	uint32_t finished; /* members that are through with it: the measurer waits on it */
	uint32_t failed;   /* members whose work returned -1 */
	uint32_t members;
	uint64_t loops; /* of this round */
};

/* Does `loops` loops; returns -1 when something was refused. */
typedef int team_work(void *context, uint64_t loops);

/* A team without members, or NULL with errno set. It lives as long as the process. */
struct team *team_new(void);

/*
 * Adds a process, or a thread of this process. It gets a copy of the `size` bytes of `context`.
 * Returns -1 with errno set.
 */
int team_add(struct team *team, team_work *work, const void *context, size_t size, bool thread);

/* One round: all members work. Measured from the start to the last one's end. */
int team_round(struct team *team, struct bench_run *run, uint64_t loops);

/*
 * Starts a thread with a small stack that runs `work` on a copy of the `size` bytes of `context`.
 * Returns -1 with errno set.
 */
int team_start_thread(void *(*work)(void *), const void *context, size_t size);

#endif
