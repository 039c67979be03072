/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Changes of spread: those of the distances of the points from their surroundings.
 *
 * A point's distance is that from the median of the CHANGE_SPIKE_REACH points on each side of it,
 * which a slope hardly touches, and a step for two points; the same idea as in Brown & Forsythe's
 * test of equal spread (Journal of the American Statistical Association 69, 1974), with a running
 * median. Square roots of the distances are nearly symmetric for normal noise; their level is
 * searched for changes by the segmentation, with all that it does about spikes and autocorrelation.
 * So the first and the last CHANGE_SPIKE_REACH points have no say, and a change shows that many
 * points later.
 *
 * The price is that at CHANGE_SPREAD_SHARE times alpha, so that changes of level and of spread
 * together stay within it. A change of spread at a change of level is a part of that and not
 * reported; nor is one that the known variances of the points may explain, which is any between
 * none and that of those variances.
 */
#ifndef KREGRESS_ANALYZER_CHANGE_SPREAD_H
#define KREGRESS_ANALYZER_CHANGE_SPREAD_H

#include "analyzer/change_search.h"

#define CHANGE_SPREAD_SHARE	  0.07
#define CHANGE_SPREAD_MIN_SEGMENT 10

struct change_spread {
	struct change_search search; /* over the roots of distances */
	struct change_place *places; /* owned; what the last search found, by distances */
	size_t count;
};

/* NULL settings: the defaults. */
void change_spread_init(struct change_spread *spread, const struct change_settings *settings);
void change_spread_release(struct change_spread *spread);

/* Searches the points of `level`, which only grew since the last call. */
void change_spread_find(struct change_spread *spread, const struct change_model *level);

/* Variance around a point over that of the series in the mean; 1 without changes of spread. */
double change_spread_excess(const struct change_spread *spread, size_t at);

/*
 * The changes of spread at places other than the `count` ascending ones of `changes`, into
 * `points` (room for one in CHANGE_SPREAD_MIN_SEGMENT points); returns how many.
 */
size_t change_spread_describe(const struct change_spread *spread, const struct change_model *level,
			      const struct change_point *changes, size_t count,
			      struct change_point *points);

#endif
