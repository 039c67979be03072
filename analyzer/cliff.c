/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "analyzer/cliff.h"

#include <math.h>

#include <gsl/gsl_cdf.h>

#include "analyzer/quantile.h"
#include "analyzer/scaled.h"

/* Of the values of one side: how many of the other are smaller, less how many are larger. */
struct dominance {
	double *values; /* owned */
	double untied;	/* pairs that are not equal */
};

/* Both ascending. */
static void dominance_init(struct dominance *dominance, const double *side, size_t n,
			   const double *other, size_t n_other)
{
	size_t below = 0;
	size_t up_to = 0;

	*dominance = (struct dominance){.values = scratch_new(n, sizeof(*dominance->values))};
	for (size_t i = 0; i < n; i++) {
		while (below < n_other && other[below] < side[i])
			below++;
		while (up_to < n_other && other[up_to] <= side[i])
			up_to++;
		dominance->values[i] = (double)below - (double)(n_other - up_to);
		dominance->untied += (double)(n_other - (up_to - below));
	}
}

static double mean_of(const double *values, size_t n)
{
	double sum = 0;

	for (size_t i = 0; i < n; i++)
		sum += values[i];
	return sum / (double)n;
}

static double squares_about(const double *values, size_t n, double centre)
{
	double sum = 0;

	for (size_t i = 0; i < n; i++)
		sum += (values[i] - centre) * (values[i] - centre);
	return sum;
}

static double variance_of(const struct dominance *base, double n_base,
			  const struct dominance *candidate, double n_candidate, double delta)
{
	double rows = squares_about(candidate->values, (size_t)n_candidate, delta * n_base);
	double columns = squares_about(base->values, (size_t)n_base, -delta * n_candidate);
	double pairs = n_base * n_candidate;
	double cells = candidate->untied - pairs * delta * delta;
	double variance = (rows + columns - cells) / (pairs * (n_base - 1) * (n_candidate - 1));

	/* The estimate may fall below what is possible. */
	return fmax(variance, (1 - delta * delta) / (pairs - 1));
}

static struct interval interval_of(double delta, double variance, double fewer, double alpha)
{
	double z = gsl_cdf_ugaussian_Qinv(alpha / 2);
	double square = z * z * variance;
	double rest = 1 - delta * delta;
	double width = z * sqrt(variance) * sqrt(rest * rest + square);
	double near = (fewer - z * z) / (fewer + z * z);

	if (delta >= 1)
		return (struct interval){fmax(near, -1), 1, true};
	if (delta <= -1)
		return (struct interval){-1, fmin(-near, 1), true};
	return (struct interval){fmax((delta * rest - width) / (rest + square), -1),
				 fmin((delta * rest + width) / (rest + square), 1), true};
}

struct cliff cliff_delta(const double *base, size_t n_base, const double *candidate,
			 size_t n_candidate, double alpha)
{
	struct cliff cliff = {0};
	_scratch_ double *base_sorted = scratch_copy(base, n_base);
	_scratch_ double *candidate_sorted = scratch_copy(candidate, n_candidate);
	struct dominance base_side, candidate_side;
	double n = (double)n_base;
	double m = (double)n_candidate;

	if (!n_base || !n_candidate || !all_finite(base, n_base) ||
	    !all_finite(candidate, n_candidate))
		return cliff;
	quantile_sort(base_sorted, n_base);
	quantile_sort(candidate_sorted, n_candidate);
	dominance_init(&base_side, base_sorted, n_base, candidate_sorted, n_candidate);
	dominance_init(&candidate_side, candidate_sorted, n_candidate, base_sorted, n_base);
	cliff.known = true;
	cliff.delta = mean_of(candidate_side.values, n_candidate) / n;
	if (n_base > 1 && n_candidate > 1) {
		double variance = variance_of(&base_side, n, &candidate_side, m, cliff.delta);

		cliff.interval = interval_of(cliff.delta, variance, fmin(n, m), alpha);
	}
	free(base_side.values);
	free(candidate_side.values);
	return cliff;
}
