/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Pairs from an interleaved schedule: for each block in which both sides have values, the mean of
 * each side's values there. What drifts slowly is the same for both and leaves the difference.
 */
#ifndef KREGRESS_ANALYZER_BLOCKS_H
#define KREGRESS_ANALYZER_BLOCKS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct block_pairs {
	double *base; /* owned; by ascending block */
	double *candidate;
	size_t n;	  /* complete blocks */
	bool same_blocks; /* no block holds one side only */
};

/* block[i] is the block of value i, finite. NULL for either block array gives no pairs. */
void block_pairs_init(struct block_pairs *pairs, const double *base, const uint32_t *base_block,
		      size_t n_base, const double *candidate, const uint32_t *candidate_block,
		      size_t n_candidate);
void block_pairs_release(struct block_pairs *pairs);

#endif
