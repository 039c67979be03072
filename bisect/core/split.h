/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The likelihood of "these commits are slow and those are not" with both levels and the noise
 * unknown.
 *
 * A value at commit x is level + layout(x) + noise: noise ~ N(0, s^2); layout ~ N(0, r^2 s^2), one
 * draw per commit that no repetition averages away (alignment; the same at every rebuild). The
 * fast level has a flat prior, s the prior 1/s, and the change is half-normal in the known
 * direction, change/s ~ |N(0, g^2)|, mixed over scales g from a quarter to a thousand. All of it
 * is integrated in closed form: normal-inverse-gamma algebra (Murphy, "Conjugate Bayesian analysis
 * of the Gaussian distribution", 2007) and Student's t for the half line. Estimates plugged in
 * instead claim 99% and are right in 40% to 95% of cases.
 */
#ifndef KREGRESS_BISECT_CORE_SPLIT_H
#define KREGRESS_BISECT_CORE_SPLIT_H

#include <stddef.h>

#include "bisect/core/site.h"

/* Sufficient statistics of one side, gathered over its sites. */
struct level_sum {
	double weight;	/* sum of n / (1 + n r^2): precision in units of 1/s^2 */
	double mean;	/* weighted */
	double squares; /* within sites, and weighted between them */
	size_t values;
};

/* Adds a site; `layout` is r. Sites without values change nothing. */
void level_sum_add(struct level_sum *sum, const struct site *site, double layout);

/*
 * What is known of the noise beforehand: scaled inverse chi-square with `freedom` degrees of
 * freedom around `squares` / `freedom`. Freedom 0 is the prior 1/s, with squares (> 0) as the
 * resolution.
 */
struct noise_prior {
	double squares;
	double freedom;
};

/* What one hypothesis says. [0] is the fast level, [1] the slow one. */
struct split_fit {
	double log_likelihood; /* up to a constant that all hypotheses share */
	double level[2];
	double level_variance[2]; /* uncertainty of the level */
	double noise_variance;
	double freedom; /* degrees of freedom of the predictive t, at least 1 */
};

/*
 * Fits "slow is slower than fast". `direction` is +1 when slower means larger values, -1 when
 * smaller. A side without values is legal: its level then comes from the prior.
 */
struct split_fit split_fit_change(const struct level_sum sides[2], double direction,
				  struct noise_prior prior);

/* Fits "there is one level". */
struct split_fit split_fit_nothing(const struct level_sum *all, struct noise_prior prior);

/* Degrees of freedom of the noise: values less the one that the level takes; at least 1. */
double split_freedom(size_t values, struct noise_prior prior);

#endif
