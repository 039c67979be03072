/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Simulated collections of two sides, and rates with their binomial bounds. */
#ifndef KREGRESS_TESTS_STAT_SLOW_SIMULATION_H
#define KREGRESS_TESTS_STAT_SLOW_SIMULATION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <gsl/gsl_rng.h>

#include "analyzer/comparison.h"

#define BOOTS_MAX	40
#define ITERATIONS_MAX	31
#define SPIKE_FRAC	0.03
#define SPIKE_FACTOR	10.0
#define LOGNORMAL_SIGMA 0.3

/* How samples vary; the standard deviation within a boot is 1, or that of a spiked lognormal. */
struct scenario {
	const char *name;
	const char *title;
	size_t boots;
	size_t iterations;
	double boot_sd;
	double lag1;	/* of AR(1) within a boot */
	double drift;	/* added at every run, in the order of the schedule */
	bool lognormal; /* exp(LOGNORMAL_SIGMA z), SPIKE_FRAC of them times SPIKE_FACTOR */
};

/* The scenarios of the false-alarm table, ended by one without a name. */
extern const struct scenario scenarios[];

/* NULL when there is none of that name. */
const struct scenario *scenario_find(const char *name);

/* Boot values of both sides, collected in blocks: base first, candidate first, in turn. */
struct collection {
	double base[BOOTS_MAX];
	double candidate[BOOTS_MAX];
	uint32_t block[BOOTS_MAX];
};

/* `shift` is added to every sample of the candidate; the base's level is 100. */
void collection_draw(struct collection *collection, const struct scenario *scenario, double shift,
		     gsl_rng *random);

/* A comparison of the first `boots` boots at 5%, as part of an interleaved schedule or not. */
struct comparison_input collection_input(const struct collection *collection, size_t boots,
					 bool interleaved);

struct rate {
	size_t hits;
	size_t tries;
};

double rate_value(struct rate rate);

/* Clopper-Pearson bounds at 95% (97.5% on each side). */
double rate_low(struct rate rate);
double rate_high(struct rate rate);

/*
 * Whether a rate is within [low, high], and says so on standard error when not. Tries are many
 * enough that a true rate in the middle passes; the seeds are fixed, so that the answer does not
 * vary.
 */
bool rate_is_within(struct rate rate, double low, double high, const char *what);

/* A seeded generator; the caller frees it. */
gsl_rng *generator(unsigned long seed);

#endif
