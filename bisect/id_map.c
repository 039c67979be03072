/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bisect/id_map.h"

#include <string.h>

enum { FIRST_SLOTS = 64 };

void id_map_release(struct id_map *map)
{
	free(map->slots);
	*map = (struct id_map){NULL, 0, 0};
}

/* Ids are hashes already. */
static uint32_t *find_slot(const struct id_map *map, const struct commit_ids *ids,
			   const git_oid *id)
{
	size_t slot;

	memcpy(&slot, id->id, sizeof(slot));
	for (slot &= map->size - 1; map->slots[slot] != ID_UNKNOWN;
	     slot = (slot + 1) & (map->size - 1)) {
		if (git_oid_equal(&ids->items[map->slots[slot]], id))
			break;
	}
	return &map->slots[slot];
}

static void resize(struct id_map *map, const struct commit_ids *ids, size_t size)
{
	uint32_t *old = map->slots;
	size_t old_size = map->size;

	map->slots = xcalloc(size, sizeof(*map->slots));
	map->size = size;
	memset(map->slots, 0xff, size * sizeof(*map->slots));
	for (size_t i = 0; i < old_size; i++) {
		if (old[i] != ID_UNKNOWN)
			*find_slot(map, ids, &ids->items[old[i]]) = old[i];
	}
	free(old);
}

void id_map_add(struct id_map *map, const struct commit_ids *ids, size_t index)
{
	if (2 * (map->count + 1) > map->size)
		resize(map, ids, map->size ? 2 * map->size : FIRST_SLOTS);
	*find_slot(map, ids, &ids->items[index]) = (uint32_t)index;
	map->count++;
}

void id_map_add_all(struct id_map *map, const struct commit_ids *ids)
{
	size_t size = FIRST_SLOTS;

	while (size < 2 * (ids->count + 1))
		size *= 2;
	resize(map, ids, size);
	for (size_t i = 0; i < ids->count; i++)
		id_map_add(map, ids, i);
}

uint32_t id_map_find(const struct id_map *map, const struct commit_ids *ids, const git_oid *id)
{
	return map->size ? *find_slot(map, ids, id) : ID_UNKNOWN;
}
