/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Binary segmentation: a stretch is split, then both parts, until no split is accepted. */
#ifndef KREGRESS_ANALYZER_CHANGE_DIVIDE_H
#define KREGRESS_ANALYZER_CHANGE_DIVIDE_H

#include "analyzer/change_place.h"

/* The best split of points [from, to), and whether it is accepted. */
typedef bool (*change_split)(const struct change_model *model, void *context, size_t from,
			     size_t to, struct change_place *place);

/* Fills `places` (room for n), ascending; returns how many. */
size_t change_divide(const struct change_model *model, change_split split, void *context,
		     struct change_place *places);

#endif
