/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Nested levels of variance: boots, invocations within a boot, iterations within an invocation.
 *
 * Source: Kalibera & Jones, Rigorous Benchmarking in Reasonable Time (ISMM 2013), whose T squared
 * is the component and whose repetition counts these are; for unequal numbers the analysis of
 * variance estimators (Searle, Casella & McCulloch, Variance Components, 1992, chapter 5), which
 * are the same where the numbers are equal.
 */
#ifndef KREGRESS_ANALYZER_VARIANCE_COMPONENTS_H
#define KREGRESS_ANALYZER_VARIANCE_COMPONENTS_H

#include <stdbool.h>
#include <stddef.h>

enum variance_level {
	VARIANCE_ITERATION,
	VARIANCE_INVOCATION,
	VARIANCE_BOOT,
	VARIANCE_LEVELS,
};

/* Values in order: all of the first boot, its first invocation first. */
struct nested_samples {
	const double *values;
	const size_t *iterations;  /* of each invocation, > 0, in order over all boots */
	const size_t *invocations; /* of each boot, > 0 */
	size_t n_boots;
};

struct variance_components {
	bool known; /* false: fewer than two values, or one that is not finite */
	double mean;
	/*
	 * Where nothing repeats at a level (one invocation in every boot, say) its component cannot
	 * be told from that of the next level that repeats, which then holds both.
	 */
	bool estimable[VARIANCE_LEVELS];
	/*
	 * Unbiased, and so negative now and then where the truth is near 0; 0 when not estimable.
	 * `held` is the same with negative ones as 0, and for plans.
	 */
	double variance[VARIANCE_LEVELS];
	double held[VARIANCE_LEVELS];
	/* Share of each level in the variance of one value; all 0 without variance. */
	double share_frac[VARIANCE_LEVELS];
	/* Share of each level in the variance of the overall mean, with the numbers at hand: more
	 * repetitions help where it is large. */
	double mean_share_frac[VARIANCE_LEVELS];
	enum variance_level dominant; /* the largest share of one value's variance */
	/* Highest level with a positive component: the one to repeat and to infer at. */
	enum variance_level highest;
};

/* Values are held to magnitudes whose squares are finite: beyond 1e150, components are not known.
 */
struct variance_components variance_components_of(const struct nested_samples *samples);

/* Seconds that each level costs by itself: a boot without its invocations, and so on. */
struct level_costs {
	double seconds[VARIANCE_LEVELS];
};

/* Repetitions below a boot: invocations in a boot, iterations in an invocation. */
struct level_counts {
	double iterations;
	double invocations;
};

/*
 * The counts that give the most precision for the time, not rounded: the root of the ratio of the
 * costs times the inverse ratio of the components. Without variance at the lower level 1; without
 * any at the upper, or at no cost below, `most`.
 */
struct level_counts variance_optimal_counts(const double variance[VARIANCE_LEVELS],
					    const struct level_costs *costs, double most);

#endif
