/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The commits of a range, walked in a commit-graph; those younger than its files are read from
 * their objects. A million commits take under a second, where libgit2's walk and a read of each
 * commit take thirteen.
 */
#ifndef KREGRESS_BISECT_GRAPH_WALK_H
#define KREGRESS_BISECT_GRAPH_WALK_H

#include "bisect/commit_graph.h"
#include "bisect/simplify.h"

/*
 * Fills `raw` with what is reachable from `bad` and from no good commit, parents first.
 * *goods_before: every good commit is the parent of one of the range, so none has another merge
 * base with bad than itself. `graph` is not empty.
 */
int graph_walk(struct raw_range *raw, const struct history *history,
	       const struct commit_graph *graph, const git_oid *bad, const struct commit_ids *goods,
	       bool first_parent, bool *goods_before, struct error *err) __must_check;

#endif
