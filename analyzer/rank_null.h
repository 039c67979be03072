/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The exact null distribution of a rank sum with ties.
 *
 * Of N values in tie groups, every choice of n is equally likely to be "the candidate". Ranks are
 * mid-ranks, doubled so that they are integers. The number of choices for every doubled rank sum
 * follows from one tie group after the other: taking j of a group of size t can be done in
 * binomial(t, j) ways.
 */
#ifndef KREGRESS_ANALYZER_RANK_NULL_H
#define KREGRESS_ANALYZER_RANK_NULL_H

#include <stdbool.h>
#include <stddef.h>

struct rank_null {
	double *counts; /* owned: choices for each doubled rank sum, 0 to size - 1 */
	size_t size;
	double total; /* all choices */
};

/* True where counting is cheap (some milliseconds): up to 25 against 25, say, or 4 against 70. */
bool rank_null_feasible(size_t n_total, size_t n_chosen);

/*
 * `groups` are the sizes of the tie groups in ascending order of value, `n_groups` of them, n_total
 * values altogether; NULL stands for no ties. The case must be feasible, n_chosen <= n_total.
 */
void rank_null_init(struct rank_null *null, const size_t *groups, size_t n_groups, size_t n_total,
		    size_t n_chosen);
void rank_null_release(struct rank_null *null);

/* Probability of a doubled rank sum <= w, and >= w. */
double rank_null_lower(const struct rank_null *null, size_t w);
double rank_null_upper(const struct rank_null *null, size_t w);

#endif
