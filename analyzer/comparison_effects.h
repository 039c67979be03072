/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * How large a difference is, in every measure at hand: for the one series that somebody looks at.
 * About a millisecond each, most of it for the bootstrap; comparison_measure() does without.
 */
#ifndef KREGRESS_ANALYZER_COMPARISON_EFFECTS_H
#define KREGRESS_ANALYZER_COMPARISON_EFFECTS_H

#include "analyzer/bootstrap.h"
#include "analyzer/brown_forsythe.h"
#include "analyzer/cliff.h"
#include "analyzer/comparison.h"
#include "analyzer/effect.h"
#include "analyzer/harrell_davis.h"
#include "analyzer/ratio.h"

/* The deciles. */
#define COMPARISON_QUANTILES 9

struct comparison_effects {
	struct effect hedges;
	struct interval hedges_ci;
	struct cliff cliff;
	struct ratio medians;
	struct ratio geometric_means;
	struct bootstrap means;				    /* BCa, from input->seed */
	struct brown_forsythe spread;			    /* has the variance changed? */
	struct shift_point quantiles[COMPARISON_QUANTILES]; /* at 1 - alpha for each by itself */
};

/* Intervals at 1 - alpha of the input. Values that are not finite leave everything unknown. */
struct comparison_effects comparison_effects_of(const struct comparison_input *input);

#endif
