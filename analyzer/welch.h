/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Welch's t test of two means with unequal variances.
 *
 * Source: Welch, Biometrika 34 (1947); degrees of freedom after Satterthwaite, Biometrics
 * Bulletin 2 (1946). They always lie between the smaller n - 1 and n_base + n_candidate - 2.
 */
#ifndef KREGRESS_ANALYZER_WELCH_H
#define KREGRESS_ANALYZER_WELCH_H

#include "analyzer/interval.h"
#include "analyzer/moments.h"

struct welch {
	bool known;	   /* false: a side has n < 2, or neither side varies; all else is 0 then */
	double difference; /* of means, candidate minus base */
	double t;	   /* positive when the candidate's mean is larger */
	double df;
	double p;		  /* two-sided */
	struct interval interval; /* of the difference, at 1 - alpha */
};

/* alpha lies in (0, 1). The difference of the means, and the interval's ends, are to be finite. */
struct welch welch_test(const struct moments *base, const struct moments *candidate, double alpha);

/* Degrees of freedom for variances of the means `a` and `b`, not both 0, of n_a and n_b values. */
double welch_df(double a, double n_a, double b, double n_b);

#endif
