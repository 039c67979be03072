/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Hodges-Lehmann estimate of a shift: the median of all pairwise differences, candidate minus
 * base, with the interval that belongs to the Mann-Whitney test.
 *
 * Source: Hodges & Lehmann, Annals of Mathematical Statistics 34 (1963); interval after Moses, see
 * Hollander & Wolfe, Nonparametric Statistical Methods, section 4.3. The order statistics of the
 * differences are exact for every n: they are found by bisection over the doubles, counting
 * pairs in the sorted samples, without storing the differences.
 */
#ifndef KREGRESS_ANALYZER_HODGES_LEHMANN_H
#define KREGRESS_ANALYZER_HODGES_LEHMANN_H

#include <stddef.h>

#include "analyzer/interval.h"

struct hodges_lehmann {
	double shift;
	struct interval interval; /* not known when the samples are too small for 1 - alpha */
};

/* Values in ascending order, differences finite; neither n may be 0. */
struct hodges_lehmann hodges_lehmann_of_sorted(const double *base, size_t n_base,
					       const double *candidate, size_t n_candidate,
					       double alpha);

#endif
