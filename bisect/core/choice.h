/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What to do next: the action that tells most per cost, or the reason to stop.
 *
 * An action is a site and a number of boots there; the endpoints are sites like any other. Its
 * worth is the mutual information between its values and the hypotheses, times the chance that the
 * site can be measured at all, which is low beside skipped ones.
 */
#ifndef KREGRESS_BISECT_CORE_CHOICE_H
#define KREGRESS_BISECT_CORE_CHOICE_H

#include <stdbool.h>
#include <stddef.h>

#include "bisect/core/search.h"

/* Costs in any one unit, seconds for instance. */
struct search_costs {
	double value;	     /* one boot and its runs, > 0 */
	double move;	     /* turning to another site than `current` */
	const double *build; /* per site; 0 where a build is at hand; NULL: no builds */
	size_t current;	     /* where the rig stands; SIZE_MAX: nowhere */
};

/* A value costs 1, nothing else costs. */
#define SEARCH_COSTS_EVEN                                                                          \
	{                                                                                          \
		1, 0, NULL, SIZE_MAX                                                               \
	}

enum search_state {
	SEARCH_MEASURE,	       /* take the step, then ask again */
	SEARCH_FOUND,	       /* one commit, or one pair of them, has the probability asked for */
	SEARCH_FOUND_AMONG,    /* some commits have, and only skipped ones lie between them */
	SEARCH_NOT_REPRODUCED, /* the endpoints do not differ */
	SEARCH_EXHAUSTED,      /* nothing that can be measured would tell more; the set stands */
	SEARCH_CONTRADICTION,  /* the outcomes suit no hypothesis: a script that is not stable */
};

struct search_step {
	size_t site;
	size_t repeats;		 /* boots worth taking there before turning elsewhere, >= 1 */
	double information_bits; /* expected */
	double cost;
	double slow_probability; /* that the site is slow */
	double cost_left;	 /* rough prediction until the search is settled */
};

/* `search` must be up to date. `step` is filled for SEARCH_MEASURE only. */
enum search_state search_next(const struct search *search, const struct search_costs *costs,
			      struct search_step *step);

/*
 * The fewest commits that hold the culprit with probability `mass`, likeliest first, older first
 * among equals. `commits` has room for all. *reached is their probability: less than `mass` when
 * "nothing" takes so much that even all commits together do not hold it. With two steps the
 * probabilities are those given search_step_count() changes; each of two counts a half.
 */
size_t search_credible_set(const struct search *search, double mass, size_t *commits,
			   double *reached);

/*
 * With two steps: the fewest commits that hold the older (`step` 0) or the younger (1) of the two
 * changes with probability `mass`, given that there are two; as search_credible_set(), which
 * has it when there is one.
 */
size_t search_step_set(const struct search *search, size_t step, double mass, size_t *commits,
		       double *reached);

/* The likeliest number of changes: 0, 1 or 2. */
size_t search_step_count(const struct search *search);

/* True when every testable site is a descendant of both commits or of neither. */
bool search_inseparable(const struct search *search, size_t one, size_t other);

#endif
