/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Warm-up: the leading samples of an invocation before it has settled.
 *
 * Rule. The second half is the reference; no more than the first half is ever marked.
 * 1. Cold start: leading samples farther than STEADY_STATE_FENCE (1 + STEADY_STATE_FENCE / m)
 *    robust standard deviations (1.4826 median absolute deviations) from the median of the m
 *    reference samples are marked; so far out lies one normal sample in 90 for m = 4, in 10000
 *    for m = 20. One slow first sample, the most common warm-up, has too little weight for any
 *    rank test.
 * 2. Settling: of the rest, the split between the first k and those behind, k up to half, that is
 *    the most significant in a rank test (Mann-Whitney with ties, as Pettitt scans, Applied
 *    Statistics 28, 1979, but standardised for each k). Where the p of the maximum over all splits
 *    (Miller & Siegmund, Biometrics 38, 1982) is below STEADY_STATE_LEVEL, the first k are marked.
 *    The statistic is shrunk by the lag-1 autocorrelation of the reference's ranks about their
 *    trend, so that a slow random wave is not taken for a warm-up.
 * Step 2 is repeated on what is left, which follows a curve that flattens, until nothing is found.
 *
 * Of flat series, spikes and autocorrelation up to .3 included, fewer than 5% get any mark; the
 * tests hold the rule to that. The rule marks; what to do with marked samples is the caller's.
 */
#ifndef KREGRESS_ANALYZER_STEADY_STATE_H
#define KREGRESS_ANALYZER_STEADY_STATE_H

#include <stdbool.h>
#include <stddef.h>

#define STEADY_STATE_MIN   8
#define STEADY_STATE_FENCE 6.0
#define STEADY_STATE_LEVEL 0.05

struct steady_state {
	bool known;	/* false: fewer than STEADY_STATE_MIN samples, or one not finite */
	size_t warm_up; /* leading samples to leave out; at most n / 2 */
	/* False when the values still move at half of the run, so that none of it may be steady. */
	bool reached;
};

struct steady_state steady_state_of(const double *samples, size_t n);

#endif
