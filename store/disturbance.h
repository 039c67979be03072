/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What came from outside while the invocations of a boot ran, and which of them it disturbed.
 * Kept in the boot's `extra`, as `"disturbance":[{"benchmark","params","invocation","duration_ns",
 * "steal_ns","involuntary_switches","interrupts","samples"}]`: stores and documents without it stay
 * valid. `samples`, where it is known, holds the same four numbers of each repetition, as arrays.
 */
#ifndef KREGRESS_STORE_DISTURBANCE_H
#define KREGRESS_STORE_DISTURBANCE_H

#include <jansson.h>

#include "store/run_set.h"

/*
 * An invocation, or a repetition of one, is disturbed when the hypervisor stole more than
 * DISTURBED_STEAL_FRAC of its duration (summed over CPUs), or when its involuntary switches or
 * interrupts per second are above DISTURBED_FACTOR times the median of the run set's invocations
 * (repetitions) of that benchmark, plus an allowance for a rare event in a short run. Many
 * benchmarks switch and interrupt by themselves: only what is out of their own line counts.
 */
#define DISTURBED_STEAL_FRAC		   0.01
#define DISTURBED_FACTOR		   3.0
#define DISTURBED_SWITCHES_ALLOWED_PER_S   50.0
#define DISTURBED_INTERRUPTS_ALLOWED_PER_S 2000.0

/* What came from outside, for its duration. */
struct disturbance_rates {
	double steal_frac;
	double switches_per_s;
	double interrupts_per_s;
	bool disturbed;
};

struct disturbed_invocation {
	char *label; /* series_label() of benchmark and parameters */
	uint32_t boot;
	uint32_t invocation;
	struct disturbance_rates whole;
	struct disturbance_rates *repetitions; /* NULL: nothing is known of them */
	size_t repetition_count;
};

struct disturbance_list {
	struct disturbed_invocation *items;
	size_t count;
	size_t capacity;
};

/* Puts the array of objects into the boot's `extra`, beside what is there. Takes no reference. */
void disturbance_keep(struct boot *boot, json_t *invocations);

/* All invocations of the set of which something is known, judged. Release with the second one. */
void disturbance_judge(const struct run_set *set, struct disturbance_list *list);
void disturbance_release(struct disturbance_list *list);

/* How many invocations are disturbed, and how many repetitions. */
size_t disturbance_count(const struct disturbance_list *list);
size_t disturbance_count_repetitions(const struct disturbance_list *list);

/*
 * Takes the samples of disturbed repetitions out of the set in memory, or of disturbed invocations
 * where nothing is known of their repetitions; for each series and boot only where at least half of
 * its samples remain. Returns how many samples were taken out.
 */
size_t disturbance_leave_out(struct run_set *set);

#endif
