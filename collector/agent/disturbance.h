/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What disturbed an invocation from outside, and each repetition of a userland benchmark: read
 * before and after, never within what is timed.
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

/* The same, wherever: for a process that does not hold the run. */
struct disturbance disturbance_read(void);

/* What came between two readings; false when one of them is not known. */
bool disturbance_between(const struct disturbance *start, const struct disturbance *end,
			 struct record_disturbance *came);

/*
 * Takes the first line and the line "intr" of /proc/stat; false when they are not there. Fields
 * that an old kernel does not have are 0.
 */
bool disturbance_parse(const char *stat, uint64_t *steal_ticks, uint64_t *interrupts);

/*
 * Writes the record `context`: what has come since `start` and, where `samples` is not NULL, while
 * each of the `count` repetitions ran.
 */
void disturbance_record(const struct run *run, const struct disturbance *start,
			const char *benchmark, const char *params, uint64_t invocation,
			const struct record_disturbance *samples, size_t count);

#endif
