/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bisect/core/alike.h"

#include "common/alloc.h"

enum { FIRST_SLOTS = 1024 };

struct alike {
	struct alike_group *slots; /* open addressing, at most half full */
	size_t size;
	size_t used;
	double per_step; /* 1 / step */
};

struct alike *alike_new(double step)
{
	struct alike *alike = xcalloc(1, sizeof(*alike));

	alike->slots = xcalloc(FIRST_SLOTS, sizeof(*alike->slots));
	alike->size = FIRST_SLOTS;
	alike->per_step = 1 / (step > 1e-9 ? step : 1e-9);
	return alike;
}

void alike_free(struct alike *alike)
{
	if (!alike)
		return;
	free(alike->slots);
	free(alike);
}

/* Mixes every rounded weight in by the finaliser of splitmix64 (Steele, Lea, Flood 2014). */
static uint64_t hash_weights(const struct alike *alike, const double *weights, size_t count)
{
	uint64_t key = 0;

	for (size_t i = 0; i < count; i++) {
		key += (uint64_t)(weights[i] * alike->per_step + 0.5);
		key += UINT64_C(0x9e3779b97f4a7c15);
		key = (key ^ key >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
		key = (key ^ key >> 27) * UINT64_C(0x94d049bb133111eb);
		key ^= key >> 31;
	}
	return key;
}

static struct alike_group *find_slot(struct alike *alike, uint64_t key)
{
	size_t slot = key & (alike->size - 1);

	while (alike->slots[slot].used && alike->slots[slot].key != key)
		slot = (slot + 1) & (alike->size - 1);
	return &alike->slots[slot];
}

static void grow(struct alike *alike)
{
	struct alike_group *old = alike->slots;
	size_t size = alike->size;

	alike->size = 2 * size;
	alike->slots = xcalloc(alike->size, sizeof(*alike->slots));
	for (size_t i = 0; i < size; i++) {
		if (old[i].used)
			*find_slot(alike, old[i].key) = old[i];
	}
	free(old);
}

struct alike_group *alike_find(struct alike *alike, const double *weights, size_t count)
{
	uint64_t key = hash_weights(alike, weights, count);
	struct alike_group *group = find_slot(alike, key);

	if (group->used)
		return group;
	if (2 * ++alike->used > alike->size) {
		grow(alike);
		group = find_slot(alike, key);
	}
	group->key = key;
	group->used = true;
	return group;
}
