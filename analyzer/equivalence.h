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

/* The same by Mann-Whitney tests of the candidate against the base times each limit; n > 0. */
double equivalence_of_ranks(const double *base, size_t n_base, const double *candidate,
			    size_t n_candidate, double limit_frac);

#endif
