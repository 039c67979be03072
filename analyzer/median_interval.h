/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The median with a confidence interval from order statistics, which assumes nothing of the
 * distribution but independent values.
 *
 * Of n values, the number below the population's median is binomial (n, 1/2); the r-th smallest and
 * the r-th largest value therefore enclose the median with probability 1 - 2 P(X < r). The interval
 * takes the largest r for which that is at least 1 - alpha. Both ends have the same rank, so each
 * side is missed equally often. For a distribution with ties the coverage is a lower bound.
 *
 * Source: Thompson, Annals of Mathematical Statistics 7 (1936); David & Nagaraja, Order Statistics
 * (2003), section 7.1.
 */
#ifndef KREGRESS_ANALYZER_MEDIAN_INTERVAL_H
#define KREGRESS_ANALYZER_MEDIAN_INTERVAL_H

#include <stdbool.h>
#include <stddef.h>

#include "analyzer/interval.h"

struct median_interval {
	bool known;    /* false: no values, or one is not finite; all else is 0 then */
	double median; /* the middle value, or the mean of the middle two */
	/*
	 * In the unit of the values. Not known when alpha is not within (0, 1) or even the smallest
	 * and the largest value enclose too little: n below median_interval_smallest_n().
	 */
	struct interval interval;
	size_t rank;	      /* r above, from 1; 0 when the interval is not known */
	double coverage_frac; /* of the interval, at least 1 - alpha; 0 when it is not known */
};

/* Values in any order, which are not changed; n may be 0. Time grows as n log n. */
struct median_interval median_interval_of(const double *values, size_t n, double alpha);

/* The smallest n that has an interval at alpha: 6 at 5%. 0 when alpha is not within (0, 1). */
size_t median_interval_smallest_n(double alpha);

#endif
