/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "analyzer/change_divide.h"

#include "analyzer/scratch.h"

/*
 * Stretches are taken from left to right; the ends of those to come are on a stack, so that depth
 * does not matter.
 */
size_t change_divide(const struct change_model *model, change_split split, void *context,
		     struct change_place *places)
{
	_scratch_ struct change_place *ends = scratch_new(model->n + 1, sizeof(*ends));
	size_t least = model->settings.min_segment;
	size_t depth = 1;
	size_t count = 0;
	size_t from = 0;

	ends[0].index = model->n;
	while (depth > 0) {
		size_t to = ends[depth - 1].index;
		struct change_place place = {0};

		if (to - from >= 2 * least && split(model, context, from, to, &place)) {
			ends[depth++] = place;
			continue;
		}
		depth--;
		if (depth > 0)
			places[count++] = ends[depth];
		from = to;
	}
	return count;
}
