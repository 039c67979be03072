/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The place of a change between its neighbours, and whether it holds against them.
 *
 * With a flat prior, the probability that a change lies at j is exp(-error / 2), error being what
 * the stretches on both sides leave unexplained when they meet at j. The place is the middle of
 * the five points that hold the most of it, which is within two points of the truth more often
 * than the single most likely point; the interval holds 95%.
 */
#ifndef KREGRESS_ANALYZER_CHANGE_PLACE_H
#define KREGRESS_ANALYZER_CHANGE_PLACE_H

#include "analyzer/change_model.h"

struct change_place {
	size_t index;
	size_t low;
	size_t high;
	double squared; /* of the change's size over its standard error */
	double p;	/* adjusted for the search */
};

/* Moves each of `count` ascending places to the most likely point between its neighbours. */
void change_places_fit(const struct change_model *model, struct change_place *places, size_t count);

/* The same to the middle of the five points. */
void change_places_refine(const struct change_model *model, struct change_place *places,
			  size_t count);

/*
 * Takes away, weakest first, the changes that are worth less than their price given their
 * neighbours and the noise around them. Sets `squared` and `p` of the others. Return: how many are
 * left.
 */
size_t change_places_prune(const struct change_model *model, struct change_place *places,
			   size_t count);

/* Sets low and high of places whose index stays. */
void change_places_bound(const struct change_model *model, struct change_place *places,
			 size_t count);

/* p of a change at `index`, the only one in [from, to). */
double change_place_p(const struct change_model *model, size_t from, size_t index, size_t to);

#endif
