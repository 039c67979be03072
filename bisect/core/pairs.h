/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Two changes: hypotheses "both a and b changed the speed", one per pair of classes of candidates.
 *
 * A site's level is fast + [a before it] change_a + [b before it] change_b; the changes have either
 * sign, so that a fix after a regression is among them, and normal priors N(0, (g s)^2), mixed over
 * scales g from two to a thousand. Level, changes and noise are integrated in closed form
 * (Bayesian linear regression, Murphy 2007). Members of one class that hold both changes show their
 * sum only.
 */
#ifndef KREGRESS_BISECT_CORE_PAIRS_H
#define KREGRESS_BISECT_CORE_PAIRS_H

#include <stddef.h>
#include <stdint.h>

#include "bisect/core/split.h"

struct search;

enum {
	PAIR_CLASSES_MAX = 96, /* pairs are made of the likeliest classes */
	PAIR_GROUPS = 4,       /* bit 0: a is before the site; bit 1: b is */
};

struct pair_fit {
	double log_likelihood; /* with the same constant left out as in split_fit */
	double level[PAIR_GROUPS];
	double level_variance[PAIR_GROUPS];
	double noise_variance;
	double freedom;
};

struct pair {
	uint32_t first; /* classes; first <= second */
	uint32_t second;
	double prior;
	double probability;
	struct pair_fit fit;
};

/* `sums` by group. */
struct pair_fit pair_fit_levels(const struct level_sum sums[PAIR_GROUPS], struct noise_prior prior);

/* Makes and fits the pairs of the search's classes; probabilities are not set. */
void pairs_update(struct search *search);

/*
 * How many of the pairs of one commit of each class lie, of `inside_first` and `inside_second`
 * members inside a site, in each group: fractions that add up to one.
 */
void pair_shares(const struct search *search, const struct pair *pair, double inside_first,
		 double inside_second, double shares[PAIR_GROUPS]);

#endif
