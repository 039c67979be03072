/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What disturbed an invocation from outside: read before and after it, never within what is timed.
 * Where the clock counts instructions nothing is read: the reading would change what the kernel
 * has cached, and with it the counts.
 */
#ifndef KREGRESS_AGENT_DISTURBANCE_H
#define KREGRESS_AGENT_DISTURBANCE_H

#include <stdbool.h>
#include <stdint.h>

#include "collector/agent/run.h"

struct disturbance {
	bool known;
	uint64_t at_ns;
	uint64_t steal_ticks; /* of all CPUs, since the boot */
	uint64_t interrupts;  /* of all CPUs, since the boot */
	uint64_t involuntary; /* context switches of this process and of its children that ended */
};

struct disturbance disturbance_now(const struct run *run);

/*
 * Takes the first line and the line "intr" of /proc/stat; false when they are not there. Fields
 * that an old kernel does not have are 0.
 */
bool disturbance_parse(const char *stat, uint64_t *steal_ticks, uint64_t *interrupts);

/* Writes the record `context`: what has come since `start`. */
void disturbance_record(const struct run *run, const struct disturbance *start,
			const char *benchmark, const char *params, uint64_t invocation);

#endif
