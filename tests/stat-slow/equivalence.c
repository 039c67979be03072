/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Size of the equivalence test: a change of exactly the limit is called equivalent in at most 5.5%,
 * with every method that tests it. And how often it is where nothing changes.
 */
#include <stdio.h>

#include "tests/stat-slow/simulation.h"

#define SIZE_MAX_FRAC 0.055

/* Standard deviations of a boot, in percent of the level: the limit is 2%. */
static const double deviations[] = {0.5, 1, 2};

static size_t replicates_of(enum method method)
{
	return method == METHOD_BRUNNER_MUNZEL ? 500 : 8000;
}

static struct rate run(enum method method, bool interleaved, double sd, double shift)
{
	struct scenario scenario = {.boots = 10, .iterations = 1};
	struct rate rate = {0};
	gsl_rng *random = generator(99);

	for (size_t replicate = 0; replicate < replicates_of(method); replicate++) {
		struct collection collection;
		struct comparison_input input;
		struct comparison comparison;

		collection_draw(&collection, &scenario, 0, random);
		for (size_t i = 0; i < scenario.boots; i++) {
			/* Samples have a standard deviation of 1 about 100. */
			collection.base[i] = 100 + sd * (collection.base[i] - 100);
			collection.candidate[i] =
				100 + shift + sd * (collection.candidate[i] - 100);
		}
		input = collection_input(&collection, scenario.boots, interleaved);
		input.method = method;
		input.seed = replicate + 1;
		comparison = comparison_measure(&input);
		if (method != METHOD_AUTO && comparison.method != method)
			break;
		rate.tries++;
		rate.hits += comparison.equivalence_p < input.alpha;
	}
	gsl_rng_free(random);
	return rate;
}

static bool report(enum method method, bool interleaved)
{
	bool good = true;

	if (!run(method, interleaved, 1, 0).tries)
		return true;
	printf("| %s%s |", method_name(method),
	       method != METHOD_AUTO ? ""
	       : interleaved	     ? " (interleaved)"
				     : " (not interleaved)");
	for (size_t i = 0; i < sizeof(deviations) / sizeof(*deviations); i++) {
		struct rate size = run(method, interleaved, deviations[i], 2);
		struct rate equal = run(method, interleaved, deviations[i], 0);

		printf(" %.1f | %.0f |", 100 * rate_value(size), 100 * rate_value(equal));
		good = rate_is_within(size, 0, SIZE_MAX_FRAC, method_name(method)) && good;
	}
	printf("\n");
	fflush(stdout);
	return good;
}

int main(void)
{
	bool good;

	printf("| method | at the limit, sd 0.5%% | no change | sd 1%% | no change | sd 2%% | no "
	       "change "
	       "|\n|---|---|---|---|---|---|---|\n");
	good = report(METHOD_AUTO, false);
	for (int method = METHOD_AUTO; method < METHOD_NONE; method++)
		good = report((enum method)method, true) && good;
	return !good;
}
