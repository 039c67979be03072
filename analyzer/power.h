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
 * The smallest change, relative to the base's mean, that a two-sided t test at alpha finds with
 * probability `power`: from the noncentral t distribution with Welch's degrees of freedom. For
 * equal numbers and deviations that is the exact answer for the pooled test; Welch's own test needs
 * a little more with two to five values a side, see power_welch(). 0 when unknown: a side with n <
 * 2, no variance, a base mean of 0, or a power not between alpha and 1.
 */
double power_detectable_frac(const struct moments *base, const struct moments *candidate,
			     double alpha, double power);

/* Two sides of n values each, whose deviations are in the ratio 1 : sd_ratio. */
struct power_design {
	size_t n;	 /* at least 2 */
	double sd_ratio; /* candidate's to the base's, > 0 */
	double alpha;	 /* in (0, 1) */
};

/*
 * Exact probability that Welch's two-sided test finds a difference of the means of `difference`
 * base standard deviations, for normal values: given how the variances share out between the sides,
 * the statistic is noncentral t with 2 n - 2 degrees of freedom; the share has a beta distribution,
 * and is integrated over. Error below 1e-7.
 */
double power_welch(const struct power_design *design, double difference);

/*
 * The difference, in base standard deviations, that is found with probability `power` in (alpha,
 * 1). From 31 values a side on by the pooled test, whose answer is smaller by less than 0.05%
 * there.
 */
double power_welch_difference(const struct power_design *design, double power);

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
