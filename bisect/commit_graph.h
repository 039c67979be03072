/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The commit-graph files of a repository: id, tree and parents of commits without reading the
 * commits, in about a tenth of the time. The format is the one of git's gitformat-commit-graph(5);
 * one file or a chain, either version of generation numbers (which are not used). libgit2 reads the
 * first version only, and offers no access to a commit's parents and tree by it.
 *
 * Commits are known by position, dense from 0 over all files of the chain.
 */
#ifndef KREGRESS_BISECT_COMMIT_GRAPH_H
#define KREGRESS_BISECT_COMMIT_GRAPH_H

#include <git2.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/array.h"

struct commit_graph_layer {
	unsigned char *map; /* the file; read only */
	size_t size;
	const unsigned char *fanout;
	const unsigned char *ids;
	const unsigned char *data;
	const unsigned char *edges; /* NULL: none */
	uint32_t edge_count;
	uint32_t first; /* position of its first commit */
	uint32_t count;
};

/* All zero is an empty graph. */
struct commit_graph {
	ARRAY_OF(struct commit_graph_layer) layers; /* oldest first */
	uint32_t count;
};

struct position_list {
	uint32_t *items;
	size_t count;
	size_t capacity;
};

/*
 * Opens what there is. A graph that is absent or damaged is no error but empty: commits are then
 * read one by one.
 */
void commit_graph_open(struct commit_graph *graph, git_repository *repository);
void commit_graph_release(struct commit_graph *graph);

/* False when the commit is not in the graph. */
bool commit_graph_find(const struct commit_graph *graph, const git_oid *id, uint32_t *position);

void commit_graph_id(const struct commit_graph *graph, uint32_t position, git_oid *id);
void commit_graph_tree(const struct commit_graph *graph, uint32_t position, git_oid *tree);

/* Fills the list with the parents' positions. False when the file is damaged. */
bool commit_graph_parents(const struct commit_graph *graph, uint32_t position,
			  struct position_list *parents);

#endif
