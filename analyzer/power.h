/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the samples at hand can find, and how many would be needed. */
#ifndef KREGRESS_ANALYZER_POWER_H
#define KREGRESS_ANALYZER_POWER_H

#include <stddef.h>

#include "analyzer/moments.h"

/* Asymptotic efficiency of rank tests against the t test for normal values, 3 / pi. */
#define POWER_RANK_EFFICIENCY 0.95492965855137201

/* More boots a side than this are no plan. */
#define POWER_BOOTS_MAX 10000

/*
 * The smallest change, relative to the base's mean, that a two-sided Welch test at alpha finds
 * with probability `power`: (t(alpha / 2) + t(1 - power)) standard errors, after Bloom, Evaluation
 * Review 19 (1995). From 3 against 3 values on at most 3% below the answer of the noncentral t
 * distribution. 0 when unknown: a side with n < 2, no variance, a base mean of 0.
 */
double power_detectable_frac(const struct moments *base, const struct moments *candidate,
			     double alpha, double power);

struct power_question {
	double limit_frac;
	double alpha;
	/* The p a difference must fall below; smaller than alpha when many series are tested. */
	double alpha_difference;
};

/*
 * The smallest n a side, from 2 to POWER_BOOTS_MAX, at which samples with the same means and
 * standard deviations show that the ratio is beyond the limit, or within it. 0 when no such n.
 */
size_t power_boots_needed(const struct moments *base, const struct moments *candidate,
			  const struct power_question *question);

#endif
