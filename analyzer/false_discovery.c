/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "analyzer/false_discovery.h"

#include <math.h>

#include <gsl/gsl_sort.h>

#include "analyzer/scratch.h"

void false_discovery_adjust(const double *p, double *q, size_t count)
{
	_scratch_ size_t *order = scratch_new(count, sizeof(*order));
	double smallest = 1;

	if (!count)
		return;
	gsl_sort_index(order, p, 1, count);
	for (size_t rank = count; rank > 0; rank--) {
		size_t i = order[rank - 1];

		smallest = fmin(smallest, p[i] * ((double)count / (double)rank));
		q[i] = smallest;
	}
}
