/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "analyzer/sequential.h"

#include <math.h>
#include <stdlib.h>

#include <gsl/gsl_cdf.h>
#include <gsl/gsl_integration.h>

/* A level that no t test of a few boots can reach, below the accuracy of the recursion. */
#define LEVEL_MIN 1e-13

double sequential_spent(enum sequential_spending spending, double alpha, double fraction)
{
	if (!(fraction > 0))
		return 0;
	if (fraction >= 1)
		return alpha;
	if (spending == SEQUENTIAL_POCOCK)
		return alpha * log(1 + (exp(1) - 1) * fraction);
	return 4 * gsl_cdf_ugaussian_Q(gsl_cdf_ugaussian_Qinv(alpha / 4) / sqrt(fraction));
}

struct sequential sequential_start(double alpha, size_t blocks_max,
				   enum sequential_spending spending, enum sequential_test test)
{
	struct sequential state = {.blocks_max = blocks_max ? blocks_max : 1, .spending = spending};

	state.alpha = alpha > 0 && alpha < 1 ? alpha : 0.05;
	state.spendable = state.alpha;
	if (test == SEQUENTIAL_PAIRED)
		state.spendable /= SEQUENTIAL_PAIRED_DIVISOR;
	return state;
}

/* Nodes and weights on [0, edge]; the walk is symmetric. */
struct nodes {
	double place[SEQUENTIAL_NODES];
	double weight[SEQUENTIAL_NODES];
};

static void nodes_init(struct nodes *nodes, double edge)
{
	gsl_integration_glfixed_table *table =
		gsl_integration_glfixed_table_alloc(SEQUENTIAL_NODES);

	if (!table)
		abort();
	for (size_t i = 0; i < SEQUENTIAL_NODES; i++)
		gsl_integration_glfixed_point(0, edge, i, &nodes->place[i], &nodes->weight[i],
					      table);
	gsl_integration_glfixed_table_free(table);
}

/* P(no look has stopped the walk, and |walk| >= bound after a step of `sd`). */
static double crossing(const struct sequential *state, const struct nodes *nodes, double sd,
		       double bound)
{
	double sum = 0;

	if (!state->blocks)
		return 2 * gsl_cdf_ugaussian_Q(bound / sd);
	for (size_t i = 0; i < SEQUENTIAL_NODES; i++) {
		double place = nodes->place[i];

		sum += state->density[i] * nodes->weight[i] *
		       (gsl_cdf_ugaussian_Q((bound - place) / sd) +
			gsl_cdf_ugaussian_Q((bound + place) / sd));
	}
	return 2 * sum;
}

/* The bound that is crossed with probability `wanted`. */
static double find_bound(const struct sequential *state, const struct nodes *nodes, double sd,
			 double wanted)
{
	double low = 0;
	double high = state->edge + 9 * sd;

	for (int step = 0; step < 60; step++) {
		double middle = low + (high - low) / 2;

		if (crossing(state, nodes, sd, middle) > wanted)
			low = middle;
		else
			high = middle;
	}
	return low + (high - low) / 2;
}

static double normal_density(double distance, double sd)
{
	double z = distance / sd;

	return 0.3989422804014327 / sd * exp(-z * z / 2);
}

/* The density after the step, at the nodes below the new bound. */
static void walk_on(struct sequential *state, const struct nodes *nodes, double sd, double bound)
{
	struct nodes next;
	double density[SEQUENTIAL_NODES];

	nodes_init(&next, bound);
	for (size_t i = 0; i < SEQUENTIAL_NODES; i++) {
		density[i] = state->blocks ? 0 : normal_density(next.place[i], sd);
		for (size_t j = 0; state->blocks && j < SEQUENTIAL_NODES; j++)
			density[i] += state->density[j] * nodes->weight[j] *
				      (normal_density(next.place[i] - nodes->place[j], sd) +
				       normal_density(next.place[i] + nodes->place[j], sd));
	}
	for (size_t i = 0; i < SEQUENTIAL_NODES; i++)
		state->density[i] = density[i];
	state->edge = bound;
}

struct sequential sequential_look(struct sequential state, size_t blocks)
{
	double fraction = (double)blocks / (double)state.blocks_max;
	double sd = sqrt(((double)blocks - (double)state.blocks) / (double)state.blocks_max);
	double spent = sequential_spent(state.spending, state.spendable, fraction);
	struct nodes nodes;
	double bound, reach;

	state.level = 0;
	if (blocks <= state.blocks || blocks > state.blocks_max)
		return state;
	nodes_init(&nodes, state.edge);
	bound = find_bound(&state, &nodes, sd, spent - state.spent);
	state.level = 2 * gsl_cdf_ugaussian_Q(bound / sqrt(fraction));
	if (state.level < LEVEL_MIN)
		state.level = 0;
	/* No further than there is anything: the nodes are better used inside. */
	reach = fmin(bound, 8.5 * sqrt(fraction));
	walk_on(&state, &nodes, sd, reach);
	state.blocks = blocks;
	state.spent = spent;
	return state;
}
