/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Penalised segmentation: the stretches whose squared error about a level or a line, plus a price
 * for every change, is least. Dynamic programming over the end of the last stretch (Jackson et al.,
 * IEEE Signal Processing Letters 12, 2005; PELT prunes the same recursion: Killick, Fearnhead &
 * Eckley, Journal of the American Statistical Association 107, 2012).
 *
 * The last change may lie at each of the last SEGMENTATION_DENSE points, and farther back at places
 * that are multiples of a power of two, 16 in each octave of distance, and at the change that was
 * the last one for one point less. So a change is found when it is near, at its exact place, and
 * kept; a series costs n log n, and a point more costs log n.
 */
#ifndef KREGRESS_ANALYZER_CHANGE_SEGMENTATION_H
#define KREGRESS_ANALYZER_CHANGE_SEGMENTATION_H

#include <stddef.h>

#include "analyzer/change_model.h"

#define SEGMENTATION_DENSE 32

struct change_segmentation {
	double *best;	/* least cost of the first t points, n + 1 */
	size_t *last;	/* start of their last stretch */
	double *prices; /* of a change by the length of the stretch behind, up to the dense ones */
	size_t capacity;
};

/* Extends the recursion to the first `end` points; the first `kept` of them are as before. */
void change_segmentation_extend(struct change_segmentation *segmentation,
				const struct change_model *model, size_t kept, size_t end);

/* Starts of all stretches but the first, ascending, into `places` (room for n); their number. */
size_t change_segmentation_places(const struct change_segmentation *segmentation, size_t n,
				  size_t *places);

void change_segmentation_release(struct change_segmentation *segmentation);

#endif
