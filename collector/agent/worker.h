/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Helper processes of a benchmark that takes several of them, and on which CPU they run. */
#ifndef KREGRESS_AGENT_WORKER_H
#define KREGRESS_AGENT_WORKER_H

#include <stdint.h>
#include <sys/types.h>

/* Forks a process that runs `work` and exits. Returns its id, or -1 with errno set. */
pid_t worker_start(void (*work)(void *context), void *context);

/*
 * Keeps this process, and those forked from now on, on the CPU where it runs: partners that wait
 * for each other give two different values on one CPU and on two, and chance would choose.
 */
int worker_pin_to_one_cpu(void);

/* How many CPUs this process may run on. */
uint64_t worker_cpu_count(void);

/* Keeps this process on the CPU of that number among those that it may run on. */
int worker_pin_to(uint64_t number);

#endif
