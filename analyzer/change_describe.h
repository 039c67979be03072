/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a change point says: kind, levels, size with intervals, p. */
#ifndef KREGRESS_ANALYZER_CHANGE_DESCRIBE_H
#define KREGRESS_ANALYZER_CHANGE_DESCRIBE_H

#include "analyzer/change_place.h"

/* One side of a change: what is compared, by its standard error. */
struct change_side {
	size_t n;
	double location;
	double error;
};

/* Sets before, after, difference and ratio with their intervals at 95%. */
void change_describe_size(struct change_point *point, const struct change_side *before,
			  const struct change_side *after);

/* Fills points[i] from places[i]: changes of level and of trend. */
void change_describe(const struct change_model *model, const struct change_place *places,
		     size_t count, struct change_point *points);

#endif
