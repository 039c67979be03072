/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Background loads: what keeps the machine busy while benchmarks run. */
#ifndef KREGRESS_AGENT_LOAD_H
#define KREGRESS_AGENT_LOAD_H

#include <stdbool.h>
#include <sys/types.h>

#include "collector/agent/fault.h"
#include "collector/agent/plan.h"

#define LOAD_NAMES "messaging, disk, net, timer"

struct load {
	const char *name;
	const char *summary;
	bool folder; /* needs a folder for files */
	/*
	 * Work of one process of the load, in its folder; there is one on each of the load's CPUs.
	 * Returns only when it cannot go on, with the reason.
	 */
	const char *(*work)(void);
};

/* Ended by an entry whose name is NULL. */
extern const struct load loads[];

/* The load of that name, or NULL. */
const struct load *load_find(const char *name);

/* Loads of loads[]; each returns the reason why it cannot go on. */
const char *load_messaging(void);
const char *load_disk(void);
const char *load_net(void);
const char *load_timer(void);

/* A load under way. All zero: none. */
struct load_run {
	pid_t pid; /* of the process group */
	int said;  /* readable end of a pipe: why a process of it gave up */
	char *folder;
};

/*
 * Starts the plan's load, if it has one, and keeps this process, and so the benchmarks, on the
 * plan's number of CPUs; the load gets the others, or the same. Returns once the load is at work.
 * -1: the fault says why it cannot run here.
 */
int load_start(struct load_run *run, const struct plan *plan, struct fault *fault);

/* False, with the fault set, when a process of it has ended. */
bool load_is_alive(struct load_run *run, struct fault *fault);

/* Ends all of it and removes its folder. May be called at any time. */
void load_stop(struct load_run *run);

#endif
