/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * How far values that follow one another depend on one another.
 *
 * Lag-1 coefficient as Box & Jenkins (Time Series Analysis, 1976) and NIST define it, the sum of
 * products of neighbouring deviations over the sum of squared deviations. Its p against
 * independence is normal with mean -1 / n and variance (n - 2)^2 / (n^2 (n - 1)), after Moran,
 * Biometrika 35 (1948).
 *
 * Effective sample size: n / (1 + 2 sum of the coefficients), the sum taken by the initial monotone
 * sequence of Geyer, Statistical Science 7 (1992): no model of the dependence is assumed.
 * Alternating values are not credited with more than n. With few values (below 50, say) it is a
 * rough guess.
 */
#ifndef KREGRESS_ANALYZER_AUTOCORRELATION_H
#define KREGRESS_ANALYZER_AUTOCORRELATION_H

#include <stdbool.h>
#include <stddef.h>

struct autocorrelation {
	bool known;	    /* false: n < 3, no variance, or a value that is not finite */
	double lag1;	    /* in [-1, 1]; 0 when not known */
	double p;	    /* two-sided, of independence; 1 when not known */
	double effective_n; /* from 1 to n; n when not known */
};

struct autocorrelation autocorrelation_of(const double *values, size_t n);

#endif
