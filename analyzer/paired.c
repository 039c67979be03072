/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "analyzer/paired.h"

#include <math.h>

#include "analyzer/equivalence.h"
#include "analyzer/scaled.h"
#include "analyzer/student.h"

/* Stands for an infinite statistic. */
#define T_HUGE 1e100

struct paired paired_test(const double *base, const double *candidate, size_t n, double alpha)
{
	struct paired paired = {.p = 1};
	struct moments moments;
	_scaled_ struct scaled scaled = {0};
	double error, width;

	if (n < 2 || !scaled_init(&scaled, base, n, candidate, n))
		return paired;
	for (size_t i = 0; i < n; i++)
		scaled.candidate[i] -= scaled.base[i];
	moments = moments_of(scaled.candidate, n);
	error = moments.sd / sqrt((double)n);
	if (!(error > 0))
		return paired;
	paired.known = true;
	paired.difference = moments_scale(moments.mean, scaled.exponent);
	paired.error = moments_scale(error, scaled.exponent);
	paired.t = fmin(fmax(moments.mean / error, -T_HUGE), T_HUGE);
	paired.df = (double)n - 1;
	paired.p = student_two_sided(paired.t, paired.df);
	width = student_quantile(alpha / 2, paired.df) * error;
	paired.interval.low = moments_scale(moments.mean - width, scaled.exponent);
	paired.interval.high = moments_scale(moments.mean + width, scaled.exponent);
	paired.interval.known = true;
	return paired;
}

/* Both sides divided by their means; false when the ratio has no meaning. */
static bool relative_init(struct scaled *relative, double *value, const double *base,
			  const double *candidate, size_t n)
{
	double base_mean, candidate_mean;

	if (!n || !scaled_init(relative, base, n, candidate, n))
		return false;
	base_mean = moments_of(relative->base, n).mean;
	candidate_mean = moments_of(relative->candidate, n).mean;
	*value = base_mean != 0 ? candidate_mean / base_mean : 0;
	if (!(*value > 0) || !isfinite(*value))
		return false;
	for (size_t i = 0; i < n; i++) {
		relative->base[i] /= base_mean;
		relative->candidate[i] /= candidate_mean;
	}
	return all_finite(relative->base, n) && all_finite(relative->candidate, n);
}

static double squared_error(const double *values, size_t n)
{
	double sd = fmin(moments_of(values, n).sd, 1e100);

	return sd * sd / (double)n;
}

/*
 * The factors f on the estimated ratio with (1 - f)^2 <= t^2 (vv - 2 f uv + f^2 uu), u and v the
 * relative base and candidate. Roots of a quadratic whose discriminant is written so that small
 * errors do not cancel: with a, b, c = t^2 (uu, uv, vv), a + c - 2 b is t^2 times the variance of
 * the difference.
 */
static struct interval find_factors(struct scaled *relative, size_t n, double alpha)
{
	struct interval none = {0};
	double quantile = student_quantile(alpha / 2, (double)n - 1);
	double square = quantile * quantile;
	double a = square * squared_error(relative->base, n);
	double c = square * squared_error(relative->candidate, n);
	double apart, b, root;

	for (size_t i = 0; i < n; i++)
		relative->candidate[i] -= relative->base[i];
	apart = square * squared_error(relative->candidate, n);
	b = (a + c - apart) / 2;
	root = sqrt(fmax(apart + b * b - a * c, 0));
	/* Both means have to be told from zero, and there has to be an error to go by. */
	if (!(a < 1 && c < 1) || !(a > 0 || c > 0))
		return none;
	return (struct interval){(1 - c) / (1 - b + root), (1 - b + root) / (1 - a), true};
}

struct ratio paired_ratio(const double *base, const double *candidate, size_t n, double alpha)
{
	struct ratio ratio = {0};
	_scaled_ struct scaled relative = {0};
	struct interval factors;

	ratio.known = relative_init(&relative, &ratio.value, base, candidate, n);
	if (!ratio.known)
		return (struct ratio){0};
	if (n < 2)
		return ratio;
	factors = find_factors(&relative, n, alpha);
	if (factors.known && factors.low > 0 && isfinite(factors.high * ratio.value))
		ratio.interval = (struct interval){factors.low * ratio.value,
						   factors.high * ratio.value, true};
	return ratio;
}

/* The test's statistic for the hypothesis that the ratio is `factor` times the estimated one. */
static double statistic_at(const struct scaled *relative, size_t n, double factor)
{
	_scratch_ double *differences = scratch_copy(relative->candidate, n);
	struct moments moments;
	double error;

	for (size_t i = 0; i < n; i++)
		differences[i] -= factor * relative->base[i];
	moments = moments_of(differences, n);
	error = moments.sd / sqrt((double)n);
	if (!(error * T_HUGE > fabs(moments.mean)))
		return moments.mean > 0 ? T_HUGE : moments.mean < 0 ? -T_HUGE : 0;
	return moments.mean / error;
}

double paired_equivalence(const double *base, const double *candidate, size_t n, double limit_frac)
{
	_scaled_ struct scaled relative = {0};
	double value = 0;
	double low, high;

	if (!(limit_frac > 0) || n < 2 || !relative_init(&relative, &value, base, candidate, n))
		return 1;
	low = statistic_at(&relative, n, equivalence_low(limit_frac) / value);
	high = statistic_at(&relative, n, equivalence_high(limit_frac) / value);
	return fmax(student_upper(low, (double)n - 1), student_upper(-high, (double)n - 1));
}
