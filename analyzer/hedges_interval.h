/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Exact interval of the standardised difference that Hedges' g estimates, for normal values of
 * equal variance, by inverting the noncentral t distribution of the pooled statistic: Steiger &
 * Fouladi, in What if there were no significance tests? (1997).
 */
#ifndef KREGRESS_ANALYZER_HEDGES_INTERVAL_H
#define KREGRESS_ANALYZER_HEDGES_INTERVAL_H

#include "analyzer/interval.h"
#include "analyzer/moments.h"

/*
 * Not known when a side has n < 2, without variance, or beyond 1000 standard errors. It contains
 * zero exactly when the pooled t test at alpha does not reject.
 */
struct interval hedges_interval(const struct moments *base, const struct moments *candidate,
				double alpha);

#endif
