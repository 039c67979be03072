/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Equivalence by two one-sided tests: Schuirmann, Journal of Pharmacokinetics and
 * Biopharmaceutics 15 (1987).
 *
 * The limits on the ratio are 1 / (1 + limit) and 1 + limit, symmetric as factors: a time and the
 * rate that is its inverse get the same answer, and so do base and candidate exchanged.
 */
#ifndef KREGRESS_ANALYZER_EQUIVALENCE_H
#define KREGRESS_ANALYZER_EQUIVALENCE_H

#include <stddef.h>

#include "analyzer/moments.h"

/* Limits for a limit of limit_frac >= 0. */
double equivalence_low(double limit_frac);
double equivalence_high(double limit_frac);

/*
 * p of "the ratio of the means is beyond a limit": equivalence is shown where it is below alpha.
 * 1 where nothing can be shown: limit 0, no ratio, or a side with fewer than two values.
 */
double equivalence_of_means(const struct moments *base, const struct moments *candidate,
			    double limit_frac);

/* One-sided p of a test: that the candidate is smaller, and that it is larger. */
struct tails {
	double less;
	double greater;
};

typedef struct tails (*tails_test)(const double *base, size_t n_base, const double *candidate,
				   size_t n_candidate, unsigned long seed);

/*
 * The same by any test of the candidate against the base times each limit. 1 where nothing can be
 * shown: limit 0, an empty side, or values that are not all of one sign.
 */
double equivalence_of_tails(const double *base, size_t n_base, const double *candidate,
			    size_t n_candidate, double limit_frac, tails_test test,
			    unsigned long seed);

/* The same by Mann-Whitney tests; n > 0. */
double equivalence_of_ranks(const double *base, size_t n_base, const double *candidate,
			    size_t n_candidate, double limit_frac);

#endif
