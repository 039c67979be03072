/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Brunner & Munzel's test (Biometrical Journal 42, 2000): whether the candidate's values are
 * larger as often as smaller, whatever the two shapes and variances.
 *
 * The statistic is referred to its permutation distribution, which stays right for few values
 * (Neubert & Brunner, Computational Statistics & Data Analysis 51, 2007): exact, given the ties,
 * where up to BRUNNER_MUNZEL_CHOICES choices are to be counted; by seeded resampling, as in
 * permutation.h, where a sample has fewer than BRUNNER_MUNZEL_LARGE values; else to Student's t
 * with Satterthwaite's degrees of freedom.
 */
#ifndef KREGRESS_ANALYZER_BRUNNER_MUNZEL_H
#define KREGRESS_ANALYZER_BRUNNER_MUNZEL_H

#include <stdbool.h>
#include <stddef.h>

#include "analyzer/interval.h"

#define BRUNNER_MUNZEL_CHOICES 20000
#define BRUNNER_MUNZEL_LARGE   25

struct brunner_munzel {
	bool known;	 /* false: a side has n < 2, or a value is not finite; p is 1 then */
	double superior; /* P(candidate > base) + P(equal) / 2 */
	double t;	 /* held within +-1e100 where the samples do not overlap */
	double df;
	double p_t;		     /* two-sided, by Student's t */
	struct interval superior_ci; /* at 1 - alpha by Student's t, held within 0 and 1 */
	double p;		     /* two-sided */
	double p_less;		     /* of a statistic as small as this or smaller */
	double p_greater;
	bool exact;
	struct interval p_ci; /* see struct permutation */
};

struct brunner_munzel brunner_munzel_test(const double *base, size_t n_base,
					  const double *candidate, size_t n_candidate, double alpha,
					  unsigned long seed);

#endif
