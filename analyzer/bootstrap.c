/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "analyzer/bootstrap.h"

#include <math.h>

#include <gsl/gsl_cdf.h>
#include <gsl/gsl_rng.h>

#include "analyzer/quantile.h"
#include "analyzer/scaled.h"

/* One side; magnitudes only, or their logarithms. */
struct side {
	double *values; /* owned */
	double *sample; /* owned: room for a resample */
	size_t n;
	bool medians;
};

static bool magnitudes(double *values, size_t n, bool negative)
{
	for (size_t i = 0; i < n; i++) {
		values[i] = negative ? -values[i] : values[i];
		if (!(values[i] > 0))
			return false;
	}
	return true;
}

static void side_init(struct side *side, const double *values, size_t n,
		      enum bootstrap_statistic statistic)
{
	side->values = scratch_copy(values, n);
	side->sample = scratch_new(n, sizeof(*side->sample));
	side->n = n;
	side->medians = statistic == BOOTSTRAP_MEDIANS;
	if (statistic == BOOTSTRAP_GEOMETRIC_MEANS) {
		for (size_t i = 0; i < n; i++)
			side->values[i] = log(values[i]);
	}
}

static void side_release(struct side *side)
{
	free(side->values);
	free(side->sample);
}

/* Location of the first n values of the room. */
static double location(const struct side *side, size_t n)
{
	return side->medians ? quantile_median(side->sample, n) : moments_of(side->sample, n).mean;
}

static double location_of_all(const struct side *side)
{
	memcpy(side->sample, side->values, side->n * sizeof(*side->sample));
	return location(side, side->n);
}

static double location_of_resample(const struct side *side, gsl_rng *random)
{
	for (size_t i = 0; i < side->n; i++)
		side->sample[i] = side->values[gsl_rng_uniform_int(random, side->n)];
	return location(side, side->n);
}

static double location_without(const struct side *side, size_t left_out)
{
	size_t count = 0;

	for (size_t i = 0; i < side->n; i++) {
		if (i != left_out)
			side->sample[count++] = side->values[i];
	}
	return location(side, count);
}

static double quotient(double base, double candidate, enum bootstrap_statistic statistic)
{
	if (statistic == BOOTSTRAP_GEOMETRIC_MEANS)
		return exp(candidate - base);
	return candidate / base;
}

/* Sums of powers of the empirical influences. */
struct influence {
	double squares;
	double cubes;
};

/* Leaves out each value of `side`; the ratio is that to, or from, the other side's location. */
static void add_influence(struct influence *sums, const struct side *side, double other,
			  bool is_base, enum bootstrap_statistic statistic)
{
	_scratch_ double *ratios = scratch_new(side->n, sizeof(*ratios));
	double n = (double)side->n;
	double mean;

	for (size_t i = 0; i < side->n; i++) {
		double location = location_without(side, i);

		ratios[i] = is_base ? quotient(location, other, statistic)
				    : quotient(other, location, statistic);
	}
	mean = moments_of(ratios, side->n).mean;
	for (size_t i = 0; i < side->n; i++) {
		double influence = (n - 1) * (mean - ratios[i]) / n;

		sums->squares += influence * influence;
		sums->cubes += influence * influence * influence;
	}
}

static double acceleration_of(const struct side *base, const struct side *candidate,
			      enum bootstrap_statistic statistic)
{
	struct influence sums = {0};
	double base_location = location_of_all(base);
	double candidate_location = location_of_all(candidate);
	double cubed;

	add_influence(&sums, base, candidate_location, true, statistic);
	add_influence(&sums, candidate, base_location, false, statistic);
	cubed = sums.squares * sqrt(sums.squares);
	return cubed > 0 && isfinite(sums.cubes / cubed) ? sums.cubes / cubed / 6 : 0;
}

/* Normal quantile of the share of replicates below the estimate, equal ones counting one half. */
static double bias_of(const double *sorted, size_t count, double estimate)
{
	double allowance = 1e-12 * estimate; /* the same values in another order are equal */
	double below = 0;
	double share;

	for (size_t i = 0; i < count && sorted[i] <= estimate + allowance; i++)
		below += sorted[i] < estimate - allowance ? 1 : 0.5;
	share = fmin(fmax(below, 0.5), (double)count - 0.5) / (double)count;
	return gsl_cdf_ugaussian_Pinv(share);
}

static double corrected_end(const struct bootstrap *result, const double *sorted, size_t count,
			    double z)
{
	double shifted = result->bias + z;
	double corrected = result->bias + shifted / (1 - result->acceleration * shifted);

	/* Beyond the pole of the correction lies the end of the distribution. */
	if (!(result->acceleration * shifted < 1))
		corrected = z > 0 ? 40 : -40;
	return quantile_of_sorted(sorted, count, gsl_cdf_ugaussian_P(corrected));
}

static void run(struct bootstrap *result, const struct side *base, const struct side *candidate,
		enum bootstrap_statistic statistic, unsigned long seed, double *replicates,
		size_t resamples)
{
	gsl_rng *random = gsl_rng_alloc(gsl_rng_mt19937);

	gsl_rng_set(random, seed);
	for (size_t i = 0; i < resamples; i++) {
		double base_location = location_of_resample(base, random);

		replicates[i] =
			quotient(base_location, location_of_resample(candidate, random), statistic);
	}
	gsl_rng_free(random);
	quantile_sort(replicates, resamples);
	result->ratio = quotient(location_of_all(base), location_of_all(candidate), statistic);
	result->bias = bias_of(replicates, resamples, result->ratio);
	result->acceleration = acceleration_of(base, candidate, statistic);
}

static void set_interval(struct bootstrap *result, const double *replicates, size_t resamples,
			 double alpha)
{
	double z = gsl_cdf_ugaussian_Qinv(alpha / 2);

	if (!(replicates[0] < replicates[resamples - 1]))
		return;
	result->interval.low = corrected_end(result, replicates, resamples, -z);
	result->interval.high = corrected_end(result, replicates, resamples, z);
	result->interval.known = true;
}

struct bootstrap bootstrap_ratio(const double *base, size_t n_base, const double *candidate,
				 size_t n_candidate, enum bootstrap_statistic statistic,
				 double alpha, unsigned long seed, double *replicates,
				 size_t resamples)
{
	struct bootstrap result = {0};
	struct side base_side, candidate_side;
	_scaled_ struct scaled scaled = {0};
	bool negative;

	if (n_base < 2 || n_candidate < 2 || !resamples ||
	    !scaled_init(&scaled, base, n_base, candidate, n_candidate))
		return result;
	negative = scaled.base[0] < 0;
	if (!magnitudes(scaled.base, n_base, negative) ||
	    !magnitudes(scaled.candidate, n_candidate, negative))
		return result;
	side_init(&base_side, scaled.base, n_base, statistic);
	side_init(&candidate_side, scaled.candidate, n_candidate, statistic);
	run(&result, &base_side, &candidate_side, statistic, seed, replicates, resamples);
	result.known = isnormal(result.ratio) && isfinite(replicates[resamples - 1]);
	if (result.known)
		set_interval(&result, replicates, resamples, alpha);
	side_release(&base_side);
	side_release(&candidate_side);
	return result.known ? result : (struct bootstrap){0};
}
