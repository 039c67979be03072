/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Cliff's delta, P(candidate > base) - P(candidate < base): Cliff, Psychological Bulletin 114
 * (1993). The interval is the asymmetric one of Feng & Cliff, Journal of Modern Applied
 * Statistical Methods 3 (2004), with the consistent estimate of the variance.
 */
#ifndef KREGRESS_ANALYZER_CLIFF_H
#define KREGRESS_ANALYZER_CLIFF_H

#include <stdbool.h>
#include <stddef.h>

#include "analyzer/interval.h"

struct cliff {
	bool known;   /* false: a side is empty, or a value not finite */
	double delta; /* -1 to 1; positive when the candidate's values are larger */
	/* At 1 - alpha; not known when a side has n < 2. One end is delta where that is +-1. */
	struct interval interval;
};

struct cliff cliff_delta(const double *base, size_t n_base, const double *candidate,
			 size_t n_candidate, double alpha);

#endif
