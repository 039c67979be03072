/* SPDX-License-Identifier: GPL-2.0-or-later */
/* How many operations make a repetition. */
#ifndef KREGRESS_AGENT_CALIBRATE_H
#define KREGRESS_AGENT_CALIBRATE_H

#include <stdint.h>

/* More loops than that are a sign that the measurement does not grow with them. */
#define CALIBRATE_LOOPS_MAX (UINT64_C(1) << 40)

/* Runs `loops` operations and gives their duration; -1 when it failed. */
typedef int calibrate_measure(void *context, uint64_t loops, uint64_t *elapsed);

/*
 * Finds the smallest number of loops, `first` times a power of two, whose shorter duration of two
 * measurements reaches `target`: a single disturbance does not end the search too early, and
 * every boot of a kernel comes to the same number. Returns 0; -1 when a measurement failed; 1 when
 * CALIBRATE_LOOPS_MAX was not enough.
 */
int calibrate(calibrate_measure *measure, void *context, uint64_t first, uint64_t target,
	      uint64_t *loops);

#endif
