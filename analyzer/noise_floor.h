/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What a comparison finds where there is nothing to find: boots of one kernel, in an interleaved
 * schedule with two boots a block, judged as if they were of two.
 *
 * Within each block the two boots are exchanged at random, as the schedule could have had them
 * (the null of the block permutation test), and each arrangement is compared with the default
 * method. The rate of p below alpha is the false-alarm rate of this machine and benchmark; the
 * size of change that alpha of the arrangements exceed is the noise floor.
 */
#ifndef KREGRESS_ANALYZER_NOISE_FLOOR_H
#define KREGRESS_ANALYZER_NOISE_FLOOR_H

#include <stdbool.h>
#include <stddef.h>

#include "common/metric.h"

#define NOISE_FLOOR_REPLICATES 500

struct noise_floor_input {
	const double *first; /* value of each block's first boot; finite */
	const double *second;
	size_t n_blocks;
	enum better better;
	bool deterministic;
	double alpha;
	unsigned long seed;
};

struct noise_floor {
	bool known;		 /* false: fewer than three blocks, or values without a ratio */
	size_t blocks;		 /* boots a side that the floor is for */
	size_t replicates;	 /* arrangements; all of them where there are few */
	double false_alarm_frac; /* of them with p < alpha */
	double floor_frac;	 /* change that a share alpha of them exceeds; 0.01 for 1% */
};

struct noise_floor noise_floor_of(const struct noise_floor_input *input);

#endif
