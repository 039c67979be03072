/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * 50 series of ten boots, of which 45 do not change and 5 shift by two standard deviations of a
 * boot: the mean share of false ones among those found is at most 5%.
 */
#include <math.h>
#include <stdio.h>

#include "tests/stat-slow/simulation.h"

#define SERIES	 50
#define CHANGED	 5
#define FAMILIES 1000

struct tally {
	double false_share;
	double squares;
	double found_share;
	size_t families_with_false;
};

static void run_family(struct tally *tally, const struct scenario *scenario, bool interleaved,
		       double shift, gsl_rng *random)
{
	struct comparison comparisons[SERIES];
	size_t found = 0;
	size_t wrong = 0;
	double share;

	for (size_t i = 0; i < SERIES; i++) {
		struct collection collection;
		struct comparison_input input;

		collection_draw(&collection, scenario, i < CHANGED ? shift : 0, random);
		input = collection_input(&collection, scenario->boots, interleaved);
		comparisons[i] = comparison_measure(&input);
	}
	comparison_adjust(comparisons, SERIES);
	for (size_t i = 0; i < SERIES; i++) {
		found += comparisons[i].q < 0.05;
		wrong += i >= CHANGED && comparisons[i].q < 0.05;
	}
	share = found ? (double)wrong / (double)found : 0;
	tally->false_share += share / FAMILIES;
	tally->squares += share * share / FAMILIES;
	tally->found_share += (double)(found - wrong) / CHANGED / FAMILIES;
	tally->families_with_false += wrong > 0;
}

static bool run(const struct scenario *scenario, bool interleaved, double shift)
{
	gsl_rng *random = generator(77);
	struct tally tally = {0};
	double error;

	for (int family = 0; family < FAMILIES; family++)
		run_family(&tally, scenario, interleaved, shift, random);
	gsl_rng_free(random);
	error = sqrt((tally.squares - tally.false_share * tally.false_share) / FAMILIES);
	printf("| %s | %s | %.1f +- %.1f | %.0f | %.0f |\n", scenario->title,
	       interleaved ? "yes" : "no", 100 * tally.false_share, 196 * error,
	       100.0 * (double)tally.families_with_false / FAMILIES, 100 * tally.found_share);
	if (tally.false_share > 0.05)
		fprintf(stderr, "%s: false discovery rate %.2f%%\n", scenario->title,
			100 * tally.false_share);
	return tally.false_share <= 0.05;
}

int main(void)
{
	const struct scenario *normal = scenario_find("boot-2");
	const struct scenario *spikes = scenario_find("spikes");
	/* Of the boot values: 2 of the boot and about 1.25 / sqrt(30) of the median, squared. */
	double shift = 2 * sqrt(4 + 1.5708 / 30);
	bool good;

	printf("| noise | interleaved | false discovery rate %% | any false %% | found %% |\n"
	       "|---|---|---|---|---|\n");
	good = run(normal, false, shift);
	good = run(normal, true, shift) && good;
	good = run(spikes, true, 2 * 1.2533 * LOGNORMAL_SIGMA / sqrt(30)) && good;
	return !good;
}
