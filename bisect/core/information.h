/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Mutual information between the hypotheses and a value not yet measured, which is a mixture of
 * Student's t distributions, one per hypothesis: entropy of the mixture less the mean entropy of
 * the components (Lindley, "On a measure of the information provided by an experiment", 1956).
 * Computed on nodes laid around the components, finer than a third of the narrowest.
 */
#ifndef KREGRESS_BISECT_CORE_INFORMATION_H
#define KREGRESS_BISECT_CORE_INFORMATION_H

#include <stddef.h>

struct predictive {
	double location;
	double scale; /* > 0 */
	double freedom;
};

struct information {
	size_t component_count;
	size_t node_count;
	double *width;	 /* of each node */
	double *density; /* [component * node_count + node] */
	double *entropy; /* of each component, in nats */
	double *mixed;	 /* work space, one per node */
};

void information_init(struct information *information, const struct predictive *components,
		      size_t component_count);
void information_release(struct information *information);

/* In bits; `weights` >= 0, one per component, not all zero; they need not add up to one. */
double information_of_value(const struct information *information, const double *weights);

/* The same for an outcome that fails with these probabilities. */
double information_of_outcome(const double *fails, const double *weights, size_t count);

#endif
