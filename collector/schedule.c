/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "collector/schedule.h"

/* SplitMix64 (Steele, Lea & Flood 2014): enough to draw one permutation from a seed. */
static uint64_t splitmix64_next(uint64_t *state)
{
	uint64_t z = *state += 0x9e3779b97f4a7c15ULL;

	z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ULL;
	z = (z ^ (z >> 27)) * 0x94d049bb133111ebULL;
	return z ^ (z >> 31);
}

/* Fisher-Yates over the first block. */
static void draw_order(struct schedule_slot *slots, uint32_t variants, uint64_t seed)
{
	for (uint32_t i = 0; i < variants; i++)
		slots[i].variant = i;
	for (uint32_t i = variants; i > 1; i--) {
		uint32_t j = (uint32_t)(splitmix64_next(&seed) % i);
		uint32_t swapped = slots[i - 1].variant;

		slots[i - 1].variant = slots[j].variant;
		slots[j].variant = swapped;
	}
}

void schedule_fill(struct schedule_slot *slots, uint32_t variants, uint32_t boots, uint64_t seed)
{
	draw_order(slots, variants, seed);
	for (uint32_t block = 0; block < boots; block++) {
		for (uint32_t i = 0; i < variants; i++) {
			struct schedule_slot *slot = &slots[block * variants + i];

			slot->variant = slots[block % 2 ? variants - 1 - i : i].variant;
			slot->block = block;
			slot->slot = block * variants + i;
		}
	}
}

uint64_t schedule_boot_seed(uint64_t seed, uint32_t slot)
{
	uint64_t state = seed ^ slot;

	return splitmix64_next(&state);
}
