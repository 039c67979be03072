/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "analyzer/yuen.h"

#include <math.h>

#include "analyzer/quantile.h"
#include "analyzer/scaled.h"

struct moments yuen_moments(const double *sorted, size_t n)
{
	size_t trimmed = (size_t)floor(YUEN_TRIM * (double)n);
	size_t left = n - 2 * trimmed;
	_scratch_ double *winsorized = scratch_copy(sorted, n);
	struct moments moments = moments_of(sorted + trimmed, left);

	if (n < 2)
		return moments;
	for (size_t i = 0; i < trimmed; i++) {
		winsorized[i] = sorted[trimmed];
		winsorized[n - 1 - i] = sorted[n - 1 - trimmed];
	}
	moments.sd = moments_of(winsorized, n).sd * sqrt((double)(n - 1) / (double)(left - 1));
	return moments;
}

struct welch yuen_test(const double *base, size_t n_base, const double *candidate,
		       size_t n_candidate, double alpha)
{
	struct welch welch = {0};
	struct moments base_moments, candidate_moments;
	_scaled_ struct scaled scaled = {0};

	if (!scaled_init(&scaled, base, n_base, candidate, n_candidate))
		return welch;
	quantile_sort(scaled.base, n_base);
	quantile_sort(scaled.candidate, n_candidate);
	base_moments = yuen_moments(scaled.base, n_base);
	candidate_moments = yuen_moments(scaled.candidate, n_candidate);
	welch = welch_test(&base_moments, &candidate_moments, alpha);
	welch.difference = moments_scale(welch.difference, scaled.exponent);
	welch.interval.low = moments_scale(welch.interval.low, scaled.exponent);
	welch.interval.high = moments_scale(welch.interval.high, scaled.exponent);
	return welch;
}
