/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a change point says: kind, levels, size with intervals, p. */
#ifndef KREGRESS_ANALYZER_CHANGE_DESCRIBE_H
#define KREGRESS_ANALYZER_CHANGE_DESCRIBE_H

#include "analyzer/change_place.h"

/* Fills points[i] from places[i]. */
void change_describe(const struct change_model *model, const struct change_place *places,
		     size_t count, struct change_point *points);

#endif
