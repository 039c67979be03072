/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Two-sample test of Kolmogorov and Smirnov: whether the two distributions differ in any way.
 *
 * Exact, given the ties, while n_base * n_candidate is at most KOLMOGOROV_EXACT_MAX: lattice paths
 * from no values to all that touch the observed distance, which can be seen only at the end of a
 * tie group (Schroeer & Trenkler, Computational Statistics & Data Analysis 20, 1995). Counted as
 * probabilities of touching, so that small ones keep their digits. Beyond, Kolmogorov's limit.
 */
#ifndef KREGRESS_ANALYZER_KOLMOGOROV_SMIRNOV_H
#define KREGRESS_ANALYZER_KOLMOGOROV_SMIRNOV_H

#include <stdbool.h>
#include <stddef.h>

#define KOLMOGOROV_EXACT_MAX 4000000

struct kolmogorov_smirnov {
	bool known;	 /* false: a sample is empty, or a value not finite; p is 1 then */
	double distance; /* largest difference of the two cumulative shares, 0 to 1 */
	double p;	 /* two-sided */
	bool exact;
};

struct kolmogorov_smirnov kolmogorov_smirnov_test(const double *base, size_t n_base,
						  const double *candidate, size_t n_candidate);

/* P(sup |Brownian bridge| > lambda): the limit of the two-sided p; at least DBL_MIN. */
double kolmogorov_upper(double lambda);

#endif
