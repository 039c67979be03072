/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "analyzer/drift.h"

#include <float.h>
#include <math.h>

#include <gsl/gsl_cdf.h>

#include "analyzer/moments.h"
#include "analyzer/quantile.h"
#include "analyzer/rank_null.h"
#include "analyzer/scratch.h"

/* Merges the sorted halves of values[0..n) and counts the pairs in falling order. */
static double merge_halves(double *values, double *room, size_t half, size_t n)
{
	size_t left = 0;
	size_t right = half;
	double falling = 0;

	for (size_t i = 0; i < n; i++) {
		if (right == n || (left < half && values[left] <= values[right])) {
			room[i] = values[left++];
		} else {
			falling += (double)(half - left);
			room[i] = values[right++];
		}
	}
	memcpy(values, room, n * sizeof(*values));
	return falling;
}

/* Sorts the values and counts the pairs that were in falling order; bottom up. */
static double sort_counting(double *values, size_t n)
{
	_scratch_ double *room = scratch_new(n, sizeof(*room));
	double falling = 0;

	for (size_t half = 1; half < n; half *= 2) {
		for (size_t start = 0; start + half < n; start += 2 * half) {
			size_t length = n - start < 2 * half ? n - start : 2 * half;

			falling += merge_halves(values + start, room, half, length);
		}
	}
	return falling;
}

struct tie_groups {
	size_t *sizes; /* owned */
	size_t count;
	double tied_pairs;
	double variance; /* of S */
};

static void tie_groups_init(struct tie_groups *groups, const double *sorted, size_t n)
{
	double count = (double)n;

	*groups = (struct tie_groups){.sizes = scratch_new(n, sizeof(*groups->sizes))};
	groups->variance = count * (count - 1) * (2 * count + 5) / 18;
	for (size_t start = 0; start < n;) {
		size_t end = start + 1;
		double size;

		while (end < n && sorted[end] == sorted[start])
			end++;
		size = (double)(end - start);
		groups->sizes[groups->count++] = end - start;
		groups->tied_pairs += size * (size - 1) / 2;
		groups->variance -= size * (size - 1) * (2 * size + 5) / 18;
		start = end;
	}
}

/*
 * Adds to the distribution of inversions over 0 to `most` those between `size` new values and the
 * `before` values already there: the rank sums of `size` out of before + size values.
 */
static void add_group(double *inversions, size_t most, size_t before, size_t size)
{
	_scratch_ double *old = scratch_copy(inversions, most + 1);
	size_t least_sum = size * (size + 1);
	struct rank_null null;

	rank_null_init(&null, NULL, 0, before + size, size);
	memset(inversions, 0, (most + 1) * sizeof(*inversions));
	for (size_t added = 0; added <= before * size; added++) {
		double share = null.counts[least_sum + 2 * added] / null.total;

		for (size_t i = 0; i + added <= most; i++)
			inversions[i + added] += share * old[i];
	}
	rank_null_release(&null);
}

/* P(|S| >= s): the distribution is symmetric, and S is the untied pairs less twice the falls. */
static double exact_p(const struct tie_groups *groups, size_t n, double s)
{
	size_t pairs = n * (n - 1) / 2;
	double untied = (double)pairs - groups->tied_pairs;
	size_t most = (size_t)untied;
	_scratch_ double *inversions = scratch_new(most + 1, sizeof(*inversions));
	size_t before = 0;
	double p = 0;

	inversions[0] = 1;
	for (size_t i = 0; i < groups->count; i++) {
		add_group(inversions, most, before, groups->sizes[i]);
		before += groups->sizes[i];
	}
	for (size_t i = 0; i <= most && untied - 2 * (double)i >= fabs(s); i++)
		p += inversions[i];
	return s == 0 ? 1 : 2 * p;
}

static double normal_p(const struct tie_groups *groups, double s)
{
	return 2 * gsl_cdf_ugaussian_Q(fmax(fabs(s) - 1, 0) / sqrt(groups->variance));
}

/* Slopes of all pairs, or of those half a run apart; their number. */
static size_t take_slopes(const double *values, size_t n, double *slopes)
{
	size_t half = (n + 1) / 2;
	size_t count = 0;

	for (size_t i = 0; n > DRIFT_PAIRS_MAX && i + half < n; i++)
		slopes[count++] = (values[i + half] - values[i]) / (double)half;
	for (size_t i = 0; n <= DRIFT_PAIRS_MAX && i < n; i++) {
		for (size_t j = i + 1; j < n; j++)
			slopes[count++] = (values[j] - values[i]) / (double)(j - i);
	}
	return count;
}

/* Sen's interval: the slopes whose ranks lie z standard deviations of S about the middle. */
static struct interval slope_interval(const double *slopes, size_t count, double variance,
				      double alpha)
{
	double width = gsl_cdf_ugaussian_Qinv(alpha / 2) * sqrt(variance);
	double low = floor(((double)count - width) / 2);
	double high = ceil(((double)count + width) / 2);

	if (!(low >= 1) || !(high < (double)count))
		return (struct interval){0};
	return (struct interval){slopes[(size_t)low - 1], slopes[(size_t)high], true};
}

static void measure_slope(struct drift *result, const double *values, size_t n, double variance,
			  double alpha)
{
	size_t room = n <= DRIFT_PAIRS_MAX ? n * (n - 1) / 2 : n / 2;
	_scratch_ double *slopes = scratch_new(room, sizeof(*slopes));
	_scratch_ double *scaled = scratch_copy(values, n);
	int exponent = moments_exponent(values, n) + 1;
	struct interval interval = {0};
	size_t count;

	for (size_t i = 0; i < n; i++)
		scaled[i] = ldexp(scaled[i], -exponent);
	count = take_slopes(scaled, n, slopes);
	result->slope = moments_scale(quantile_median(slopes, count), exponent);
	if (n <= DRIFT_PAIRS_MAX)
		interval = slope_interval(slopes, count, variance, alpha);
	if (interval.known)
		result->slope_ci = (struct interval){moments_scale(interval.low, exponent),
						     moments_scale(interval.high, exponent), true};
}

static bool all_finite(const double *values, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		if (!isfinite(values[i]))
			return false;
	}
	return true;
}

struct drift drift_of(const double *values, size_t n, double alpha)
{
	struct drift result = {.p = 1};
	_scratch_ double *sorted = scratch_copy(values, n);
	struct tie_groups groups;
	double falling;

	if (n < 3 || !all_finite(values, n))
		return result;
	if (!(alpha > 0 && alpha < 1))
		alpha = 0.05;
	falling = sort_counting(sorted, n);
	tie_groups_init(&groups, sorted, n);
	if (groups.count > 1) {
		result.known = true;
		result.s = (double)n * (double)(n - 1) / 2 - groups.tied_pairs - 2 * falling;
		result.exact = n <= DRIFT_EXACT_MAX;
		result.p =
			result.exact ? exact_p(&groups, n, result.s) : normal_p(&groups, result.s);
		result.p = fmin(fmax(result.p, DBL_MIN), 1);
		measure_slope(&result, values, n, groups.variance, alpha);
	}
	free(groups.sizes);
	return result;
}
