/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Which part of a class of candidates is inside a site's history, for every site: what planning
 * asks most. Linear ranges answer by rank, closed ones by bitsets. An open range follows a sample
 * of candidates, each an exact bit per site, spread evenly over every class by its probability;
 * candidates_focus() makes the answers for one site exact.
 */
#ifndef KREGRESS_BISECT_CORE_CANDIDATES_H
#define KREGRESS_BISECT_CORE_CANDIDATES_H

#include <stddef.h>
#include <stdint.h>

#include "bisect/core/search.h"

enum {
	CLASSES_MAX = 40,  /* the likeliest classes guide the choice */
	SAMPLE_WORDS = 10, /* of 64 candidates each */
};

struct candidates {
	const struct search *search;
	size_t class_count;
	uint32_t classes[CLASSES_MAX];	/* likeliest first */
	size_t first_rank[CLASSES_MAX]; /* linear: candidates before the class's first */
	size_t *rank;			/* linear: candidates up to and including the commit */
	uint64_t *members[CLASSES_MAX]; /* not linear */
	size_t first_bit[CLASSES_MAX];	/* open: where the class's sample is */
	size_t bits[CLASSES_MAX];	/* open: its size */
	uint64_t *samples;		/* open: SAMPLE_WORDS per commit */
	uint64_t *focus;		/* open: ancestors of the site in focus, room for one */
	size_t focused;			/* SIZE_MAX: none */
};

/* `search` outlives it. */
void candidates_init(struct candidates *candidates, const struct search *search);
void candidates_release(struct candidates *candidates);

/* The class number `j` of `classes`. */
static inline const struct candidate_class *candidates_class(const struct candidates *candidates,
							     size_t j)
{
	return &candidates->search->classes.items[candidates->classes[j]];
}

/* The part of the members of class `j`, in [0, 1], that are ancestors of the site. */
double candidates_share(const struct candidates *candidates, size_t j, size_t site);

/* Makes the shares at this site exact. */
void candidates_focus(struct candidates *candidates, size_t site);

#endif
