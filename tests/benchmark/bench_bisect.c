/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The table of docs/bisect.md: searches simulated with known culprits, against the goals, and the
 * time that planning takes on a large range. Usage: bench-bisect [PERCENT of the replicates].
 * Exit code 1 when a goal is missed.
 */
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <time.h>

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
	{{.name = "layout 0.5", .shift = 2, .layout = 0.5, .model_layout = 0.5, .replicates = 200},
	 {0, -1, 0.98, 0}},
	{{.name = "layout 0.5, ignored", .shift = 2, .layout = 0.5, .replicates = 500}, NO_GOAL},
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
	bool has_goal = row->goal.spent > 0 || row->goal.held > 0 || row->goal.refused > 0;
	double n;

	simulation.commits = 256;
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

/* The slowest of eight steps on the way to a culprit in the middle of the range. */
static double plan_steps(const struct dag *dag, size_t culprit, struct random *random)
{
	_cleanup_(search_release) struct search search = {0};
	struct search_settings settings = SEARCH_VALUES;
	struct search_costs costs = SEARCH_COSTS_EVEN;
	struct search_step step = {.site = dag_count(dag)};
	double slowest = 0;

	search_init(&search, dag, 1, &settings);
	for (size_t i = 0; i < 12; i++)
		search_add_value(&search, dag_count(dag) - i % 2,
				 (i % 2 ? 6 : 0) + random_normal(random));
	for (size_t i = 0; i < 8; i++) {
		clock_t start = clock();
		double seconds;

		search_update(&search);
		if (search_next(&search, &costs, &step) != SEARCH_MEASURE)
			break;
		search_add_value(&search, step.site,
				 (search_is_slow(&search, culprit, step.site) ? 6 : 0) +
					 random_normal(random));
		seconds = (double)(clock() - start) / CLOCKS_PER_SEC;
		slowest = seconds > slowest ? seconds : slowest;
	}
	return slowest;
}

/* Closes a range of 30 000 commits, 20% of them merges, and plans steps. */
static bool plan_large(void)
{
	_cleanup_(dag_release) struct dag dag = DAG_INIT;
	struct random random = {42};
	struct rusage usage;
	clock_t start = clock();
	double closed;
	double planned;

	random_dag(&dag, 30000, 0.2, &random);
	closed = (double)(clock() - start) / CLOCKS_PER_SEC;
	planned = plan_steps(&dag, 12345, &random);
	getrusage(RUSAGE_SELF, &usage);
	printf("30 000 commits, 20%% merges: closed in %.2f s, the slowest step planned in "
	       "%.2f s, %ld MB at most\n",
	       closed, planned, usage.ru_maxrss / 1024);
	return closed + planned < 1 && usage.ru_maxrss < 200 * 1024;
}

int main(int argc, char **argv)
{
	double share = argc > 1 ? atof(argv[1]) / 100 : 1;
	bool reached = plan_large();

	printf("\n| history | d | searches | right | wrong | refused | set holds it | set size | "
	       "values | cost | cost left: predicted / actual | goal |\n"
	       "|---|---|---|---|---|---|---|---|---|---|---|---|\n");
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		reached = run_row(&rows[i], i, share) && reached;
	return reached ? 0 : 1;
}
