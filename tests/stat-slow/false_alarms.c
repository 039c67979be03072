/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * How often each method finds a difference where there is none: at most 6% at alpha 5%, and the
 * default at least 2.5%. Argument: the scenario. Prints its column of the table.
 */
#include <stdio.h>
#include <string.h>

#include "tests/stat-slow/simulation.h"

#define RATE_MAX	 0.06
#define DEFAULT_RATE_MIN 0.025

/* One row: a method, on interleaved collections or not. */
struct row {
	enum method method;
	bool interleaved;
	size_t replicates;
	struct rate rate;
};

/* The rest of the replicates is left out where a method counts all permutations or resamples. */
static size_t replicates_of(enum method method, size_t boots)
{
	if (method == METHOD_BRUNNER_MUNZEL)
		return 1500;
	return boots > 10 ? 4000 : 10000;
}

static void run_row(struct row *row, const struct collection *collection, size_t boots,
		    unsigned long replicate)
{
	struct comparison_input input = collection_input(collection, boots, row->interleaved);
	struct comparison comparison;

	if (row->rate.tries >= row->replicates)
		return;
	input.method = row->method;
	input.seed = replicate + 1;
	comparison = comparison_measure(&input);
	/* A method that gives way to another, or has no p, is not what the row is about. */
	if (row->method != METHOD_AUTO && comparison.method != row->method)
		return;
	if (!comparison.p_known)
		return;
	row->rate.tries++;
	row->rate.hits += comparison.p < input.alpha;
}

static bool report(const struct row *rows, size_t count, const struct scenario *scenario)
{
	bool good = true;

	printf("| method | %s | 95%% interval |\n|---|---|---|\n", scenario->title);
	for (size_t i = 0; i < count; i++) {
		const char *kind = rows[i].method != METHOD_AUTO ? ""
				   : rows[i].interleaved	 ? " (interleaved)"
								 : " (not interleaved)";
		/* Unpaired, a drift only widens what a test has to go by. */
		bool held = rows[i].interleaved || scenario->drift == 0;
		double low = rows[i].method == METHOD_AUTO && held ? DEFAULT_RATE_MIN : 0;

		if (!rows[i].rate.tries)
			continue;
		printf("| %s%s | %.1f | %.1f to %.1f |\n", method_name(rows[i].method), kind,
		       100 * rate_value(rows[i].rate), 100 * rate_low(rows[i].rate),
		       100 * rate_high(rows[i].rate));
		good = rate_is_within(rows[i].rate, low, RATE_MAX, method_name(rows[i].method)) &&
		       good;
	}
	return good;
}

int main(int argc, char **argv)
{
	const struct scenario *scenario = argc == 2 ? scenario_find(argv[1]) : NULL;
	struct row rows[METHOD_NONE + 1] = {{.method = METHOD_AUTO}};
	size_t count = 1;
	gsl_rng *random;
	bool good;

	if (!scenario) {
		fprintf(stderr, "usage: %s SCENARIO\n", argv[0]);
		return 2;
	}
	for (int method = METHOD_AUTO; method < METHOD_NONE; method++)
		rows[count++] = (struct row){.method = (enum method)method, .interleaved = true};
	for (size_t i = 0; i < count; i++)
		rows[i].replicates = replicates_of(rows[i].method, scenario->boots);
	random = generator(2024);
	for (unsigned long replicate = 0; replicate < rows[0].replicates; replicate++) {
		struct collection collection;

		collection_draw(&collection, scenario, 0, random);
		for (size_t i = 0; i < count; i++)
			run_row(&rows[i], &collection, scenario->boots, replicate);
	}
	gsl_rng_free(random);
	good = report(rows, count, scenario);
	return !good;
}
