/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The commits of a range as dense indices in topological order (parents before children), and who
 * is an ancestor of whom, answered from memory.
 *
 * A linear range needs no closure. Any other range of up to DAG_CLOSURE_MAX commits keeps one
 * bitset of ancestors per commit; row i has i + 1 bits, since ancestors have smaller indices: 56 MB
 * for 30 000 commits. A larger one stays open: ancestors are found by a scan down the indices,
 * linear in the range, and who asks often keeps the set that dag_ancestors() gives.
 */
#ifndef KREGRESS_BISECT_CORE_DAG_H
#define KREGRESS_BISECT_CORE_DAG_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/array.h"

#define DAG_CLOSURE_MAX 40000 /* 100 MB */

struct dag {
	/* first_parent.items[i] is where the parents of commit i start in `parents`. */
	ARRAY_OF(size_t) first_parent;
	ARRAY_OF(uint32_t) parents;
	bool linear;	    /* commit i has the single parent i - 1; commit 0 has none */
	uint64_t *rows;	    /* ancestors, itself included; NULL: not closed, linear, or open */
	size_t closure_max; /* DAG_CLOSURE_MAX unless set before dag_close() */
};

/* All zero is an empty range. */
#define DAG_INIT                                                                                   \
	{                                                                                          \
		{NULL, 0, 0}, {NULL, 0, 0}, true, NULL, DAG_CLOSURE_MAX                            \
	}

static inline size_t dag_count(const struct dag *dag)
{
	return dag->first_parent.count;
}

/* Adds the next commit. Parents outside the range are left out; each must be smaller than the new
 * index. Returns the index. Not after dag_close(). */
size_t dag_add(struct dag *dag, const uint32_t *parents, size_t parent_count);

/* Computes the ancestors, unless the range is linear or too large. */
void dag_close(struct dag *dag);

void dag_release(struct dag *dag);

size_t dag_parents(const struct dag *dag, size_t commit, const uint32_t **parents);

/* True when `ancestor` can be reached from `commit`; a commit is its own ancestor. */
bool dag_is_ancestor(const struct dag *dag, size_t ancestor, size_t commit);

/* Words in a set of all commits of the range. */
static inline size_t dag_set_words(const struct dag *dag)
{
	return dag_count(dag) / 64 + 1;
}

/* True when nothing but the parents is known: questions about ancestors take a scan. */
static inline bool dag_is_open(const struct dag *dag)
{
	return !dag->linear && !dag->rows;
}

static inline bool dag_set_has(const uint64_t *set, size_t commit)
{
	return set[commit / 64] >> commit % 64 & 1;
}

static inline void dag_set_add(uint64_t *set, size_t commit)
{
	set[commit / 64] |= UINT64_C(1) << commit % 64;
}

/* Fills `set`, dag_set_words() long, with the ancestors of `commit`, itself included. */
void dag_ancestors(const struct dag *dag, size_t commit, uint64_t *set);

/* The same with those that descend from it. */
void dag_descendants(const struct dag *dag, size_t commit, uint64_t *set);

/* How many of the commits in `set` are ancestors of `commit`, itself included. */
size_t dag_count_ancestors(const struct dag *dag, size_t commit, const uint64_t *set);

/* weights[i]: the number of ancestors of commit i in the range, itself included. Exact;
 * quadratic in the range. */
void dag_weights(const struct dag *dag, size_t *weights);

/*
 * The commit that splits the range best, as in plain bisection: largest min(w, count - w) among
 * those that are not `skipped` (may be NULL). False when none is left.
 */
bool dag_split(const struct dag *dag, const bool *skipped, size_t *commit);

#endif
