/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Permutation tests.
 *
 * Of two samples: the difference of the means, over all ways to choose which values are "the
 * candidate" (Pitman, Supplement to the Journal of the Royal Statistical Society 4, 1937). Of
 * pairs: the mean difference, over all ways to exchange the two sides within blocks, that is over
 * the signs of the differences (Fisher, The Design of Experiments, 1935, section 21).
 *
 * Exact up to SUBSET_SUM_MAX values, or blocks, by counting all of them; beyond, by
 * PERMUTATION_RESAMPLES seeded random ones, with the observed one counted in, so that p is valid
 * and never 0 (Phipson & Smyth, Statistical Applications in Genetics and Molecular Biology 9,
 * 2010). The two-sided p is the share of means at least as far from the middle.
 */
#ifndef KREGRESS_ANALYZER_PERMUTATION_H
#define KREGRESS_ANALYZER_PERMUTATION_H

#include <stdbool.h>
#include <stddef.h>

#include "analyzer/interval.h"

#define PERMUTATION_RESAMPLES 9999
/* Confidence of the bound on the error of a p by resampling. */
#define PERMUTATION_CONFIDENCE 0.99

struct permutation {
	bool known;	  /* false: a sample is empty, or a value not finite; p is 1 then */
	double p;	  /* two-sided */
	double p_less;	  /* of a difference as small as this or smaller */
	double p_greater; /* of a difference as large as this or larger */
	bool exact;
	/* Holds the exact p with PERMUTATION_CONFIDENCE; known when p is by resampling. */
	struct interval p_ci;
};

struct permutation permutation_test(const double *base, size_t n_base, const double *candidate,
				    size_t n_candidate, unsigned long seed);

/* `differences` are the candidate minus the base of each block. */
struct permutation block_permutation_test(const double *differences, size_t n, unsigned long seed);

/* Clopper & Pearson's interval (Biometrika 26, 1934) for a share of which `hits` of n were seen. */
struct interval binomial_interval(size_t hits, size_t n, double confidence);

/* Fills in what follows from how many of `resamples` random statistics were as extreme. */
void permutation_from_hits(struct permutation *result, size_t two_sided, size_t less,
			   size_t greater, size_t resamples);

#endif
