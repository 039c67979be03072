/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "analyzer/permutation.h"

#include <float.h>
#include <math.h>

#include <gsl/gsl_cdf.h>
#include <gsl/gsl_rng.h>

#include "analyzer/scaled.h"
#include "analyzer/subset_sum.h"

/* Sums that differ by less than this share of the sum of magnitudes are equal but for rounding. */
#define TOLERANCE (64 * DBL_EPSILON)

/* The statistic is the sum of chosen values; the set is centred so that it is about 0 on average.
 */
struct choice {
	double *values;
	size_t n;
	size_t size; /* how many are chosen, or SUBSET_ANY_SIZE */
	double centre;
	double observed;
	double tolerance;
};

/* The p for which P(at most or at least `hits` of n) is `tail`, by bisection. */
static double binomial_bound(double hits, double n, double tail, bool upper)
{
	double low = 0;
	double high = 1;

	for (int i = 0; i < 200 && high - low > 1e-16 * high; i++) {
		double p = low + (high - low) / 2;
		/* P(X >= hits) grows with p; P(X <= hits) falls. */
		bool above = upper ? gsl_cdf_beta_Q(p, hits + 1, n - hits) < tail
				   : gsl_cdf_beta_P(p, hits, n - hits + 1) > tail;

		if (above)
			high = p;
		else
			low = p;
	}
	return low + (high - low) / 2;
}

struct interval binomial_interval(size_t hits, size_t n, double confidence)
{
	struct interval interval = {0, 1, n > 0};
	double tail = (1 - confidence) / 2;

	if (!n)
		return (struct interval){0};
	if (hits > 0)
		interval.low = binomial_bound((double)hits, (double)n, tail, false);
	if (hits < n)
		interval.high = binomial_bound((double)hits, (double)n, tail, true);
	return interval;
}

void permutation_from_hits(struct permutation *result, size_t two_sided, size_t less,
			   size_t greater, size_t resamples)
{
	double all = (double)resamples + 1;

	result->known = true;
	result->p = ((double)two_sided + 1) / all;
	result->p_less = ((double)less + 1) / all;
	result->p_greater = ((double)greater + 1) / all;
	result->p_ci = binomial_interval(two_sided, resamples, PERMUTATION_CONFIDENCE);
}

static void count_all(struct permutation *result, const struct choice *choice)
{
	double above = fabs(choice->observed - choice->centre) - choice->tolerance;
	struct subset_count tails = subset_sum_count(choice->values, choice->n, choice->size,
						     choice->observed + choice->tolerance,
						     choice->observed - choice->tolerance);
	struct subset_count both = subset_sum_count(choice->values, choice->n, choice->size,
						    choice->centre - above, choice->centre + above);

	result->known = true;
	result->exact = true;
	result->p = fmin((both.at_most + both.at_least) / both.total, 1);
	result->p_less = tails.at_most / tails.total;
	result->p_greater = tails.at_least / tails.total;
}

/* The sum of a random choice; `values` are reordered. */
static double random_sum(struct choice *choice, gsl_rng *random)
{
	double sum = 0;

	if (choice->size == SUBSET_ANY_SIZE) {
		for (size_t i = 0; i < choice->n; i++)
			sum += gsl_rng_uniform_int(random, 2) ? choice->values[i] : 0;
		return sum;
	}
	for (size_t i = 0; i < choice->size; i++) {
		size_t other = i + gsl_rng_uniform_int(random, choice->n - i);
		double value = choice->values[other];

		choice->values[other] = choice->values[i];
		choice->values[i] = value;
		sum += value;
	}
	return sum;
}

static void resample(struct permutation *result, struct choice *choice, unsigned long seed)
{
	gsl_rng *random = gsl_rng_alloc(gsl_rng_mt19937);
	double above = fabs(choice->observed - choice->centre) - choice->tolerance;
	size_t both = 0;
	size_t less = 0;
	size_t greater = 0;

	gsl_rng_set(random, seed);
	for (size_t i = 0; i < PERMUTATION_RESAMPLES; i++) {
		double sum = random_sum(choice, random);

		both += fabs(sum - choice->centre) >= above;
		less += sum <= choice->observed + choice->tolerance;
		greater += sum >= choice->observed - choice->tolerance;
	}
	gsl_rng_free(random);
	permutation_from_hits(result, both, less, greater, PERMUTATION_RESAMPLES);
}

static void test_choice(struct permutation *result, struct choice *choice, unsigned long seed)
{
	double magnitude = 0;

	for (size_t i = 0; i < choice->n; i++)
		magnitude += fabs(choice->values[i]);
	choice->tolerance = TOLERANCE * magnitude;
	if (choice->n <= SUBSET_SUM_MAX)
		count_all(result, choice);
	else
		resample(result, choice, seed);
}

struct permutation permutation_test(const double *base, size_t n_base, const double *candidate,
				    size_t n_candidate, unsigned long seed)
{
	struct permutation result = {.p = 1, .p_less = 1, .p_greater = 1};
	size_t n = n_base + n_candidate;
	_scratch_ double *all = scratch_new(n, sizeof(*all));
	struct choice choice = {.values = all, .n = n, .size = n_candidate};
	_scaled_ struct scaled scaled = {0};
	double mean;

	if (!scaled_init(&scaled, base, n_base, candidate, n_candidate) || !n_base || !n_candidate)
		return result;
	memcpy(all, scaled.candidate, n_candidate * sizeof(*all));
	memcpy(all + n_candidate, scaled.base, n_base * sizeof(*all));
	mean = moments_of(all, n).mean;
	for (size_t i = 0; i < n; i++) {
		all[i] -= mean;
		choice.centre += all[i] * (double)n_candidate / (double)n;
		choice.observed += i < n_candidate ? all[i] : 0;
	}
	test_choice(&result, &choice, seed);
	return result;
}

struct permutation block_permutation_test(const double *differences, size_t n, unsigned long seed)
{
	struct permutation result = {.p = 1, .p_less = 1, .p_greater = 1};
	struct choice choice = {.n = n, .size = SUBSET_ANY_SIZE};
	_scaled_ struct scaled scaled = {0};

	if (!scaled_init(&scaled, NULL, 0, differences, n) || !n)
		return result;
	/*
	 * Choosing whose sign is kept: the sum of kept magnitudes is half of the signed sum, plus
	 * a constant. The signs at hand keep the positive ones.
	 */
	choice.values = scaled.candidate;
	for (size_t i = 0; i < n; i++) {
		double value = scaled.candidate[i];

		choice.observed += fmax(value, 0);
		choice.centre += fabs(value) / 2;
		choice.values[i] = fabs(value);
	}
	test_choice(&result, &choice, seed);
	return result;
}
