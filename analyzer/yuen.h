/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Yuen's test of two trimmed means: Yuen, Biometrika 61 (1974). It is Welch's test with the
 * trimmed means, their errors from the winsorised variances, and the values that are left as the
 * sizes; hence the moments below may be given to whatever takes a sample's moments.
 */
#ifndef KREGRESS_ANALYZER_YUEN_H
#define KREGRESS_ANALYZER_YUEN_H

#include <stddef.h>

#include "analyzer/moments.h"
#include "analyzer/welch.h"

/* Of the values at each end, the share that is left out, rounded down; none of fewer than five. */
#define YUEN_TRIM 0.2

/*
 * `n` is the number of values left, `mean` their mean, and `sd` such that sd / sqrt(n) is the
 * error of the trimmed mean. Values finite, in ascending order.
 */
struct moments yuen_moments(const double *sorted, size_t n);

/* See struct welch; not known for a value that is not finite, or without winsorised variance. */
struct welch yuen_test(const double *base, size_t n_base, const double *candidate,
		       size_t n_candidate, double alpha);

#endif
