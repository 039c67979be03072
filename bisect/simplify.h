/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The graph of a range while it is loaded, and its simplification to the commits that touch given
 * paths, by the rules of git rev-list (parents rewritten, merges followed to the same parent).
 */
#ifndef KREGRESS_BISECT_SIMPLIFY_H
#define KREGRESS_BISECT_SIMPLIFY_H

#include "bisect/history.h"

#define OUTSIDE UINT32_MAX

/* Topological order, parents first. */
struct raw_range {
	struct commit_ids ids;
	struct commit_ids trees;
	ARRAY_OF(size_t) first_parent;
	ARRAY_OF(uint32_t) parents;   /* indices, or OUTSIDE */
	struct commit_ids parent_ids; /* beside `parents` */
};

/* The parents of commit `index` are [*start, end) of `parents`. Returns the end. */
static inline size_t raw_parents(const struct raw_range *raw, size_t index, size_t *start)
{
	const size_t *first = raw->first_parent.items;

	*start = first ? first[index] : 0;
	return first && index + 1 < raw->ids.count ? first[index + 1] : raw->parents.count;
}

void raw_range_release(struct raw_range *raw);

/*
 * keep[i] becomes true for the commits that stay; their parents are rewritten in `raw` to the
 * nearest ones that stay, or OUTSIDE. `goods` as for range_load().
 */
int simplify(struct raw_range *raw, const struct history *history, const struct string_list *paths,
	     const struct commit_ids *goods, bool *keep, struct error *err) __must_check;

#endif
