/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "analyzer/change_rank.h"

#include <math.h>

#include <gsl/gsl_sort.h>

#include "analyzer/change_divide.h"
#include "analyzer/scratch.h"

/* Mid-ranks of [from, from + n) of the cut values, about their mean, into `ranks`. */
static void rank(const double *values, size_t n, size_t *order, double *ranks)
{
	gsl_sort_index(order, values, 1, n);
	for (size_t first = 0, next; first < n; first = next) {
		double middle;

		for (next = first + 1; next < n && values[order[next]] == values[order[first]];)
			next++;
		middle = (double)(first + next - 1) / 2 - (double)(n - 1) / 2;
		for (size_t i = first; i < next; i++)
			ranks[order[i]] = middle;
	}
}

/* Squared standardised rank sum of the first `count` of n, whose deviations add up to `sum`. */
static double squared_of(const struct change_model *model, double sum, double variance,
			 size_t count, size_t n)
{
	size_t shorter = count < n - count ? count : n - count;
	double lag1 = model->noise.lag1;
	double spread = variance * (double)count * (double)(n - count) / (double)n;
	double inflation = (1 + lag1) / (1 - lag1) * change_model_share(model, shorter);

	return sum * sum / spread / inflation;
}

static bool split(const struct change_model *model, void *context, size_t from, size_t to,
		  struct change_place *place)
{
	size_t n = to - from;
	_scratch_ double *ranks = scratch_new(n, sizeof(*ranks));
	_scratch_ size_t *order = scratch_new(n, sizeof(*order));
	size_t least = model->settings.min_segment;
	double variance = 0;
	double sum = 0;

	(void)context;
	rank(model->cut + from, n, order, ranks);
	for (size_t i = 0; i < n; i++)
		variance += ranks[i] * ranks[i] / (double)(n - 1);
	if (!(variance > 0))
		return false;
	place->squared = 0;
	for (size_t i = 0; i + least < n; i++) {
		double squared;

		sum += ranks[i];
		if (i + 1 < least)
			continue;
		squared = squared_of(model, sum, variance, i + 1, n);
		if (squared > place->squared) {
			place->squared = squared;
			place->index = from + i + 1;
		}
	}
	place->p = change_model_p(model->basis, place->squared);
	return place->squared > model->price;
}

size_t change_rank_find(const struct change_model *model, struct change_place *places)
{
	return change_divide(model, split, NULL, places);
}
