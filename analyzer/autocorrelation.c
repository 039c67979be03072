/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "analyzer/autocorrelation.h"

#include <float.h>
#include <math.h>

#include <gsl/gsl_cdf.h>

#include "analyzer/moments.h"
#include "analyzer/scratch.h"

/* Deviations from the mean, scaled; false where there are none to speak of. */
static bool take_deviations(double *deviations, size_t n)
{
	int exponent;
	double mean;
	bool vary = false;

	for (size_t i = 0; i < n; i++) {
		if (!isfinite(deviations[i]))
			return false;
		vary = vary || deviations[i] != deviations[0];
	}
	exponent = moments_exponent(deviations, n);
	for (size_t i = 0; i < n; i++)
		deviations[i] = ldexp(deviations[i], -exponent);
	mean = moments_of(deviations, n).mean;
	for (size_t i = 0; i < n; i++)
		deviations[i] -= mean;
	/* Once more, so that tiny deviations from a large mean have squares, too. */
	exponent = moments_exponent(deviations, n);
	for (size_t i = 0; i < n; i++)
		deviations[i] = ldexp(deviations[i], -exponent);
	return vary;
}

static double product_sum(const double *deviations, size_t n, size_t lag)
{
	double sum = 0;

	for (size_t i = 0; i + lag < n; i++)
		sum += deviations[i] * deviations[i + lag];
	return sum;
}

/* Sums of neighbouring coefficients, as long as they are positive and fall. */
static double effective_n(const double *deviations, size_t n, double squares)
{
	double last = DBL_MAX;
	double time = -1;

	for (size_t lag = 0; lag + 1 < n; lag += 2) {
		double pair = product_sum(deviations, n, lag) / squares;

		pair += product_sum(deviations, n, lag + 1) / squares;
		if (!(pair > 0))
			break;
		last = fmin(last, pair);
		time += 2 * last;
	}
	return fmax(1, (double)n / fmax(time, 1));
}

struct autocorrelation autocorrelation_of(const double *values, size_t n)
{
	struct autocorrelation result = {.p = 1, .effective_n = (double)n};
	_scratch_ double *deviations = scratch_copy(values, n);
	double count = (double)n;
	double squares, error;

	if (n < 3 || !take_deviations(deviations, n))
		return result;
	squares = product_sum(deviations, n, 0);
	error = (count - 2) / (count * sqrt(count - 1));
	result.known = true;
	result.lag1 = product_sum(deviations, n, 1) / squares;
	result.p = 2 * gsl_cdf_ugaussian_Q(fabs(result.lag1 + 1 / count) / error);
	result.p = fmin(fmax(result.p, DBL_MIN), 1);
	result.effective_n = effective_n(deviations, n, squares);
	return result;
}
