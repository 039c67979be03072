/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bisect/graph_walk.h"

#include <string.h>

#include "bisect/git_error.h"
#include "bisect/id_map.h"

/* Commits that the graph does not hold, read from their objects. */
struct young_commits {
	struct commit_ids ids;
	struct commit_ids trees;
	ARRAY_OF(size_t) first_parent;
	struct position_list parents; /* nodes */
	struct id_map map;
};

/* In `index`, instead of the index in the range: */
#define NODE_HIDDEN    UINT32_MAX /* reachable from a good commit */
#define NODE_UNSEEN    (UINT32_MAX - 1)
#define NODE_OPEN      (UINT32_MAX - 2) /* on the stack */
#define NODE_AT_BORDER (UINT32_MAX - 3) /* hidden, and a parent of a commit in the range */

/* A node is a position in the graph, or graph->count + the number of a young commit. */
struct walk {
	struct raw_range *raw;
	git_repository *repository;
	const struct commit_graph *graph;
	bool first_parent;
	struct young_commits young;
	ARRAY_OF(uint32_t) index;     /* per node */
	struct position_list parents; /* of the node asked for last */
	struct position_list stack;
	struct position_list progress; /* beside `stack`: parents entered so far */
};

static void walk_release(struct walk *walk)
{
	array_release(&walk->young.ids);
	array_release(&walk->young.trees);
	array_release(&walk->young.first_parent);
	array_release(&walk->young.parents);
	id_map_release(&walk->young.map);
	array_release(&walk->index);
	array_release(&walk->parents);
	array_release(&walk->stack);
	array_release(&walk->progress);
}

static bool is_young(const struct walk *walk, uint32_t node)
{
	return node >= walk->graph->count;
}

static void node_id(const struct walk *walk, uint32_t node, git_oid *id)
{
	if (is_young(walk, node))
		git_oid_cpy(id, &walk->young.ids.items[node - walk->graph->count]);
	else
		commit_graph_id(walk->graph, node, id);
}

static void node_tree(const struct walk *walk, uint32_t node, git_oid *tree)
{
	if (is_young(walk, node))
		git_oid_cpy(tree, &walk->young.trees.items[node - walk->graph->count]);
	else
		commit_graph_tree(walk->graph, node, tree);
}

/* The node of a commit; one that is in neither place yet becomes young, still unread. */
static uint32_t node_of(struct walk *walk, const git_oid *id)
{
	struct young_commits *young = &walk->young;
	uint32_t position;

	if (commit_graph_find(walk->graph, id, &position))
		return position;
	position = id_map_find(&young->map, &young->ids, id);
	if (position != ID_UNKNOWN)
		return walk->graph->count + position;
	*array_append(&young->ids) = *id;
	*array_append(&young->trees) = (git_oid){{0}};
	*array_append(&young->first_parent) = SIZE_MAX;
	*array_append(&walk->index) = NODE_UNSEEN;
	id_map_add(&young->map, &young->ids, young->ids.count - 1);
	return walk->graph->count + (uint32_t)young->ids.count - 1;
}

/* `parents`: the count, then the nodes. */
static int read_young(struct walk *walk, size_t number, struct error *err)
{
	struct young_commits *young = &walk->young;
	git_commit *commit = NULL;
	unsigned int count;

	if (git_commit_lookup(&commit, walk->repository, &young->ids.items[number]))
		return git_error_into(err, ERROR_IO, "cannot read commit %s",
				      git_oid_tostr_s(&young->ids.items[number]));
	git_oid_cpy(&young->trees.items[number], git_commit_tree_id(commit));
	young->first_parent.items[number] = young->parents.count;
	count = git_commit_parentcount(commit);
	*array_append(&young->parents) = count;
	for (unsigned int p = 0; p < count; p++) {
		uint32_t node = node_of(walk, git_commit_parent_id(commit, p));

		*array_append(&young->parents) = node;
	}
	git_commit_free(commit);
	return 0;
}

static int young_parents(struct walk *walk, uint32_t node, struct error *err)
{
	struct young_commits *young = &walk->young;
	size_t number = node - walk->graph->count;
	size_t place;

	/* node_of() made the entry. */
	if (!young->first_parent.items)
		return error_set(err, ERROR_DATA, "a commit was lost while walking");
	if (young->first_parent.items[number] == SIZE_MAX && read_young(walk, number, err))
		return -1;
	walk->parents.count = 0;
	/* Its parents are written as their number and they themselves. */
	place = young->first_parent.items[number];
	if (!young->parents.items)
		return 0;
	for (uint32_t left = young->parents.items[place]; left > 0; left--)
		*array_append(&walk->parents) = young->parents.items[++place];
	return 0;
}

static int refuse_graph(struct error *err)
{
	error_set(err, ERROR_DATA, "the repository's commit-graph is damaged");
	return error_hint(err, "write it anew: git commit-graph write --reachable");
}

/* Fills walk->parents. */
static int find_parents(struct walk *walk, uint32_t node, struct error *err)
{
	if (is_young(walk, node))
		return young_parents(walk, node, err);
	if (!commit_graph_parents(walk->graph, node, &walk->parents))
		return refuse_graph(err);
	return 0;
}

/* Hides what is reachable from a good commit. */
static int hide(struct walk *walk, const git_oid *good, struct error *err)
{
	uint32_t node = node_of(walk, good);

	*array_append(&walk->stack) = node;
	walk->index.items[node] = NODE_HIDDEN;
	while (walk->stack.count) {
		node = walk->stack.items[--walk->stack.count];
		if (find_parents(walk, node, err))
			return -1;
		array_for_each (parent, &walk->parents) {
			if (walk->index.items[*parent] == NODE_HIDDEN)
				continue;
			walk->index.items[*parent] = NODE_HIDDEN;
			*array_append(&walk->stack) = *parent;
		}
	}
	return 0;
}

/* Puts a node whose parents are done into the range. */
static void emit(struct walk *walk, uint32_t node)
{
	struct raw_range *raw = walk->raw;

	walk->index.items[node] = (uint32_t)raw->ids.count;
	node_id(walk, node, array_append(&raw->ids));
	node_tree(walk, node, array_append(&raw->trees));
	*array_append(&raw->first_parent) = raw->parents.count;
	array_for_each (parent, &walk->parents) {
		uint32_t *index = &walk->index.items[*parent];

		if (*index == NODE_HIDDEN)
			*index = NODE_AT_BORDER;
		*array_append(&raw->parents) = *index == NODE_AT_BORDER ? OUTSIDE : *index;
		node_id(walk, *parent, array_append(&raw->parent_ids));
		if (walk->first_parent)
			break;
	}
}

static void push(struct walk *walk, uint32_t node)
{
	walk->index.items[node] = NODE_OPEN;
	*array_append(&walk->stack) = node;
	*array_append(&walk->progress) = 0;
}

/* Enters the next parent of the node on top, or emits the node. */
static int step(struct walk *walk, struct error *err)
{
	size_t top = walk->stack.count - 1;
	uint32_t node = walk->stack.items[top];
	size_t limit;

	if (find_parents(walk, node, err))
		return -1;
	limit = walk->first_parent && walk->parents.count > 1 ? 1 : walk->parents.count;
	while (walk->progress.items[top] < limit) {
		uint32_t parent = walk->parents.items[walk->progress.items[top]++];

		if (walk->index.items[parent] == NODE_OPEN)
			return refuse_graph(err);
		if (walk->index.items[parent] == NODE_UNSEEN) {
			push(walk, parent);
			return 0;
		}
	}
	emit(walk, node);
	walk->stack.count--;
	walk->progress.count--;
	return 0;
}

static int walk_all(struct walk *walk, const git_oid *bad, const struct commit_ids *goods,
		    struct error *err)
{
	uint32_t node;

	array_for_each (good, goods) {
		if (hide(walk, good, err))
			return -1;
	}
	node = node_of(walk, bad);
	if (walk->index.items[node] == NODE_UNSEEN)
		push(walk, node);
	while (walk->stack.count) {
		if (step(walk, err))
			return -1;
	}
	return 0;
}

int graph_walk(struct raw_range *raw, const struct history *history,
	       const struct commit_graph *graph, const git_oid *bad, const struct commit_ids *goods,
	       bool first_parent, bool *goods_before, struct error *err)
{
	_cleanup_(walk_release) struct walk walk = {
		.raw = raw,
		.repository = history->repository,
		.graph = graph,
		.first_parent = first_parent,
	};

	walk.index.items = xcalloc(graph->count, sizeof(*walk.index.items));
	walk.index.count = walk.index.capacity = graph->count;
	for (size_t node = 0; node < graph->count; node++)
		walk.index.items[node] = NODE_UNSEEN;
	if (walk_all(&walk, bad, goods, err))
		return -1;
	*goods_before = true;
	array_for_each (good, goods)
		*goods_before =
			*goods_before && walk.index.items[node_of(&walk, good)] == NODE_AT_BORDER;
	return 0;
}
