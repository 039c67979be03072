/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/stat-slow/simulation.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <gsl/gsl_cdf.h>
#include <gsl/gsl_randist.h>

const struct scenario scenarios[] = {
	{.name = "iid", .title = "iid normal", .boots = 10, .iterations = 30},
	{.name = "spikes",
	 .title = "lognormal, 3% spikes",
	 .boots = 10,
	 .iterations = 30,
	 .lognormal = true},
	{.name = "boot-0.5", .title = "boot sd 0.5", .boots = 10, .iterations = 30, .boot_sd = 0.5},
	{.name = "boot-2", .title = "boot sd 2", .boots = 10, .iterations = 30, .boot_sd = 2},
	{.name = "ar-0.3", .title = "AR(1) 0.3", .boots = 10, .iterations = 30, .lag1 = 0.3},
	{.name = "ar-0.6", .title = "AR(1) 0.6", .boots = 10, .iterations = 30, .lag1 = 0.6},
	/* One sample a run, so that the drift is 0.05 standard deviations of a run. */
	{.name = "drift", .title = "drift, ABBA", .boots = 20, .iterations = 1, .drift = 0.05},
	{.name = NULL},
};

const struct scenario *scenario_find(const char *name)
{
	for (const struct scenario *scenario = scenarios; scenario->name; scenario++) {
		if (strcmp(scenario->name, name) == 0)
			return scenario;
	}
	return NULL;
}

static double draw_lognormal(gsl_rng *random)
{
	double value = exp(gsl_ran_gaussian_ziggurat(random, LOGNORMAL_SIGMA));

	return gsl_rng_uniform(random) < SPIKE_FRAC ? value * SPIKE_FACTOR : value;
}

static double draw_boot(const struct scenario *scenario, double level, gsl_rng *random)
{
	double samples[ITERATIONS_MAX];
	double scratch[ITERATIONS_MAX];
	double innovation = sqrt(1 - scenario->lag1 * scenario->lag1);
	double noise = gsl_ran_gaussian_ziggurat(random, 1);

	level += gsl_ran_gaussian_ziggurat(random, 1) * scenario->boot_sd;
	for (size_t i = 0; i < scenario->iterations; i++) {
		samples[i] = level + (scenario->lognormal ? draw_lognormal(random) : noise);
		noise = scenario->lag1 * noise + innovation * gsl_ran_gaussian_ziggurat(random, 1);
	}
	return boot_location(samples, scenario->iterations, false, scratch);
}

void collection_draw(struct collection *collection, const struct scenario *scenario, double shift,
		     gsl_rng *random)
{
	for (size_t block = 0; block < scenario->boots; block++) {
		double first = 100 + scenario->drift * (double)(2 * block);
		double second = first + scenario->drift;
		bool base_first = block % 2 == 0;

		collection->base[block] = draw_boot(scenario, base_first ? first : second, random);
		collection->candidate[block] =
			draw_boot(scenario, shift + (base_first ? second : first), random);
		collection->block[block] = (uint32_t)block;
	}
}

struct comparison_input collection_input(const struct collection *collection, size_t boots,
					 bool interleaved)
{
	struct comparison_input input = {.base = collection->base,
					 .n_base = boots,
					 .candidate = collection->candidate,
					 .n_candidate = boots,
					 .better = BETTER_LOWER,
					 .limit_frac = 0.02,
					 .alpha = 0.05,
					 .seed = 1};

	if (interleaved) {
		input.base_block = collection->block;
		input.candidate_block = collection->block;
	}
	return input;
}

double rate_value(struct rate rate)
{
	return rate.tries ? (double)rate.hits / (double)rate.tries : 0;
}

/* By bisection: the quantile function of the library does not always converge. */
static double beta_quantile(double a, double b, double p)
{
	double low = 0;
	double high = 1;

	for (int step = 0; step < 50; step++) {
		double middle = low + (high - low) / 2;

		if (gsl_cdf_beta_P(middle, a, b) < p)
			low = middle;
		else
			high = middle;
	}
	return low + (high - low) / 2;
}

double rate_low(struct rate rate)
{
	double hits = (double)rate.hits;

	return rate.hits ? beta_quantile(hits, (double)rate.tries - hits + 1, 0.025) : 0;
}

double rate_high(struct rate rate)
{
	double hits = (double)rate.hits;

	return rate.hits < rate.tries ? beta_quantile(hits + 1, (double)rate.tries - hits, 0.975)
				      : 1;
}

bool rate_is_within(struct rate rate, double low, double high, const char *what)
{
	double value = rate_value(rate);

	if (rate.tries && value >= low && value <= high)
		return true;
	fprintf(stderr, "%s: %zu of %zu, %.2f%% (%.2f%% to %.2f%%), is not from %.2f%% to %.2f%%\n",
		what, rate.hits, rate.tries, 100 * value, 100 * rate_low(rate),
		100 * rate_high(rate), 100 * low, 100 * high);
	return false;
}

gsl_rng *generator(unsigned long seed)
{
	gsl_rng *random = gsl_rng_alloc(gsl_rng_mt19937);

	if (!random)
		abort();
	gsl_rng_set(random, seed);
	return random;
}
