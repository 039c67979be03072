/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The table of docs/bisect.md: searches simulated with known culprits, against the goals. Usage:
 * bench-bisect [PERCENT of the replicates [NAME of a row]]. Exit code 1 when a goal is missed.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/benchmark/bisect_simulation.h"

struct goal {
	double spent; /* largest mean cost; 0: none */
	double wrong; /* largest fraction without the right answer; negative: none */
	double held;  /* least fraction of sets that hold the culprit; 0: none */
	double refused;
};

#define NO_GOAL                                                                                    \
	{                                                                                          \
		0, -1, 0, 0                                                                        \
	}
#define SPEND(cost)                                                                                \
	{                                                                                          \
		1.2 * (cost), 0.01, 0, 0                                                           \
	}

static const struct row {
	struct simulation simulation;
	struct goal goal;
} rows[] = {
	{{.name = "linear", .shift = 4, .replicates = 1000}, SPEND(18)},
	{{.name = "linear", .shift = 2, .replicates = 600}, SPEND(40)},
	{{.name = "linear", .shift = 1, .replicates = 400}, SPEND(117)},
	{{.name = "linear", .shift = 0.5, .replicates = 300}, SPEND(482)},
	{{.name = "a move costs 10", .shift = 4, .move_cost = 10, .replicates = 500}, SPEND(123)},
	{{.name = "a move costs 10", .shift = 2, .move_cost = 10, .replicates = 500}, SPEND(164)},
	{{.name = "a move costs 10", .shift = 1, .move_cost = 10, .replicates = 400}, SPEND(288)},
	{{.name = "20% merges", .merges = 0.2, .shift = 4, .replicates = 500}, SPEND(18)},
	{{.name = "20% merges", .merges = 0.2, .shift = 2, .replicates = 400}, SPEND(40)},
	{{.name = "20% merges", .merges = 0.2, .shift = 1, .replicates = 200}, SPEND(117)},
	{{.name = "no culprit", .replicates = 300}, {0, -1, 0, 0.99}},
	{{.name = "no culprit, merges", .merges = 0.2, .replicates = 100}, {0, -1, 0, 0.99}},
	{{.name = "layout 0.5", .shift = 2, .layout = 0.5, .model_layout = 0.5, .replicates = 600},
	 {0, -1, 0.98, 0}},
	{{.name = "layout 0.5, not known",
	  .shift = 2,
	  .layout = 0.5,
	  .layout_unknown = true,
	  .replicates = 40},
	 {0, -1, 0.98, 0}},
	{{.name = "layout 0, not known", .shift = 2, .layout_unknown = true, .replicates = 100},
	 NO_GOAL},
	{{.name = "layout 0.5, ignored", .shift = 2, .layout = 0.5, .replicates = 500}, NO_GOAL},
	{{.name = "exact, 24 commits",
	  .shift = 8,
	  .exact = true,
	  .commits = 24,
	  .merges = 0.2,
	  .replicates = 1000},
	 {1.2 * 7, 0.01, 0, 0}},
	{{.name = "exact, layout 0.2",
	  .shift = 8,
	  .exact = true,
	  .layout = 0.2,
	  .commits = 24,
	  .merges = 0.2,
	  .replicates = 1000},
	 {1.2 * 7, 0.01, 0, 0}},
	{{.name = "exact, 10% broken",
	  .shift = 8,
	  .exact = true,
	  .layout = 0.2,
	  .commits = 24,
	  .merges = 0.2,
	  .broken = 0.1,
	  .replicates = 1000},
	 {1.2 * 7, -1, 0.98, 0}},
	{{.name = "exact, no culprit",
	  .exact = true,
	  .layout = 0.2,
	  .commits = 24,
	  .merges = 0.2,
	  .replicates = 1000},
	 {0, -1, 0, 0.99}},
	{{.name = "two changes, +4 +4",
	  .shift = 4,
	  .second_shift = 4,
	  .steps = 2,
	  .commits = 128,
	  .replicates = 60},
	 {0, -1, 0.98, 0}},
	{{.name = "two changes, +4 -4",
	  .shift = 4,
	  .second_shift = -4,
	  .steps = 2,
	  .commits = 128,
	  .replicates = 60},
	 {0, -1, 0.95, 0}},
	{{.name = "one change, two asked",
	  .shift = 4,
	  .steps = 2,
	  .commits = 128,
	  .replicates = 40},
	 NO_GOAL},
	{{.name = "flaky, .02 .9",
	  .fails_fast = 0.02,
	  .fails_slow = 0.9,
	  .flaky = true,
	  .replicates = 300},
	 {0, 0.02, 0, 0}},
	{{.name = "flaky, .1 .6",
	  .fails_fast = 0.1,
	  .fails_slow = 0.6,
	  .flaky = true,
	  .replicates = 100},
	 {0, 0.02, 0, 0}},
	{{.name = "flaky, no culprit",
	  .fails_fast = 0.2,
	  .fails_slow = 0.2,
	  .flaky = true,
	  .replicates = 200},
	 {0, -1, 0, 0.98}},
	{{.name = "not known as flaky, .02 .9",
	  .fails_fast = 0.02,
	  .fails_slow = 0.9,
	  .replicates = 1000},
	 NO_GOAL},
	{{.name = "2% outliers of 10",
	  .shift = 4,
	  .outlier_rate = 0.02,
	  .outlier = 10,
	  .replicates = 300},
	 NO_GOAL},
	{{.name = "git bisect, n = 5", .shift = 4, .classic = 5, .replicates = 5000}, NO_GOAL},
	{{.name = "git bisect, n = 5", .shift = 2, .classic = 5, .replicates = 5000}, NO_GOAL},
	{{.name = "git bisect, n = 5", .shift = 1, .classic = 5, .replicates = 5000}, NO_GOAL},
	{{.name = "git bisect, n = 5", .shift = 0.5, .classic = 5, .replicates = 5000}, NO_GOAL},
	{{.name = "git bisect, n = 20", .shift = 4, .classic = 20, .replicates = 2000}, NO_GOAL},
	{{.name = "git bisect, n = 20", .shift = 2, .classic = 20, .replicates = 2000}, NO_GOAL},
	{{.name = "git bisect, n = 20", .shift = 1, .classic = 20, .replicates = 2000}, NO_GOAL},
	{{.name = "git bisect, n = 20", .shift = 0.5, .classic = 20, .replicates = 2000}, NO_GOAL},
};

static bool is_reached(const struct goal *goal, const struct simulation_result *result)
{
	double n = (double)result->replicates;

	return (goal->spent <= 0 || result->cost <= goal->spent) &&
	       (goal->wrong < 0 || n - (double)result->right <= goal->wrong * n) &&
	       (double)result->held >= goal->held * n &&
	       (double)result->refused >= goal->refused * n;
}

static bool run_row(const struct row *row, size_t index, double share)
{
	static const struct goal none = NO_GOAL;
	struct simulation simulation = row->simulation;
	struct simulation_result result;
	bool has_goal = row->goal.spent > 0 || row->goal.wrong >= 0 || row->goal.held > 0 ||
			row->goal.refused > 0;
	double n;

	simulation.commits = simulation.commits ? simulation.commits : 256;
	simulation.seed = (index + 1) * UINT64_C(7919000000000);
	simulation.replicates = (size_t)((double)simulation.replicates * share) + 1;
	result = simulate(&simulation);
	n = (double)result.replicates;
	printf("| %s | %g | %zu | %.3f | %.3f | %.3f | %.3f | %.2f | %.1f | %.1f | %.1f / %.1f | "
	       "%s |\n",
	       simulation.name, simulation.shift, result.replicates, (double)result.right / n,
	       (double)result.wrong / n, (double)result.refused / n, (double)result.held / n,
	       result.set_size, result.values, result.cost, result.predicted, result.actual,
	       !has_goal			 ? ""
	       : is_reached(&row->goal, &result) ? "reached"
						 : "missed");
	fflush(stdout);
	return is_reached(has_goal ? &row->goal : &none, &result);
}

int main(int argc, char **argv)
{
	double share = argc > 1 ? atof(argv[1]) / 100 : 1;
	const char *only = argc > 2 ? argv[2] : NULL;
	bool reached = true;

	printf("| history | d | searches | right | wrong | refused | set holds it | set size | "
	       "values | cost | cost left: predicted / actual | goal |\n"
	       "|---|---|---|---|---|---|---|---|---|---|---|---|\n");
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		if (!only || !strcmp(only, rows[i].simulation.name))
			reached = run_row(&rows[i], i, share) && reached;
	}
	return reached ? 0 : 1;
}
