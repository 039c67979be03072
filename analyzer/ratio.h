/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Ratio of two means, candidate to base, with a confidence interval.
 *
 * Method: Fieller's (Journal of the Royal Statistical Society B 16, 1954) with unequal variances:
 * the interval holds every ratio r for which Welch's test does not tell the candidate's mean from
 * r times the base's, the degrees of freedom taken anew for each r. Chosen over the delta method
 * on the log scale because it stays correct when a mean is uncertain, and because the interval
 * leaves out 1 exactly when Welch's p is below alpha: verdict and p cannot disagree. Where a mean
 * is not told from zero, the set has no bound; then the interval is not known.
 */
#ifndef KREGRESS_ANALYZER_RATIO_H
#define KREGRESS_ANALYZER_RATIO_H

#include <stdbool.h>

#include "analyzer/interval.h"
#include "analyzer/moments.h"

struct ratio {
	bool known; /* false: a mean is 0, the signs differ, or the quotient is beyond double */
	double value;
	struct interval interval; /* not known when a side has n < 2 or neither varies */
};

struct ratio ratio_of_means(const struct moments *base, const struct moments *candidate,
			    double alpha);

/* Welch's statistic for the hypothesis that the ratio of the means is `ratio`. */
struct ratio_statistic {
	double t; /* positive when the candidate's mean is farther from zero than that */
	double df;
};

/* The ratio of the means must be known, both n >= 2, `ratio` > 0. */
struct ratio_statistic ratio_statistic_at(const struct moments *base,
					  const struct moments *candidate, double ratio);

#endif
