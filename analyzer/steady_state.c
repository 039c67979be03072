/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "analyzer/steady_state.h"

#include <math.h>

#include <gsl/gsl_sort.h>

#include "analyzer/moments.h"
#include "analyzer/quantile.h"
#include "analyzer/scratch.h"

/* Mid-ranks, and the factor by which ties shrink the variance of rank sums. */
static double rank_values(const double *values, size_t n, double *ranks)
{
	_scratch_ size_t *order = scratch_new(n, sizeof(*order));
	double count = (double)n;
	double ties = 0;

	gsl_sort_index(order, values, 1, n);
	for (size_t start = 0; start < n;) {
		size_t end = start + 1;
		double size;

		while (end < n && values[order[end]] == values[order[start]])
			end++;
		for (size_t i = start; i < end; i++)
			ranks[order[i]] = (double)(start + end + 1) / 2;
		size = (double)(end - start);
		ties += size * (size * size - 1);
		start = end;
	}
	return 1 - ties / (count * (count * count - 1));
}

/* Takes the straight line of least squares out of the values. */
static void take_out_trend(double *values, size_t n)
{
	double middle = (double)(n - 1) / 2;
	double mean = moments_of(values, n).mean;
	double products = 0;
	double squares = 0;

	for (size_t i = 0; i < n; i++) {
		double place = (double)i - middle;

		products += place * (values[i] - mean);
		squares += place * place;
	}
	for (size_t i = 0; i < n; i++)
		values[i] -= mean + products / squares * ((double)i - middle);
}

/*
 * Factor on the variance of means for neighbours that depend on one another as in AR(1), at
 * least 1. The coefficient of n residuals from a line is too small by about (2 + 4 rho) / n, which
 * is made up for (after Kendall, Biometrika 41, 1954, for residuals from a mean).
 */
static double dependence(const double *values, size_t n)
{
	_scratch_ double *ranks = scratch_new(n, sizeof(*ranks));
	double squares = 0;
	double products = 0;
	double lag1;

	rank_values(values, n, ranks);
	take_out_trend(ranks, n);
	for (size_t i = 0; i < n; i++) {
		squares += ranks[i] * ranks[i];
		products += i ? ranks[i] * ranks[i - 1] : 0;
	}
	/* A residue of rounding is no variance: ranks differ by one half at least. */
	if (n < 5 || !(squares > 1e-9))
		return 1;
	lag1 = (products / squares + 2 / (double)n) / (1 - 4 / (double)n);
	lag1 = fmin(fmax(lag1, 0), 0.95);
	return (1 + lag1) / (1 - lag1);
}

struct split {
	size_t k;
	double z;
};

/* The most significant split after 1 to `most` values. */
static struct split best_split(const double *ranks, size_t n, size_t most, double tie_factor)
{
	struct split best = {0};
	double count = (double)n;
	double sum = 0;

	for (size_t k = 1; k <= most; k++) {
		double first = (double)k;
		double variance = first * (count - first) * (count + 1) / 12 * tie_factor;
		double z;

		sum += ranks[k - 1];
		z = fabs(sum - first * (count + 1) / 2) / sqrt(variance);
		if (z > best.z)
			best = (struct split){k, z};
	}
	return best;
}

/* P of a maximum >= z over the splits 1 to `most` of n: the tail of a standardised bridge. */
static double maximum_p(double z, size_t n, size_t most)
{
	double density = 0.3989422804014327 * exp(-z * z / 2);
	double odds_low = 1 / (double)(n - 1);
	double odds_high = (double)most / (double)(n - most);

	if (z < 1.5)
		return 1;
	return z * density * (1 - 1 / (z * z)) * log(odds_high / odds_low) + 4 * density / z;
}

/* How many of the leading values have yet to settle; at most `most`. */
static size_t settling(const double *values, size_t n, size_t most, double variance_factor)
{
	_scratch_ double *ranks = scratch_new(n, sizeof(*ranks));
	double tie_factor = rank_values(values, n, ranks);
	struct split best;
	double z;

	if (!most || !(tie_factor > 0))
		return 0;
	best = best_split(ranks, n, most, tie_factor);
	if (!best.k)
		return 0;
	z = best.z / sqrt(variance_factor);
	return maximum_p(z, n, most) < STEADY_STATE_LEVEL ? best.k : 0;
}

struct fence {
	double median;
	double width;
};

/* Of values that are mostly equal, the mean absolute deviation says how they spread. */
static struct fence fence_of(const double *values, size_t n)
{
	_scratch_ double *sorted = scratch_copy(values, n);
	struct fence fence = {.median = quantile_median(sorted, n)};
	double mean;

	for (size_t i = 0; i < n; i++)
		sorted[i] = fabs(values[i] - fence.median);
	mean = moments_of(sorted, n).mean;
	fence.width = 1.4826022185056018 * quantile_median(sorted, n);
	if (!(fence.width > 0))
		fence.width = 1.2533141373155003 * mean;
	fence.width *= STEADY_STATE_FENCE * (1 + STEADY_STATE_FENCE / (double)n);
	return fence;
}

static bool scale(double *values, size_t n)
{
	int exponent = moments_exponent(values, n) + 1;

	for (size_t i = 0; i < n; i++) {
		if (!isfinite(values[i]))
			return false;
		values[i] = ldexp(values[i], -exponent);
	}
	return true;
}

struct steady_state steady_state_of(const double *samples, size_t n)
{
	struct steady_state result = {.reached = true};
	_scratch_ double *values = scratch_copy(samples, n);
	size_t most = n / 2;
	size_t found = 1;
	double variance_factor;
	struct fence fence;

	if (n < STEADY_STATE_MIN || !scale(values, n))
		return result;
	result.known = true;
	fence = fence_of(values + most, n - most);
	while (result.warm_up < most && fabs(values[result.warm_up] - fence.median) > fence.width)
		result.warm_up++;
	variance_factor = dependence(values + most, n - most);
	while (found && result.warm_up < most) {
		found = settling(values + result.warm_up, n - result.warm_up, most - result.warm_up,
				 variance_factor);
		result.warm_up += found;
	}
	result.reached = result.warm_up < most;
	return result;
}
