/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The same start for every repetition, where the clock counts instructions. */
#ifndef KREGRESS_AGENT_SETTLE_H
#define KREGRESS_AGENT_SETTLE_H

/*
 * Keeps the CPU busy until CLOCK_MONOTONIC is at a multiple of SETTLE_PERIOD_NS, at least
 * SETTLE_LEAST_NS from now. Sleepers then have lost what the last repetition left them in virtual
 * run time, and the start has the same distance to the timer tick: the period is a multiple of
 * the tick at 100, 250 and 1000 Hz.
 */
#define SETTLE_PERIOD_NS 20000000
#define SETTLE_LEAST_NS	 6000000

void settle(void);

#endif
