/* SPDX-License-Identifier: GPL-3.0-or-later */
/* From commit id to its index in a list that may grow. */
#ifndef KREGRESS_BISECT_ID_MAP_H
#define KREGRESS_BISECT_ID_MAP_H

#include "bisect/history.h"

#define ID_UNKNOWN UINT32_MAX

/* All zero is an empty map. */
struct id_map {
	uint32_t *slots; /* index or ID_UNKNOWN; open addressing, at most half full */
	size_t size;	 /* 0 or a power of two */
	size_t count;
};

void id_map_release(struct id_map *map);

/* Enters ids->items[index], which is not in the map yet. */
void id_map_add(struct id_map *map, const struct commit_ids *ids, size_t index);

/* Enters all of them. */
void id_map_add_all(struct id_map *map, const struct commit_ids *ids);

/* The index in `ids`, the list that was entered, or ID_UNKNOWN. */
uint32_t id_map_find(const struct id_map *map, const struct commit_ids *ids, const git_oid *id);

#endif
