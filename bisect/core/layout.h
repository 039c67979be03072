/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The layout effect r when it is not known: averaged over a few sizes, equally likely beforehand,
 * with the weight that the likelihood gives to each.
 */
#ifndef KREGRESS_BISECT_CORE_LAYOUT_H
#define KREGRESS_BISECT_CORE_LAYOUT_H

#include <stddef.h>

#include "bisect/core/split.h"

enum { LAYOUTS = 4 };

extern const double layout_sizes[LAYOUTS];

/*
 * What the sites' likelihood has for this r beside split_fit.log_likelihood, which leaves it out as
 * the same for all hypotheses. `sites` hold at least one value in all.
 */
double layout_log_factor(const struct site *sites, size_t count, double layout);

/*
 * Averages fits, one per size, whose log_likelihood has the factor added: moments are matched.
 * *mean_square becomes the mean of r^2.
 */
struct split_fit layout_average(const struct split_fit fits[LAYOUTS], double *mean_square);

#endif
