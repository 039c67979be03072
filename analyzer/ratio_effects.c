/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "analyzer/ratio_effects.h"

#include <math.h>

#include <gsl/gsl_cdf.h>

#include "analyzer/quantile.h"
#include "analyzer/scaled.h"
#include "analyzer/welch.h"

/* The logarithms of the magnitudes in ascending order of magnitude, owned; NULL when there is none.
 */
static double *logs_of(const double *values, size_t n, double sign)
{
	double *logs = scratch_new(n, sizeof(*logs));

	for (size_t i = 0; i < n; i++) {
		if (!(values[i] * sign > 0) || !isfinite(values[i])) {
			free(logs);
			return NULL;
		}
		logs[i] = log(values[i] * sign);
	}
	quantile_sort(logs, n);
	return logs;
}

static struct ratio from_logs(double shift, struct interval interval)
{
	struct ratio ratio = {0};

	ratio.known = isnormal(exp(shift));
	if (!ratio.known)
		return ratio;
	ratio.value = exp(shift);
	if (interval.known && isfinite(exp(interval.high)))
		ratio.interval = (struct interval){exp(interval.low), exp(interval.high), true};
	return ratio;
}

struct ratio ratio_of_geometric_means(const double *base, size_t n_base, const double *candidate,
				      size_t n_candidate, double alpha)
{
	_scratch_ double *base_logs = NULL;
	_scratch_ double *candidate_logs = NULL;
	struct moments a, b;

	if (!n_base || !n_candidate)
		return (struct ratio){0};
	base_logs = logs_of(base, n_base, copysign(1, base[0]));
	candidate_logs = logs_of(candidate, n_candidate, copysign(1, base[0]));
	if (!base_logs || !candidate_logs)
		return (struct ratio){0};
	a = moments_of(base_logs, n_base);
	b = moments_of(candidate_logs, n_candidate);
	return from_logs(b.mean - a.mean, welch_test(&a, &b, alpha).interval);
}

/* The middle of ascending magnitudes, from their logarithms: the mean of two is not that of logs.
 */
static double log_median(const double *logs, size_t n)
{
	double low = logs[(n - 1) / 2];
	double high = logs[n / 2];

	return low == high ? low : high + log((1 + exp(low - high)) / 2);
}

/*
 * Variance of the log median: the order statistics c from both ends lie 2 z errors apart, z the
 * normal quantile of the binomial probability that the median lies between them.
 */
static double log_median_variance(const double *logs, size_t n)
{
	double count = (double)n;
	double from_end = fmax(round((count + 1) / 2 - sqrt(count)), 1);
	size_t c = (size_t)from_end;
	double outside = 2 * gsl_cdf_binomial_P((unsigned int)(c - 1), 0.5, (unsigned int)n);
	double error = (logs[n - c] - logs[c - 1]) / (2 * gsl_cdf_ugaussian_Qinv(outside / 2));

	return error * error;
}

struct ratio ratio_of_medians(const double *base, size_t n_base, const double *candidate,
			      size_t n_candidate, double alpha)
{
	_scratch_ double *base_logs = NULL;
	_scratch_ double *candidate_logs = NULL;
	struct interval interval = {0};
	double shift, error, width;

	if (!n_base || !n_candidate)
		return (struct ratio){0};
	base_logs = logs_of(base, n_base, copysign(1, base[0]));
	candidate_logs = logs_of(candidate, n_candidate, copysign(1, base[0]));
	if (!base_logs || !candidate_logs)
		return (struct ratio){0};
	shift = log_median(candidate_logs, n_candidate) - log_median(base_logs, n_base);
	if (n_base < 2 || n_candidate < 2)
		return from_logs(shift, interval);
	error = sqrt(log_median_variance(base_logs, n_base) +
		     log_median_variance(candidate_logs, n_candidate));
	width = gsl_cdf_ugaussian_Qinv(alpha / 2) * error;
	if (error > 0)
		interval = (struct interval){shift - width, shift + width, true};
	return from_logs(shift, interval);
}
