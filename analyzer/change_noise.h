/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Noise of a series that may hold changes, and the series with its spikes cut.
 *
 * Scale and lag-1 autocorrelation come from differences at small lags, which a few steps hardly
 * touch: for an AR(1) process the variance of a difference over k points is 2 sd^2 (1 - phi^k).
 * Squares are cut at three robust standard deviations. Where the lag-1 coefficient says more than
 * CHANGE_NOISE_LAG1_MAX (a random walk, a smooth curve), it is held there and the scale is taken
 * from the longest lag.
 */
#ifndef KREGRESS_ANALYZER_CHANGE_NOISE_H
#define KREGRESS_ANALYZER_CHANGE_NOISE_H

#include <stddef.h>

#define CHANGE_NOISE_LAG1_MAX 0.75
#define CHANGE_SPIKE_REACH    5 /* points on each side that decide whether one is a spike */

struct change_noise {
	double sd;     /* of single points; > 0 whenever two values differ */
	double lag1;   /* from 0 to CHANGE_NOISE_LAG1_MAX, cautious: raised by its bias and error */
	double jitter; /* sd of a difference of neighbours, over sqrt(2) */
};

/* n >= 2 finite values. */
struct change_noise change_noise_of(const double *values, size_t n);

/*
 * Point `at` with spikes cut: held to 3 jitters about the median of its neighbourhood, and put on
 * a local median when it is far from both sides and no three points in a row are out there.
 */
double change_noise_cut(const double *values, size_t n, size_t at, double jitter);

/*
 * Variance of the mean of `count` points, times count, over the variance of one point: 1 without
 * autocorrelation, and (1 + lag1) / (1 - lag1) for a large count.
 */
double change_noise_inflation(double lag1, size_t count);

#endif
