/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Collections that are looked at after every block from three on: found where there is nothing at
 * most 5.5%; and what the looks cost in power, and save in boots.
 */
#include "analyzer/sequential.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "analyzer/paired.h"
#include "analyzer/welch.h"
#include "tests/stat-slow/simulation.h"

#define RATE_MAX   0.055
#define FIRST_LOOK 3

struct setting {
	enum sequential_test test;
	enum sequential_spending spending;
	const struct scenario *scenario;
	size_t boots_max;
	double shift;
	size_t replicates;
};

struct outcome {
	struct rate stopped;
	double boots; /* a side, on average */
};

static double p_of(const struct collection *collection, size_t boots, enum sequential_test test)
{
	struct moments base = moments_of(collection->base, boots);
	struct moments candidate = moments_of(collection->candidate, boots);

	if (test == SEQUENTIAL_UNPAIRED)
		return welch_test(&base, &candidate, 0.05).p;
	return paired_test(collection->base, collection->candidate, boots, 0.05).p;
}

static struct outcome run(const struct setting *setting)
{
	struct scenario scenario = *setting->scenario;
	struct sequential state =
		sequential_start(0.05, setting->boots_max, setting->spending, setting->test);
	double levels[BOOTS_MAX + 1] = {0};
	struct outcome outcome = {.stopped.tries = setting->replicates};
	gsl_rng *random = generator(4711);

	scenario.boots = setting->boots_max;
	for (size_t boots = FIRST_LOOK; boots <= setting->boots_max; boots++) {
		state = sequential_look(state, boots);
		levels[boots] = state.level;
	}
	for (size_t replicate = 0; replicate < setting->replicates; replicate++) {
		struct collection collection;
		size_t boots = FIRST_LOOK - 1;
		bool stop = false;

		collection_draw(&collection, &scenario, setting->shift, random);
		while (!stop && boots < setting->boots_max) {
			boots++;
			stop = p_of(&collection, boots, setting->test) < levels[boots];
		}
		outcome.stopped.hits += stop;
		outcome.boots += (double)boots / (double)setting->replicates;
	}
	gsl_rng_free(random);
	return outcome;
}

static const char *spending_name(enum sequential_spending spending)
{
	return spending == SEQUENTIAL_POCOCK ? "Pocock" : "O'Brien-Fleming";
}

static bool report(struct setting setting, double one_sd)
{
	struct outcome nothing = run(&setting);
	struct outcome change;
	char what[128];

	/* Found with 80% to 95% by one look at the end. */
	setting.shift = 3.2 * one_sd * sqrt(2 / (double)setting.boots_max);
	setting.replicates /= 4;
	change = run(&setting);
	snprintf(what, sizeof(what), "%s, %s, up to %zu boots", setting.scenario->title,
		 spending_name(setting.spending), setting.boots_max);
	printf("| %s | %s | %s | %zu | %.1f | %.1f to %.1f | %.0f | %.1f |\n",
	       setting.scenario->title, setting.test == SEQUENTIAL_UNPAIRED ? "welch" : "paired",
	       spending_name(setting.spending), setting.boots_max,
	       100 * rate_value(nothing.stopped), 100 * rate_low(nothing.stopped),
	       100 * rate_high(nothing.stopped), 100 * rate_value(change.stopped), change.boots);
	fflush(stdout);
	return rate_is_within(nothing.stopped, 0, RATE_MAX, what);
}

/* Argument: the test, welch or paired. */
int main(int argc, char **argv)
{
	const size_t most[] = {6, 12, 20, 40};
	struct scenario single = {.title = "iid normal", .iterations = 1};
	const struct scenario *spikes = scenario_find("spikes");
	bool paired = argc == 2 && strcmp(argv[1], "paired") == 0;
	bool good = true;

	printf("| noise | method | spending | boots at most | false alarms %% | 95%% interval | "
	       "found %% | boots taken |\n|---|---|---|---|---|---|---|---|\n");
	for (int spending = 0; spending < 2; spending++) {
		struct setting setting = {.test = paired ? SEQUENTIAL_PAIRED : SEQUENTIAL_UNPAIRED,
					  .spending = (enum sequential_spending)spending,
					  .scenario = &single,
					  .replicates = 20000};

		for (size_t i = 0; i < sizeof(most) / sizeof(*most); i++) {
			setting.boots_max = most[i];
			good = report(setting, 1) && good;
		}
		setting.scenario = spikes;
		setting.boots_max = 20;
		setting.replicates /= 4;
		good = report(setting, 1.2533 * LOGNORMAL_SIGMA / sqrt(30)) && good;
	}
	return !good;
}
