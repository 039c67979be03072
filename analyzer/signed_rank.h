/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Wilcoxon's signed rank test of pairs (Biometrics Bulletin 1, 1945), with mid-ranks.
 *
 * Differences of zero take part in the ranking and are left out of the sum: Pratt, Journal of the
 * American Statistical Association 54 (1959). The null distribution is conditional on ties and
 * zeros, and exact up to SIGNED_RANK_EXACT_MAX pairs; beyond, normal with the variance of the
 * ranks at hand and a continuity correction of one half. The two-sided p is the probability of a
 * sum at least as far from the middle.
 */
#ifndef KREGRESS_ANALYZER_SIGNED_RANK_H
#define KREGRESS_ANALYZER_SIGNED_RANK_H

#include <stdbool.h>
#include <stddef.h>

#include "analyzer/interval.h"

#define SIGNED_RANK_EXACT_MAX 200
/* With more pairs no estimate or interval is computed, as it takes memory with the square. */
#define SIGNED_RANK_PAIRS_MAX 1500

struct signed_rank {
	bool known; /* false: no pairs, or a difference that is not finite; p is 1 then */
	double w;   /* sum of the ranks of the pairs whose candidate is larger */
	double p;   /* two-sided */
	double p_less;
	double p_greater;
	bool exact;
};

struct signed_rank signed_rank_test(const double *base, const double *candidate, size_t n);

/* An estimate with the interval that belongs to the test; not known for too few pairs. */
struct paired_location {
	bool known;
	double value;
	struct interval interval;
};

/*
 * Hodges-Lehmann shift of pairs: median of the means of two differences each, a difference with
 * itself included (Walsh averages).
 */
struct paired_location signed_rank_shift(const double *base, const double *candidate, size_t n,
					 double alpha);

/*
 * The ratios that the test does not reject: r for which the candidate is told from r times the
 * base. Its bounds are order statistics of (c[i] + c[j]) / (b[i] + b[j]). Values all of one sign.
 */
struct paired_location signed_rank_ratio(const double *base, const double *candidate, size_t n,
					 double alpha);

/*
 * The largest k with P(W <= k - 1) below alpha / 2 without ties: the k-th smallest and largest
 * Walsh average bound the interval. 0 when n is too small for any.
 */
size_t signed_rank_critical(size_t n, double alpha);

#endif
