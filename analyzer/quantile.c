/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "analyzer/quantile.h"

#include <math.h>

#include <gsl/gsl_sort.h>

void quantile_sort(double *values, size_t n)
{
	gsl_sort(values, 1, n);
}

double quantile_of_sorted(const double *sorted, size_t n, double fraction)
{
	double position = fmin(fmax(fraction, 0), 1) * (double)(n - 1);
	size_t index = (size_t)position;
	double weight = position - (double)index;

	if (index + 1 >= n)
		return sorted[n - 1];
	if (sorted[index] == sorted[index + 1])
		return sorted[index];
	/* A weighted sum, not a difference, so that huge values of both signs do not overflow. */
	return (1 - weight) * sorted[index] + weight * sorted[index + 1];
}

double quantile_median(double *values, size_t n)
{
	quantile_sort(values, n);
	return quantile_of_sorted(values, n, 0.5);
}
