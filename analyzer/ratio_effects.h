/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Ratios of other locations than the mean, candidate to base, from the logarithms of the values.
 * All values are to be of one sign and none zero; else the ratio is not known.
 */
#ifndef KREGRESS_ANALYZER_RATIO_EFFECTS_H
#define KREGRESS_ANALYZER_RATIO_EFFECTS_H

#include <stdbool.h>
#include <stddef.h>

#include "analyzer/ratio.h"

/* Ratio of the geometric means, with Welch's interval for the difference of the mean logarithms. */
struct ratio ratio_of_geometric_means(const double *base, size_t n_base, const double *candidate,
				      size_t n_candidate, double alpha);

/*
 * Ratio of the medians, with the interval of Price & Bonett, Computational Statistics & Data
 * Analysis 37 (2002): the error of each log median from two order statistics of the sample. It
 * needs no assumption on the shape. Not known with fewer than two values on a side.
 */
struct ratio ratio_of_medians(const double *base, size_t n_base, const double *candidate,
			      size_t n_candidate, double alpha);

#endif
