/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Student's t test of pairs (Biometrika 6, 1908), and the ratio of the means with Fieller's
 * interval for correlated means (Journal of the Royal Statistical Society B 16, 1954): the ratios
 * r for which the test does not tell the candidate from r times the base. It leaves out 1 exactly
 * when p is below alpha.
 */
#ifndef KREGRESS_ANALYZER_PAIRED_H
#define KREGRESS_ANALYZER_PAIRED_H

#include <stdbool.h>
#include <stddef.h>

#include "analyzer/interval.h"
#include "analyzer/ratio.h"

struct paired {
	/* False: fewer than two pairs, a value not finite, or equal differences; p is 1 then. */
	bool known;
	double difference; /* mean, candidate minus base */
	double error;	   /* its standard error */
	double t;
	double df;
	double p;		  /* two-sided */
	struct interval interval; /* of the difference, at 1 - alpha */
};

struct paired paired_test(const double *base, const double *candidate, size_t n, double alpha);

/* See struct ratio; the interval is not known where the ratios that are left have no bound. */
struct ratio paired_ratio(const double *base, const double *candidate, size_t n, double alpha);

/* Two one-sided paired tests, see equivalence_of_means(). */
double paired_equivalence(const double *base, const double *candidate, size_t n, double limit_frac);

#endif
