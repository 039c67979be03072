/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "analyzer/noncentral_t.h"

#include <math.h>
#include <stdbool.h>

#include <gsl/gsl_cdf.h>

#include "analyzer/power_solve.h"

/* Beyond this the normal distribution serves. */
#define DF_MAX 1e7
/* From this shift on the other tail is below 1e-20. */
#define SHIFT_LARGE 10

/* Where log s runs: outside, the density is below 1e-17 of its peak. */
struct range {
	double low;
	double step;
	int count;
};

/*
 * The step for an error of about exp(-30): as the chi density asks for by its width and by its
 * decay on the imaginary axis, and as the normal tail asks for where it falls, within 1 / shift.
 */
static struct range range_of(double df, double shift)
{
	double width = 1 / sqrt(2 * df);
	double high = fmin(log(1 + 6.5 / sqrt(df)) + width, 13 * width);
	/* On the left the density falls as exp(df x), or as a normal where df is large. */
	double low = df > 200 ? -13 * width : -40 / df - 1;
	double step = fmin(width / 1.5, 0.25 / fmax(fabs(shift), 2.5));
	struct range range = {.low = low};

	range.count = (int)ceil((high - low) / step);
	range.step = (high - low) / range.count;
	return range;
}

/* The same probability as a mean over Z, for a shift so large that S decides: P(S <= (Z + shift) /
 * t). */
static double mean_over_z(double t, double df, double shift)
{
	double sum = 0;
	double weights = 0;

	for (int i = -36; i <= 36; i++) {
		double z = i / 4.0;
		double s = (z + shift) / t;
		double weight = exp(-z * z / 2);

		weights += weight;
		sum += weight * gsl_cdf_chisq_P(df * s * s, df);
	}
	return sum / weights;
}

static double tail_mean(double t, double df, double shift, bool both)
{
	struct range range;
	double weights = 0;
	double sum = 0;

	if (df > DF_MAX)
		return gsl_cdf_ugaussian_Q(t - shift) +
		       (both ? gsl_cdf_ugaussian_P(-t - shift) : 0);
	if (shift > SHIFT_LARGE && t > sqrt(2 * df))
		return mean_over_z(t, df, shift);
	range = range_of(df, shift);
	for (int i = 0; i <= range.count; i++) {
		double x = range.low + i * range.step;
		double s = exp(x);
		double weight = exp(df * (x - (s * s - 1) / 2));
		double tail = gsl_cdf_ugaussian_Q(t * s - shift);

		if (both)
			tail += gsl_cdf_ugaussian_P(-t * s - shift);
		weights += weight;
		sum += weight * tail;
	}
	return fmin(sum / weights, 1);
}

double noncentral_t_two_sided(double t, double df, double shift)
{
	return tail_mean(t, df, shift, true);
}

double noncentral_t_upper(double t, double df, double shift)
{
	return tail_mean(t, df, shift, false);
}

/* T's threshold and degrees of freedom. */
struct threshold {
	double t;
	double df;
};

static double power_at(const void *context, double shift)
{
	const struct threshold *threshold = context;

	return noncentral_t_two_sided(threshold->t, threshold->df, shift);
}

double noncentral_t_shift(double t, double df, double power)
{
	struct threshold threshold = {t, df};
	struct power_curve curve = {power_at, &threshold};

	return power_solve(&curve, power, t + fmax(gsl_cdf_ugaussian_Pinv(power), 0));
}
