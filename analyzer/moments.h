/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Mean and standard deviation.
 *
 * Method: the values are scaled by a power of two, so that nothing overflows; the sum is carried
 * in two doubles (Neumaier 1974), and the variance comes from the corrected two-pass formula of
 * Chan, Golub & LeVeque, The American Statistician 37 (1983), with the residue of the mean
 * subtracted.
 */
#ifndef KREGRESS_ANALYZER_MOMENTS_H
#define KREGRESS_ANALYZER_MOMENTS_H

#include <stddef.h>

struct moments {
	size_t n;
	double mean; /* exactly the value when all values are equal; 0 when n is 0 */
	double sd;   /* divisor n - 1; 0 when n < 2 */
};

/* The values are finite; a standard deviation beyond the range of double becomes DBL_MAX. */
struct moments moments_of(const double *values, size_t n);

/* Exponent e for which max |value| / 2^e lies in [0.5, 1); 0 when all values are zero. */
int moments_exponent(const double *values, size_t n);

/* value * 2^exponent, held within +-DBL_MAX. */
double moments_scale(double value, int exponent);

#endif
