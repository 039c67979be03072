/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "analyzer/adjustment.h"

#include <math.h>
#include <string.h>

#include <gsl/gsl_sort.h>

#include "analyzer/false_discovery.h"
#include "analyzer/scratch.h"

static const char *const names[] = {
	[ADJUSTMENT_BH] = "bh",
	[ADJUSTMENT_BY] = "by",
	[ADJUSTMENT_HOLM] = "holm",
};

/* Step-up over p times the sum of 1 / i, held at 1 only afterwards. */
static void adjust_by(const double *p, double *q, size_t count)
{
	double factor = 0;

	for (size_t i = 1; i <= count; i++)
		factor += 1 / (double)i;
	false_discovery_adjust(p, q, count);
	/* Where Benjamini & Hochberg's q was held at 1, so is this. */
	for (size_t i = 0; i < count; i++)
		q[i] = fmin(q[i] * factor, 1);
}

static void adjust_holm(const double *p, double *q, size_t count)
{
	_scratch_ size_t *order = scratch_new(count, sizeof(*order));
	double largest = 0;

	gsl_sort_index(order, p, 1, count);
	for (size_t rank = 0; rank < count; rank++) {
		size_t i = order[rank];

		largest = fmax(largest, fmin(p[i] * (double)(count - rank), 1));
		q[i] = largest;
	}
}

void adjustment_apply(enum adjustment adjustment, const double *p, double *q, size_t count)
{
	_scratch_ double *held = scratch_copy(p, count);

	for (size_t i = 0; i < count; i++)
		held[i] = held[i] <= 1 ? fmax(held[i], 0) : 1;
	if (!count)
		return;
	if (adjustment == ADJUSTMENT_HOLM)
		adjust_holm(held, q, count);
	else if (adjustment == ADJUSTMENT_BY)
		adjust_by(held, q, count);
	else
		false_discovery_adjust(held, q, count);
}

const char *adjustment_name(enum adjustment adjustment)
{
	return names[adjustment];
}

bool adjustment_parse(const char *text, enum adjustment *adjustment)
{
	for (int i = ADJUSTMENT_BH; i <= ADJUSTMENT_HOLM; i++) {
		if (strcmp(text, names[i]) == 0) {
			*adjustment = (enum adjustment)i;
			return true;
		}
	}
	return false;
}
