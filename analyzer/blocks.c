/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "analyzer/blocks.h"

#include <gsl/gsl_sort_uint.h>

#include "analyzer/moments.h"
#include "analyzer/scratch.h"

/* One side in the order of its blocks. */
struct ordered {
	double *values; /* owned */
	uint32_t *blocks;
	size_t n;
	size_t at; /* first value not yet taken */
};

static void ordered_init(struct ordered *side, const double *values, const uint32_t *blocks,
			 size_t n)
{
	_scratch_ size_t *order = scratch_new(n, sizeof(*order));

	*side = (struct ordered){.n = n};
	side->values = scratch_new(n, sizeof(*side->values));
	side->blocks = scratch_new(n, sizeof(*side->blocks));
	gsl_sort_uint_index(order, blocks, 1, n);
	for (size_t i = 0; i < n; i++) {
		side->values[i] = values[order[i]];
		side->blocks[i] = blocks[order[i]];
	}
}

static void ordered_release(struct ordered *side)
{
	free(side->values);
	free(side->blocks);
}

/* Takes the values of `block`; false when there are none. */
static bool take_block(struct ordered *side, uint32_t block, double *mean)
{
	size_t first = side->at;

	while (side->at < side->n && side->blocks[side->at] == block)
		side->at++;
	if (side->at > first)
		*mean = moments_of(side->values + first, side->at - first).mean;
	return side->at > first;
}

static uint32_t next_block(const struct ordered *a, const struct ordered *b)
{
	if (a->at == a->n)
		return b->blocks[b->at];
	if (b->at == b->n || a->blocks[a->at] < b->blocks[b->at])
		return a->blocks[a->at];
	return b->blocks[b->at];
}

static void pair_up(struct block_pairs *pairs, struct ordered *base, struct ordered *candidate)
{
	pairs->same_blocks = true;
	while (base->at < base->n || candidate->at < candidate->n) {
		uint32_t block = next_block(base, candidate);
		bool in_base = take_block(base, block, &pairs->base[pairs->n]);
		bool in_candidate = take_block(candidate, block, &pairs->candidate[pairs->n]);

		if (in_base && in_candidate)
			pairs->n++;
		else
			pairs->same_blocks = false;
	}
}

void block_pairs_init(struct block_pairs *pairs, const double *base, const uint32_t *base_block,
		      size_t n_base, const double *candidate, const uint32_t *candidate_block,
		      size_t n_candidate)
{
	struct ordered base_side, candidate_side;
	size_t most = n_base + n_candidate;

	*pairs = (struct block_pairs){0};
	if (!base_block || !candidate_block || !n_base || !n_candidate)
		return;
	pairs->base = scratch_new(most, sizeof(*pairs->base));
	pairs->candidate = scratch_new(most, sizeof(*pairs->candidate));
	ordered_init(&base_side, base, base_block, n_base);
	ordered_init(&candidate_side, candidate, candidate_block, n_candidate);
	pair_up(pairs, &base_side, &candidate_side);
	ordered_release(&base_side);
	ordered_release(&candidate_side);
}

void block_pairs_release(struct block_pairs *pairs)
{
	free(pairs->base);
	free(pairs->candidate);
	*pairs = (struct block_pairs){0};
}
