/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "analyzer/noise_floor.h"

#include <math.h>

#include <gsl/gsl_rng.h>
#include <gsl/gsl_sort.h>
#include <gsl/gsl_statistics.h>

#include "analyzer/comparison.h"
#include "analyzer/scratch.h"

/* Up to so many blocks, every arrangement is looked at: half of 2^9, as sides may be exchanged. */
#define ENUMERABLE_BLOCKS 9

struct arrangement {
	double *base;
	double *candidate;
	const uint32_t *block; /* of both sides */
};

/* Bit i of `exchanged` says that block i is the other way round. */
static void arrange(const struct noise_floor_input *input, const bool *exchanged,
		    const struct arrangement *to)
{
	for (size_t i = 0; i < input->n_blocks; i++) {
		to->base[i] = exchanged[i] ? input->second[i] : input->first[i];
		to->candidate[i] = exchanged[i] ? input->first[i] : input->second[i];
	}
}

/* Change that this arrangement shows, and whether it is called a difference. */
static bool judge(const struct noise_floor_input *input, const struct arrangement *sides,
		  double *change_frac, size_t *alarms)
{
	const struct comparison_input numbers = {
		.base = sides->base,
		.n_base = input->n_blocks,
		.candidate = sides->candidate,
		.n_candidate = input->n_blocks,
		.better = input->better,
		.deterministic = input->deterministic,
		.limit_frac = 0,
		.alpha = input->alpha,
		.method = METHOD_AUTO,
		.base_block = sides->block,
		.candidate_block = sides->block,
	};
	struct comparison comparison = comparison_measure(&numbers);
	bool alarm = comparison.method == METHOD_EXACT
			     ? comparison.ratio != 1
			     : comparison.p_known && comparison.p < input->alpha;

	if (!comparison.ratio_known || comparison.ratio <= 0)
		return false;
	*change_frac = exp(fabs(log(comparison.ratio))) - 1;
	*alarms += alarm;
	return true;
}

static void draw(const gsl_rng *random, size_t replicate, size_t n_blocks, bool *exchanged)
{
	for (size_t i = 0; i < n_blocks; i++)
		exchanged[i] = random ? gsl_rng_get(random) & 1 : replicate >> i & 1;
}

/* Summarises the changes; sorts them. */
static void summarise(struct noise_floor *floor, double *changes, size_t alarms, double alpha)
{
	gsl_sort(changes, 1, floor->replicates);
	floor->known = true;
	floor->false_alarm_frac = (double)alarms / (double)floor->replicates;
	floor->floor_frac =
		gsl_stats_quantile_from_sorted_data(changes, 1, floor->replicates, 1 - alpha);
}

struct noise_floor noise_floor_of(const struct noise_floor_input *input)
{
	bool enumerable = input->n_blocks <= ENUMERABLE_BLOCKS;
	struct noise_floor floor = {.blocks = input->n_blocks};
	size_t wanted = enumerable ? (size_t)1 << (input->n_blocks > 0 ? input->n_blocks - 1 : 0)
				   : NOISE_FLOOR_REPLICATES;
	_scratch_ double *changes = scratch_new(wanted, sizeof(*changes));
	_scratch_ double *base = scratch_new(input->n_blocks + 1, sizeof(*base));
	_scratch_ double *candidate = scratch_new(input->n_blocks + 1, sizeof(*candidate));
	_scratch_ bool *exchanged = scratch_new(input->n_blocks + 1, sizeof(*exchanged));
	_scratch_ uint32_t *block = scratch_new(input->n_blocks + 1, sizeof(*block));
	const struct arrangement sides = {base, candidate, block};
	gsl_rng *random = NULL;
	size_t alarms = 0;

	if (input->n_blocks < 3)
		return floor;
	for (size_t i = 0; i < input->n_blocks; i++)
		block[i] = (uint32_t)i;
	if (!enumerable) {
		random = gsl_rng_alloc(gsl_rng_mt19937);
		gsl_rng_set(random, input->seed);
	}
	for (size_t i = 0; i < wanted; i++) {
		draw(random, i, input->n_blocks, exchanged);
		arrange(input, exchanged, &sides);
		floor.replicates += judge(input, &sides, &changes[floor.replicates], &alarms);
	}
	gsl_rng_free(random);
	if (floor.replicates == wanted)
		summarise(&floor, changes, alarms, input->alpha);
	return floor;
}
