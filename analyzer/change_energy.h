/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * E-divisive: the split of a stretch with the largest energy distance between its parts, accepted
 * when few permutations of the stretch have one as large (Matteson & James, Journal of the American
 * Statistical Association 109, 2014), for the exponent 1 and the right part up to the stretch's
 * end.
 *
 * The sums of |x - y| for every split come exactly from two passes over the stretch with a tree of
 * counts and sums over the order of its values: n log n for all splits. Where the noise is
 * autocorrelated, blocks are permuted instead of points, as Künsch, Annals of Statistics 17 (1989),
 * resamples them. The result follows from the seed; p is never 0.
 */
#ifndef KREGRESS_ANALYZER_CHANGE_ENERGY_H
#define KREGRESS_ANALYZER_CHANGE_ENERGY_H

#include "analyzer/change_place.h"

#define CHANGE_ENERGY_PERMUTATIONS 199

/* Fills `places` (room for n), ascending, without their intervals; returns how many. */
size_t change_energy_find(const struct change_model *model, struct change_place *places);

/*
 * Energy distance, times n_left n_right / n, of each split of the values: statistics[s] for the
 * first s against the rest, 2 <= s <= n - 2; others are 0. `statistics` has room for n.
 */
void change_energy_statistics(const double *values, size_t n, double *statistics);

#endif
