/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "collector/schedule.h"

enum { VARIANTS_MAX = 5, BOOTS_MAX = 7, SLOTS_MAX = VARIANTS_MAX * BOOTS_MAX };

/* Every slot is in its place and every block has each variant once. */
static void assert_blocks_complete(const struct schedule_slot *slots, uint32_t variants,
				   uint32_t boots)
{
	for (uint32_t block = 0; block < boots; block++) {
		uint32_t seen = 0;

		for (uint32_t i = 0; i < variants; i++) {
			const struct schedule_slot *slot = &slots[block * variants + i];

			assert_int_equal(slot->slot, block * variants + i);
			assert_int_equal(slot->block, block);
			assert_in_range(slot->variant, 0, variants - 1);
			seen |= 1U << slot->variant;
		}
		assert_int_equal(seen, (1U << variants) - 1);
	}
}

static void assert_order_alternates(const struct schedule_slot *slots, uint32_t variants,
				    uint32_t boots)
{
	for (uint32_t block = 1; block < boots; block++)
		for (uint32_t i = 0; i < variants; i++)
			assert_int_equal(slots[block * variants + i].variant,
					 slots[block * variants - 1 - i].variant);
}

static void blocks_alternate_for_any_number_of_variants(void **state)
{
	struct schedule_slot slots[SLOTS_MAX];

	(void)state;
	for (uint32_t variants = 1; variants <= VARIANTS_MAX; variants++) {
		for (uint32_t boots = 1; boots <= BOOTS_MAX; boots++) {
			for (uint64_t seed = 0; seed < 20; seed++) {
				schedule_fill(slots, variants, boots, seed);
				assert_blocks_complete(slots, variants, boots);
				assert_order_alternates(slots, variants, boots);
			}
		}
	}
}

/* Four boots of two variants: the pattern is ABBA ABBA, whichever comes first. */
static void two_variants_run_abba(void **state)
{
	struct schedule_slot slots[8];
	uint32_t a, b;

	(void)state;
	schedule_fill(slots, 2, 4, 42);
	a = slots[0].variant;
	b = slots[1].variant;
	assert_int_not_equal(a, b);
	for (uint32_t i = 0; i < 8; i += 4) {
		assert_int_equal(slots[i].variant, a);
		assert_int_equal(slots[i + 1].variant, b);
		assert_int_equal(slots[i + 2].variant, b);
		assert_int_equal(slots[i + 3].variant, a);
	}
}

/* Over an even number of blocks, the places of every variant have the same sum. */
static void linear_drift_falls_on_all_alike(void **state)
{
	struct schedule_slot slots[18];
	uint32_t sums[3] = {0};

	(void)state;
	schedule_fill(slots, 3, 6, 7);
	for (uint32_t i = 0; i < 18; i++)
		sums[slots[i].variant] += slots[i].slot;
	assert_int_equal(sums[0], sums[1]);
	assert_int_equal(sums[1], sums[2]);
}

static void a_seed_gives_one_order(void **state)
{
	struct schedule_slot once[15], again[15];

	(void)state;
	memset(once, 0, sizeof(once));
	memset(again, 0xff, sizeof(again));
	schedule_fill(once, 5, 3, UINT64_MAX);
	schedule_fill(again, 5, 3, UINT64_MAX);
	assert_memory_equal(once, again, sizeof(once));
}

/* 600 seeds, 6 permutations: 100 each are expected; 60 is 4.4 standard deviations off. */
static void seeds_reach_every_permutation_of_three(void **state)
{
	unsigned int counts[27] = {0};
	unsigned int reached = 0;

	(void)state;
	for (uint64_t seed = 0; seed < 600; seed++) {
		struct schedule_slot slots[3];

		schedule_fill(slots, 3, 1, seed);
		counts[slots[0].variant * 9 + slots[1].variant * 3 + slots[2].variant]++;
	}
	for (unsigned int i = 0; i < 27; i++) {
		if (!counts[i])
			continue;
		reached++;
		assert_in_range(counts[i], 60, 140);
	}
	assert_int_equal(reached, 6);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(blocks_alternate_for_any_number_of_variants),
		cmocka_unit_test(two_variants_run_abba),
		cmocka_unit_test(linear_drift_falls_on_all_alike),
		cmocka_unit_test(a_seed_gives_one_order),
		cmocka_unit_test(seeds_reach_every_permutation_of_three),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
