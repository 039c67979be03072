/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Mann-Whitney rank test of two samples, with mid-ranks.
 *
 * Source: Mann & Whitney, Annals of Mathematical Statistics 18 (1947). The null distribution is
 * conditional on the ties, and exact where rank_null_feasible(); beyond, it is normal with the
 * variance corrected for ties and a continuity correction of one half. The two-sided p is the
 * probability of a U at least as far from its mean, in either direction; without ties that is
 * twice the smaller tail.
 */
#ifndef KREGRESS_ANALYZER_MANN_WHITNEY_H
#define KREGRESS_ANALYZER_MANN_WHITNEY_H

#include <stdbool.h>
#include <stddef.h>

struct mann_whitney {
	double u;	  /* pairs in which the candidate's value is larger; ties count one half */
	double p;	  /* two-sided */
	double p_less;	  /* of a U as small as this or smaller */
	double p_greater; /* of a U as large as this or larger */
	bool exact;
};

/* Neither n may be 0. */
struct mann_whitney mann_whitney_test(const double *base, size_t n_base, const double *candidate,
				      size_t n_candidate);

/*
 * The largest k with P(U <= k - 1) below alpha / 2 in the absence of ties: the k-th smallest and
 * the k-th largest pairwise difference bound an interval for the shift of confidence 1 - alpha at
 * least, also with ties. 0 when the samples are too small for any.
 */
size_t mann_whitney_critical(size_t n_base, size_t n_candidate, double alpha);

/* The smallest n a side at which the two-sided exact test can fall below alpha. */
size_t mann_whitney_smallest_n(double alpha);

#endif
