/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Helper processes of a benchmark that takes several of them. */
#ifndef KREGRESS_AGENT_WORKER_H
#define KREGRESS_AGENT_WORKER_H

#include <sys/types.h>

/* Forks a process that runs `work` and exits. Returns its id, or -1 with errno set. */
pid_t worker_start(void (*work)(void *context), void *context);

/* Kills and reaps it. */
void worker_stop(pid_t pid);

/*
 * Keeps this process, and those forked from now on, on the CPU where it runs: partners that wait
 * for each other give two different values on one CPU and on two, and chance would choose.
 */
int worker_pin_to_one_cpu(void);

#endif
