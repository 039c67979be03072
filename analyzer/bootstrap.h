/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Bootstrap interval of a ratio, candidate to base, by resampling the values of each side (which
 * are to be the boots): bias-corrected and accelerated, Efron, Journal of the American Statistical
 * Association 82 (1987), the acceleration from the jackknife of both samples as in Davison &
 * Hinkley, Bootstrap Methods and their Application (1997), section 5.3.2.
 *
 * Second-order accurate, which is no help for very few values: below about ten a side it covers
 * less than it says (docs/statistics.md has the figures), and the closed intervals are to be
 * preferred.
 */
#ifndef KREGRESS_ANALYZER_BOOTSTRAP_H
#define KREGRESS_ANALYZER_BOOTSTRAP_H

#include <stdbool.h>
#include <stddef.h>

#include "analyzer/interval.h"

#define BOOTSTRAP_RESAMPLES 2000

enum bootstrap_statistic {
	BOOTSTRAP_MEANS,
	BOOTSTRAP_MEDIANS,
	BOOTSTRAP_GEOMETRIC_MEANS,
};

struct bootstrap {
	bool known; /* false: a side has n < 2, or values are not all finite and of one sign */
	double ratio;
	double bias;	     /* z0: normal quantile of the share of replicates below the ratio */
	double acceleration; /* a */
	struct interval interval; /* at 1 - alpha; not known when no replicate differs */
};

/*
 * `replicates` has room for `resamples` values and gets those of the bootstrap in ascending order
 * (none when the ratio is not known). `seed` sets the Mersenne twister.
 */
struct bootstrap bootstrap_ratio(const double *base, size_t n_base, const double *candidate,
				 size_t n_candidate, enum bootstrap_statistic statistic,
				 double alpha, unsigned long seed, double *replicates,
				 size_t resamples);

#endif
