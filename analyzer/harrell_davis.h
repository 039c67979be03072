/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Quantiles as weighted means of all order statistics, with the jackknife's standard error:
 * Harrell & Davis, Biometrika 69 (1982). And the shift function, the difference of two samples'
 * quantiles, which shows where two distributions differ: Doksum, Annals of Statistics 2 (1974),
 * with Harrell-Davis quantiles as in Wilcox, Computational Statistics & Data Analysis 19 (1995).
 */
#ifndef KREGRESS_ANALYZER_HARRELL_DAVIS_H
#define KREGRESS_ANALYZER_HARRELL_DAVIS_H

#include <stdbool.h>
#include <stddef.h>

#include "analyzer/interval.h"

struct harrell_davis {
	bool known; /* false: no values, one not finite, or a fraction that is not within (0, 1) */
	double value;
	double error; /* standard error; 0 when n < 3 */
};

/* Values in ascending order. */
struct harrell_davis harrell_davis_quantile(const double *sorted, size_t n, double fraction);

struct shift_point {
	double fraction;
	bool known;
	double base; /* the quantiles */
	double candidate;
	double shift; /* candidate minus base */
	/*
	 * At 1 - alpha for this point alone, by Student's t with Satterthwaite's degrees of
	 * freedom; for `count` points together give alpha / count. Not known when a side has n < 3
	 * or neither has an error.
	 */
	struct interval interval;
};

/* Fills points[0..count) for the fractions they hold. Samples in any order. */
void shift_function(const double *base, size_t n_base, const double *candidate, size_t n_candidate,
		    double alpha, struct shift_point *points, size_t count);

#endif
