/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Change points by ranks: the split of a stretch with the largest standardised rank sum (after
 * Pettitt, Applied Statistics 28, 1979, with mid-ranks), each split by its own variance, which is
 * raised for autocorrelation; a stretch is divided as long as the square exceeds the price of a
 * change (binary segmentation). No assumption on the distribution of the noise.
 */
#ifndef KREGRESS_ANALYZER_CHANGE_RANK_H
#define KREGRESS_ANALYZER_CHANGE_RANK_H

#include "analyzer/change_place.h"

/* Fills `places` (room for n), ascending, without their intervals; returns how many. */
size_t change_rank_find(const struct change_model *model, struct change_place *places);

#endif
