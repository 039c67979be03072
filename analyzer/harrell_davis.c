/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "analyzer/harrell_davis.h"

#include <math.h>

#include <gsl/gsl_cdf.h>

#include "analyzer/quantile.h"
#include "analyzer/scaled.h"
#include "analyzer/student.h"
#include "analyzer/welch.h"

/* Weights of n order statistics, owned by the caller. */
static double *weights_of(size_t n, double fraction)
{
	double *weights = scratch_new(n, sizeof(*weights));
	double a = ((double)n + 1) * fraction;
	double b = ((double)n + 1) * (1 - fraction);
	double before = 0;

	for (size_t i = 0; i < n; i++) {
		double up_to = i + 1 < n ? gsl_cdf_beta_P((double)(i + 1) / (double)n, a, b) : 1;

		weights[i] = up_to - before;
		before = up_to;
	}
	return weights;
}

/* Error from the n estimates without one value each, found by sums from both ends. */
static double jackknife_error(const double *sorted, size_t n, double fraction)
{
	_scratch_ double *weights = weights_of(n - 1, fraction);
	_scratch_ double *estimates = scratch_new(n, sizeof(*estimates));
	double count = (double)n;
	double below = 0;
	double above = 0;

	for (size_t i = 0; i < n; i++) {
		estimates[i] = below;
		if (i + 1 < n)
			below += weights[i] * sorted[i];
	}
	for (size_t i = n; i-- > 0;) {
		estimates[i] += above;
		if (i > 0)
			above += weights[i - 1] * sorted[i];
	}
	/* The sum of squares is (n - 1) sd^2; the jackknife's variance (n - 1) / n times it. */
	return moments_of(estimates, n).sd * (count - 1) / sqrt(count);
}

/* Values of magnitude 1 at most. */
static struct harrell_davis estimate(const double *sorted, size_t n, double fraction)
{
	struct harrell_davis quantile = {.known = true};
	_scratch_ double *weights = weights_of(n, fraction);
	double rest = 0;

	/* About the middle value, so that equal values give exactly that value. */
	for (size_t i = 0; i < n; i++)
		rest += weights[i] * (sorted[i] - sorted[n / 2]);
	quantile.value = sorted[n / 2] + rest;
	if (n >= 3 && sorted[0] < sorted[n - 1])
		quantile.error = jackknife_error(sorted, n, fraction);
	return quantile;
}

static bool is_fraction(double fraction)
{
	return fraction > 0 && fraction < 1;
}

struct harrell_davis harrell_davis_quantile(const double *sorted, size_t n, double fraction)
{
	struct harrell_davis quantile = {0};
	_scaled_ struct scaled scaled = {0};

	if (!n || !is_fraction(fraction) || !scaled_init(&scaled, sorted, n, NULL, 0))
		return quantile;
	quantile = estimate(scaled.base, n, fraction);
	quantile.value = moments_scale(quantile.value, scaled.exponent);
	quantile.error = moments_scale(quantile.error, scaled.exponent);
	return quantile;
}

static struct interval interval_of(const struct harrell_davis *base, size_t n_base,
				   const struct harrell_davis *candidate, size_t n_candidate,
				   double alpha)
{
	double a = base->error * base->error;
	double b = candidate->error * candidate->error;
	double shift = candidate->value - base->value;
	double df, width;

	if (n_base < 3 || n_candidate < 3 || !(a + b > 0))
		return (struct interval){0};
	df = welch_df(a, (double)n_base, b, (double)n_candidate);
	width = student_quantile(alpha / 2, df) * sqrt(a + b);
	return (struct interval){shift - width, shift + width, true};
}

static void set_point(struct shift_point *point, const struct scaled *scaled, size_t n_base,
		      size_t n_candidate, double alpha)
{
	struct harrell_davis base = estimate(scaled->base, n_base, point->fraction);
	struct harrell_davis candidate = estimate(scaled->candidate, n_candidate, point->fraction);

	point->known = true;
	point->base = moments_scale(base.value, scaled->exponent);
	point->candidate = moments_scale(candidate.value, scaled->exponent);
	point->shift = moments_scale(candidate.value - base.value, scaled->exponent);
	point->interval = interval_of(&base, n_base, &candidate, n_candidate, alpha);
	point->interval.low = moments_scale(point->interval.low, scaled->exponent);
	point->interval.high = moments_scale(point->interval.high, scaled->exponent);
}

void shift_function(const double *base, size_t n_base, const double *candidate, size_t n_candidate,
		    double alpha, struct shift_point *points, size_t count)
{
	_scaled_ struct scaled scaled = {0};
	bool valid =
		n_base && n_candidate && scaled_init(&scaled, base, n_base, candidate, n_candidate);

	if (valid) {
		quantile_sort(scaled.base, n_base);
		quantile_sort(scaled.candidate, n_candidate);
	}
	for (size_t i = 0; i < count; i++) {
		points[i] = (struct shift_point){.fraction = points[i].fraction};
		if (valid && is_fraction(points[i].fraction))
			set_point(&points[i], &scaled, n_base, n_candidate, alpha);
	}
}
