/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A growing array: {items, count, capacity}. An array set to zero is empty and valid.
 * Pointers into `items` hold until the next append.
 */
#ifndef KREGRESS_COMMON_ARRAY_H
#define KREGRESS_COMMON_ARRAY_H

#include <stdlib.h>
#include <string.h>

#include "common/alloc.h"

#define ARRAY_OF(type)                                                                             \
	struct {                                                                                   \
		type *items;                                                                       \
		size_t count;                                                                      \
		size_t capacity;                                                                   \
	}

/* Pointer to a new, zeroed element at the end of `*array`. */
#define array_append(array)                                                                        \
	({                                                                                         \
		__typeof__(array) array_ = (array);                                                \
		if (!array_->items || array_->count == array_->capacity) {                         \
			array_->capacity = array_->capacity ? 2 * array_->capacity : 8;            \
			array_->items = xreallocarray(array_->items, array_->capacity,             \
						      sizeof(*array_->items));                     \
		}                                                                                  \
		memset(&array_->items[array_->count], 0, sizeof(*array_->items));                  \
		&array_->items[array_->count++];                                                   \
	})

/* Runs the body with `item` pointing at each element in turn. */
#define array_for_each(item, array)                                                                \
	for (__typeof__(*(array)->items) *item = (array)->items;                                   \
	     item && item < (array)->items + (array)->count; item++)

/* Frees the storage, not what the elements point to. */
#define array_release(array)                                                                       \
	do {                                                                                       \
		free((array)->items);                                                              \
		(array)->items = NULL;                                                             \
		(array)->count = 0;                                                                \
		(array)->capacity = 0;                                                             \
	} while (0)

#define ARRAY_SIZE(array) (sizeof(array) / sizeof((array)[0]))

/* A list of owned strings. */
struct string_list {
	char **items;
	size_t count;
	size_t capacity;
};

void string_list_add(struct string_list *list, const char *text);
/* Adds the parts of `text` between runs of the bytes in `separators`; empty parts are dropped. */
void string_list_split(struct string_list *list, const char *text, const char *separators);
int string_list_contains(const struct string_list *list, const char *text);
void string_list_release(struct string_list *list);

#endif
