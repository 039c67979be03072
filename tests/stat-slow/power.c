/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Power for shifts of 0.5, 1 and 2 standard deviations of a boot value, 20 boots a side, against
 * the best test that knows the distribution but for its place: the default is within 5 points of
 * it.
 *
 * Normal boot values: the z test with the true standard deviation. Medians of a spiked lognormal:
 * the likelihood ratio test with the true density of the median, its critical value simulated.
 * Argument: normal or spikes.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <gsl/gsl_cdf.h>

#include "tests/stat-slow/simulation.h"

#define BOOTS		    20
#define POINTS_MAX	    0.05
#define REPLICATES	    10000
#define REPLICATES_CRITICAL 100000
#define REPLICATES_OTHER    400

static const double shifts[] = {0.5, 1, 2};

#define SHIFTS (sizeof(shifts) / sizeof(*shifts))

/* Log density of the boot value about its level, at even steps from GRID_LOW on. */
#define GRID_LOW  0.3
#define GRID_STEP 0.0005
#define GRID_SIZE 4000

static double log_density[GRID_SIZE];

static double sample_cdf(double x)
{
	return (1 - SPIKE_FRAC) * gsl_cdf_ugaussian_P(log(x) / LOGNORMAL_SIGMA) +
	       SPIKE_FRAC * gsl_cdf_ugaussian_P(log(x / SPIKE_FACTOR) / LOGNORMAL_SIGMA);
}

/* Of the middle one of an odd number of samples: F^m (1 - F)^m f, but for a constant. */
static void fill_density(size_t iterations)
{
	double half = (double)(iterations / 2);

	for (size_t i = 0; i < GRID_SIZE; i++) {
		double x = GRID_LOW + GRID_STEP * (double)i;
		double below = sample_cdf(x);
		double density =
			(sample_cdf(x * (1 + 1e-5)) - sample_cdf(x * (1 - 1e-5))) / (2e-5 * x);

		log_density[i] = half * (log(below) + log(1 - below)) + log(density);
	}
}

static double log_density_at(double x)
{
	double place = fmin(fmax((x - GRID_LOW) / GRID_STEP, 0), GRID_SIZE - 2);
	size_t index = (size_t)place;
	double weight = place - (double)index;

	return (1 - weight) * log_density[index] + weight * log_density[index + 1];
}

/* Standard deviation of the boot value, by the density. */
static double density_sd(void)
{
	double sums[3] = {0};

	for (size_t i = 0; i < GRID_SIZE; i++) {
		double x = GRID_LOW + GRID_STEP * (double)i;
		double density = exp(log_density[i] - log_density[GRID_SIZE / 3]);

		sums[0] += density;
		sums[1] += density * x;
		sums[2] += density * x * x;
	}
	return sqrt(sums[2] / sums[0] - sums[1] * sums[1] / (sums[0] * sums[0]));
}

static double log_likelihood(const double *values, size_t n, double level)
{
	double sum = 0;

	for (size_t i = 0; i < n; i++)
		sum += log_density_at(values[i] - level);
	return sum;
}

/* The largest over all levels, by golden section: the density has one peak. */
static double best_likelihood(const double *values, size_t n)
{
	double low = 98;
	double high = 102;

	for (int step = 0; step < 40; step++) {
		double third = 0.381966 * (high - low);

		if (log_likelihood(values, n, low + third) <
		    log_likelihood(values, n, high - third))
			low += third;
		else
			high -= third;
	}
	return log_likelihood(values, n, (low + high) / 2);
}

static double likelihood_ratio(const struct collection *collection)
{
	double both[2 * BOOTS];

	memcpy(both, collection->base, BOOTS * sizeof(*both));
	memcpy(both + BOOTS, collection->candidate, BOOTS * sizeof(*both));
	return best_likelihood(collection->base, BOOTS) +
	       best_likelihood(collection->candidate, BOOTS) - best_likelihood(both, 2 * BOOTS);
}

static int compare_doubles(const void *a, const void *b)
{
	double left = *(const double *)a;
	double right = *(const double *)b;

	return (left > right) - (left < right);
}

static double critical_ratio(const struct scenario *scenario)
{
	static double ratios[REPLICATES_CRITICAL];
	gsl_rng *random = generator(1);

	for (size_t i = 0; i < REPLICATES_CRITICAL; i++) {
		struct collection collection;

		collection_draw(&collection, scenario, 0, random);
		ratios[i] = likelihood_ratio(&collection);
	}
	gsl_rng_free(random);
	qsort(ratios, REPLICATES_CRITICAL, sizeof(*ratios), compare_doubles);
	return ratios[REPLICATES_CRITICAL - REPLICATES_CRITICAL / 20];
}

/* `critical` is of the likelihood ratio. */
static double best_power(const struct scenario *scenario, double shift, double sd, double critical)
{
	double z = shift / sd * sqrt(BOOTS / 2.0);
	gsl_rng *random;
	size_t found = 0;

	if (!scenario->lognormal)
		return gsl_cdf_ugaussian_Q(1.959963984540054 - z) +
		       gsl_cdf_ugaussian_P(-1.959963984540054 - z);
	random = generator(2);
	for (size_t i = 0; i < REPLICATES; i++) {
		struct collection collection;

		collection_draw(&collection, scenario, shift, random);
		found += likelihood_ratio(&collection) > critical;
	}
	gsl_rng_free(random);
	return (double)found / REPLICATES;
}

static struct rate run(const struct scenario *scenario, enum method method, bool interleaved,
		       double shift)
{
	gsl_rng *random = generator(3);
	struct rate rate = {0};
	size_t replicates = method == METHOD_AUTO ? REPLICATES : REPLICATES_OTHER;

	for (size_t replicate = 0; replicate < replicates; replicate++) {
		struct collection collection;
		struct comparison_input input;
		struct comparison comparison;

		collection_draw(&collection, scenario, shift, random);
		input = collection_input(&collection, BOOTS, interleaved);
		input.method = method;
		input.seed = replicate + 1;
		comparison = comparison_measure(&input);
		if (method != METHOD_AUTO && comparison.method != method)
			break;
		rate.tries++;
		rate.hits += comparison.p < input.alpha;
	}
	gsl_rng_free(random);
	return rate;
}

static bool report(const struct scenario *scenario, enum method method, bool interleaved, double sd,
		   const double *best)
{
	const char *kind = method != METHOD_AUTO ? ""
			   : interleaved	 ? " (interleaved)"
						 : " (not interleaved)";
	bool good = true;

	for (size_t i = 0; i < SHIFTS; i++) {
		struct rate rate = run(scenario, method, interleaved, shifts[i] * sd);

		if (!rate.tries)
			return true;
		if (i == 0)
			printf("| %s%s |", method_name(method), kind);
		printf(" %.1f |", 100 * rate_value(rate));
		if (method == METHOD_AUTO)
			good = rate_is_within(rate, best[i] - POINTS_MAX, 1, "default method") &&
			       good;
	}
	printf("\n");
	fflush(stdout);
	return good;
}

int main(int argc, char **argv)
{
	bool spikes = argc == 2 && strcmp(argv[1], "spikes") == 0;
	struct scenario scenario = {.title = spikes ? "lognormal, 3% spikes" : "normal",
				    .boots = BOOTS,
				    .iterations = spikes ? ITERATIONS_MAX : 1,
				    .lognormal = spikes};
	double best[SHIFTS];
	double sd = 1;
	double critical = 0;
	bool good;

	if (spikes) {
		fill_density(scenario.iterations);
		sd = density_sd();
		critical = critical_ratio(&scenario);
	}
	printf("| %s, shift in sd | 0.5 | 1 | 2 |\n|---|---|---|---|\n| best test |",
	       scenario.title);
	for (size_t i = 0; i < SHIFTS; i++) {
		best[i] = best_power(&scenario, shifts[i] * sd, sd, critical);
		printf(" %.1f |", 100 * best[i]);
	}
	printf("\n");
	good = report(&scenario, METHOD_AUTO, false, sd, best);
	for (int method = METHOD_AUTO; method < METHOD_NONE; method++)
		good = report(&scenario, (enum method)method, true, sd, best) && good;
	return !good;
}
