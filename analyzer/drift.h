/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Drift along the order in which values were taken.
 *
 * Trend: Mann, Econometrica 13 (1945), and Kendall, Rank Correlation Methods (1975). S is the
 * number of pairs that rise less those that fall. Up to DRIFT_EXACT_MAX values its null
 * distribution is exact, given the ties: tied values are put in one group after the other, and the
 * inversions that a group adds are distributed as the Mann-Whitney count. Beyond, it is normal with
 * the variance corrected for ties and a continuity correction.
 *
 * Slope: median of the slopes of all pairs (Theil 1950; Sen, Journal of the American Statistical
 * Association 63, 1968) with Sen's normal interval. Above DRIFT_PAIRS_MAX values it is the median
 * over pairs half the run apart (Theil's incomplete method), without an interval.
 *
 * The test supposes values that are independent but for the drift; autocorrelation raises its
 * false alarms.
 */
#ifndef KREGRESS_ANALYZER_DRIFT_H
#define KREGRESS_ANALYZER_DRIFT_H

#include <stdbool.h>
#include <stddef.h>

#include "analyzer/interval.h"

#define DRIFT_EXACT_MAX 50
#define DRIFT_PAIRS_MAX 1000

struct drift {
	bool known; /* false: n < 3, no variance, or a value that is not finite */
	double s;   /* Mann-Kendall's S, positive when the values rise */
	double p;   /* two-sided; 1 when not known */
	bool exact;
	double slope;		  /* in the values' unit per place in the order */
	struct interval slope_ci; /* at 1 - alpha */
};

/* `values` in the order they were taken. An alpha outside (0, 1) counts as 0.05. */
struct drift drift_of(const double *values, size_t n, double alpha);

#endif
