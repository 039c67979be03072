/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Order statistics of a sample. */
#ifndef KREGRESS_ANALYZER_QUANTILE_H
#define KREGRESS_ANALYZER_QUANTILE_H

#include <stddef.h>

void quantile_sort(double *values, size_t n);

/*
 * Quantile at `fraction` (0 to 1, others are held to the ends) of values in ascending order:
 * type 7 of Hyndman & Fan, The American Statistician 50 (1996). n must be > 0.
 */
double quantile_of_sorted(const double *sorted, size_t n, double fraction);

/* Sorts the values and gives the middle one, or the mean of the middle two. n must be > 0. */
double quantile_median(double *values, size_t n);

#endif
