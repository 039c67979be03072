/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bisect/core/information.h"

#include <gsl/gsl_sf_gamma.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "common/alloc.h"

/* Where nodes are laid, in scales from the location of each component. */
static const double offsets[] = {-7,  -5,  -4,	-3.3, -2.7, -2.2, -1.7, -1.3, -0.9, -0.6, -0.3, 0,
				 0.3, 0.6, 0.9, 1.3,  1.7,  2.2,  2.7,	3.3,  4,    5,	  7};

/* A component of less weight changes nothing. */
#define NEGLIGIBLE 1e-9

enum { OFFSETS = sizeof(offsets) / sizeof(offsets[0]) };

static int compare_nodes(const void *left, const void *right)
{
	double a = *(const double *)left;
	double b = *(const double *)right;

	return (a > b) - (a < b);
}

/* Sorts the nodes and drops those that are nearer to the one before than `gap`. */
static size_t thin(double *nodes, size_t count, double gap)
{
	size_t kept = 1;

	qsort(nodes, count, sizeof(*nodes), compare_nodes);
	for (size_t i = 1; i < count; i++) {
		if (nodes[i] - nodes[kept - 1] >= gap)
			nodes[kept++] = nodes[i];
	}
	return kept;
}

static double *lay_nodes(const struct predictive *components, size_t count, size_t *node_count)
{
	double *nodes = xcalloc(count * OFFSETS, sizeof(*nodes));
	double narrowest = components[0].scale;

	for (size_t c = 0; c < count; c++) {
		narrowest = fmin(narrowest, components[c].scale);
		for (size_t i = 0; i < OFFSETS; i++)
			nodes[c * OFFSETS + i] =
				components[c].location + offsets[i] * components[c].scale;
	}
	*node_count = thin(nodes, count * OFFSETS, 0.29 * narrowest);
	return nodes;
}

/* Widths of the trapezoid rule. */
static void set_widths(struct information *information, const double *nodes)
{
	size_t last = information->node_count - 1;

	for (size_t i = 0; i <= last; i++)
		information->width[i] = (nodes[i < last ? i + 1 : i] - nodes[i ? i - 1 : 0]) / 2;
}

/* The density at every node, made to add up to one, and its entropy. */
static void set_component(struct information *information, size_t index, const double *nodes,
			  const struct predictive *component, double log_constant)
{
	double *density = information->density + index * information->node_count;
	double power = (component->freedom + 1) / 2;
	double sum = 0;
	double entropy = 0;

	for (size_t i = 0; i < information->node_count; i++) {
		double z = (nodes[i] - component->location) / component->scale;
		double log_density = log_constant - log(component->scale) -
				     power * log(1 + z * z / component->freedom);

		density[i] = exp(log_density);
		sum += density[i] * information->width[i];
		entropy -= density[i] * log_density * information->width[i];
	}
	for (size_t i = 0; i < information->node_count; i++)
		density[i] /= sum;
	information->entropy[index] = entropy / sum + log(sum);
}

void information_init(struct information *information, const struct predictive *components,
		      size_t component_count)
{
	size_t nodes_count = 0;
	double *nodes = lay_nodes(components, component_count, &nodes_count);

	*information = (struct information){
		.component_count = component_count,
		.node_count = nodes_count,
		.width = xcalloc(nodes_count, sizeof(double)),
		.density = xcalloc(nodes_count * component_count, sizeof(double)),
		.entropy = xcalloc(component_count, sizeof(double)),
		.mixed = xcalloc(nodes_count, sizeof(double)),
	};
	set_widths(information, nodes);
	for (size_t c = 0; c < component_count; c++) {
		double freedom = components[c].freedom;
		double log_constant = gsl_sf_lngamma((freedom + 1) / 2) -
				      gsl_sf_lngamma(freedom / 2) - 0.5 * log(freedom * M_PI);

		set_component(information, c, nodes, &components[c], log_constant);
	}
	free(nodes);
}

void information_release(struct information *information)
{
	free(information->width);
	free(information->density);
	free(information->entropy);
	free(information->mixed);
	*information = (struct information){0};
}

double information_of_value(const struct information *information, const double *weights)
{
	size_t nodes = information->node_count;
	double *mixed = information->mixed;
	double total = 0;
	double entropy = 0;

	memset(mixed, 0, nodes * sizeof(*mixed));
	for (size_t c = 0; c < information->component_count; c++) {
		const double *density = information->density + c * nodes;

		if (!(weights[c] > NEGLIGIBLE))
			continue;
		total += weights[c];
		entropy -= weights[c] * information->entropy[c];
		for (size_t i = 0; i < nodes; i++)
			mixed[i] += weights[c] * density[i];
	}
	for (size_t i = 0; i < nodes; i++) {
		if (mixed[i] > 0)
			entropy -= mixed[i] * log(mixed[i] / total) * information->width[i];
	}
	return fmax(entropy / total / M_LN2, 0);
}

static double bit_entropy(double p)
{
	if (p <= 0 || p >= 1)
		return 0;
	return -(p * log(p) + (1 - p) * log(1 - p)) / M_LN2;
}

double information_of_outcome(const double *fails, const double *weights, size_t count)
{
	double total = 0;
	double failing = 0;
	double within = 0;

	for (size_t c = 0; c < count; c++) {
		total += weights[c];
		failing += weights[c] * fails[c];
		within += weights[c] * bit_entropy(fails[c]);
	}
	return fmax(bit_entropy(failing / total) - within / total, 0);
}
