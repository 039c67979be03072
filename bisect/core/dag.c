/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bisect/core/dag.h"

/* Words before row `commit`: the sum of i / 64 + 1 over the rows i before it. */
static size_t row_start(size_t commit)
{
	size_t blocks = commit / 64;

	return 32 * blocks * (blocks - (blocks > 0)) + blocks * (commit % 64) + commit;
}

static const uint64_t *row_of(const struct dag *dag, size_t commit)
{
	return dag->rows + row_start(commit);
}

size_t dag_add(struct dag *dag, const uint32_t *parents, size_t parent_count)
{
	size_t index = dag_count(dag);

	*array_append(&dag->first_parent) = dag->parents.count;
	for (size_t i = 0; i < parent_count; i++)
		*array_append(&dag->parents) = parents[i];
	if (parent_count != (index > 0) || (index > 0 && parents[0] != index - 1))
		dag->linear = false;
	return index;
}

size_t dag_parents(const struct dag *dag, size_t commit, const uint32_t **parents)
{
	size_t start = dag->first_parent.items[commit];
	size_t end = commit + 1 < dag_count(dag) ? dag->first_parent.items[commit + 1]
						 : dag->parents.count;

	*parents = dag->parents.items + start;
	return end - start;
}

static void close_row(struct dag *dag, size_t commit)
{
	uint64_t *row = dag->rows + row_start(commit);
	const uint32_t *parents = NULL;
	size_t parent_count = dag_parents(dag, commit, &parents);

	for (size_t p = 0; p < parent_count; p++) {
		const uint64_t *from = row_of(dag, parents[p]);

		for (size_t word = 0; word <= parents[p] / 64; word++)
			row[word] |= from[word];
	}
	row[commit / 64] |= UINT64_C(1) << commit % 64;
}

void dag_close(struct dag *dag)
{
	size_t count = dag_count(dag);

	if (dag->linear || dag->rows)
		return;
	dag->rows = xcalloc(row_start(count), sizeof(*dag->rows));
	for (size_t commit = 0; commit < count; commit++)
		close_row(dag, commit);
}

void dag_release(struct dag *dag)
{
	array_release(&dag->first_parent);
	array_release(&dag->parents);
	free(dag->rows);
	dag->rows = NULL;
	dag->linear = true;
}

bool dag_is_ancestor(const struct dag *dag, size_t ancestor, size_t commit)
{
	if (ancestor > commit)
		return false;
	return dag->linear || (row_of(dag, commit)[ancestor / 64] >> ancestor % 64 & 1);
}

size_t dag_count_ancestors(const struct dag *dag, size_t commit, const uint64_t *set)
{
	const uint64_t *row = dag->linear ? set : row_of(dag, commit);
	size_t full = commit / 64;
	/* In a linear range everything up to the commit is an ancestor. */
	uint64_t last = row[full] & set[full] & (UINT64_MAX >> (63 - commit % 64));
	size_t total = (size_t)__builtin_popcountll(last);

	for (size_t word = 0; word < full; word++)
		total += (size_t)__builtin_popcountll(row[word] & set[word]);
	return total;
}

static size_t row_weight(const struct dag *dag, size_t commit)
{
	const uint64_t *row = row_of(dag, commit);
	size_t total = 0;

	for (size_t word = 0; word <= commit / 64; word++)
		total += (size_t)__builtin_popcountll(row[word]);
	return total;
}

void dag_weights(const struct dag *dag, size_t *weights)
{
	for (size_t commit = 0; commit < dag_count(dag); commit++)
		weights[commit] = dag->linear ? commit + 1 : row_weight(dag, commit);
}

bool dag_split(const struct dag *dag, const bool *skipped, size_t *commit)
{
	size_t count = dag_count(dag);
	size_t best = 0;
	bool found = false;

	for (size_t i = 0; i < count; i++) {
		size_t weight;
		size_t value;

		if (skipped && skipped[i])
			continue;
		weight = dag->linear ? i + 1 : row_weight(dag, i);
		value = weight < count - weight ? weight : count - weight;
		if (!found || value > best) {
			best = value;
			*commit = i;
			found = true;
		}
	}
	return found;
}
