/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bisect/core/dag.h"

/* Ancestors whose descendants are followed in one pass over an open range, in words of 64. */
enum { BLOCK_WORDS = 8 };

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

	if (dag->linear || dag->rows || count > dag->closure_max)
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

/* Marks what is reachable from the marked commits, from index `from` down to `to`. */
static void spread_down(const struct dag *dag, size_t from, size_t to, uint64_t *set)
{
	for (size_t commit = from + 1; commit-- > to;) {
		const uint32_t *parents = NULL;
		size_t count;

		if (!dag_set_has(set, commit))
			continue;
		count = dag_parents(dag, commit, &parents);
		for (size_t p = 0; p < count; p++)
			dag_set_add(set, parents[p]);
	}
}

void dag_ancestors(const struct dag *dag, size_t commit, uint64_t *set)
{
	size_t words = commit / 64 + 1;

	memset(set, 0, dag_set_words(dag) * sizeof(*set));
	if (dag->rows) {
		memcpy(set, row_of(dag, commit), words * sizeof(*set));
	} else if (dag->linear) {
		memset(set, 0xff, words * sizeof(*set));
		set[words - 1] = UINT64_MAX >> (63 - commit % 64);
	} else {
		dag_set_add(set, commit);
		spread_down(dag, commit, 0, set);
	}
}

void dag_descendants(const struct dag *dag, size_t commit, uint64_t *set)
{
	memset(set, 0, dag_set_words(dag) * sizeof(*set));
	dag_set_add(set, commit);
	for (size_t i = commit + 1; i < dag_count(dag); i++) {
		const uint32_t *parents = NULL;
		size_t count = dag_parents(dag, i, &parents);

		for (size_t p = 0; p < count; p++) {
			if (dag_set_has(set, parents[p]))
				dag_set_add(set, i);
		}
	}
}

static bool is_ancestor_by_scan(const struct dag *dag, size_t ancestor, size_t commit)
{
	_cleanup_free_ uint64_t *set = xcalloc(dag_set_words(dag), sizeof(*set));

	dag_set_add(set, commit);
	spread_down(dag, commit, ancestor, set);
	return dag_set_has(set, ancestor);
}

bool dag_is_ancestor(const struct dag *dag, size_t ancestor, size_t commit)
{
	if (ancestor > commit)
		return false;
	if (dag_is_open(dag))
		return is_ancestor_by_scan(dag, ancestor, commit);
	return dag->linear || dag_set_has(row_of(dag, commit), ancestor);
}

static size_t count_common(const uint64_t *one, const uint64_t *other, size_t words)
{
	size_t total = 0;

	for (size_t word = 0; word < words; word++)
		total += (size_t)__builtin_popcountll(one[word] & other[word]);
	return total;
}

size_t dag_count_ancestors(const struct dag *dag, size_t commit, const uint64_t *set)
{
	_cleanup_free_ uint64_t *own = NULL;
	size_t full = commit / 64;
	/* In a linear range everything up to the commit is an ancestor. */
	uint64_t last = set[full] & (UINT64_MAX >> (63 - commit % 64));

	if (dag->linear)
		return count_common(set, set, full) + (size_t)__builtin_popcountll(last);
	if (dag->rows)
		return count_common(row_of(dag, commit), set, full + 1);
	own = xcalloc(dag_set_words(dag), sizeof(*own));
	dag_ancestors(dag, commit, own);
	return count_common(own, set, full + 1);
}

/* Adds to the weights how many of the commits in [start, start + 64 BLOCK_WORDS) are ancestors. */
static void weigh_block(const struct dag *dag, size_t start, uint64_t *masks, size_t *weights)
{
	memset(masks, 0, dag_count(dag) * BLOCK_WORDS * sizeof(*masks));
	for (size_t commit = start; commit < dag_count(dag); commit++) {
		uint64_t *mask = masks + commit * BLOCK_WORDS;
		const uint32_t *parents = NULL;
		size_t count = dag_parents(dag, commit, &parents);

		if (commit - start < 64 * (size_t)BLOCK_WORDS)
			dag_set_add(mask, commit - start);
		for (size_t p = 0; p < count; p++) {
			for (size_t word = 0; word < BLOCK_WORDS; word++)
				mask[word] |= masks[(size_t)parents[p] * BLOCK_WORDS + word];
		}
		weights[commit] += count_common(mask, mask, BLOCK_WORDS);
	}
}

static void weigh_open(const struct dag *dag, size_t *weights)
{
	_cleanup_free_ uint64_t *masks = xcalloc(dag_count(dag) * BLOCK_WORDS, sizeof(*masks));

	memset(weights, 0, dag_count(dag) * sizeof(*weights));
	for (size_t start = 0; start < dag_count(dag); start += 64 * (size_t)BLOCK_WORDS)
		weigh_block(dag, start, masks, weights);
}

void dag_weights(const struct dag *dag, size_t *weights)
{
	if (dag_is_open(dag)) {
		weigh_open(dag, weights);
		return;
	}
	for (size_t commit = 0; commit < dag_count(dag); commit++)
		weights[commit] = dag->linear ? commit + 1
					      : count_common(row_of(dag, commit),
							     row_of(dag, commit), commit / 64 + 1);
}

bool dag_split(const struct dag *dag, const bool *skipped, size_t *commit)
{
	size_t count = dag_count(dag);
	_cleanup_free_ size_t *weights = xcalloc(count + 1, sizeof(*weights));
	size_t best = 0;
	bool found = false;

	dag_weights(dag, weights);
	for (size_t i = 0; i < count; i++) {
		size_t value = weights[i] < count - weights[i] ? weights[i] : count - weights[i];

		if ((skipped && skipped[i]) || (found && value <= best))
			continue;
		best = value;
		*commit = i;
		found = true;
	}
	return found;
}
