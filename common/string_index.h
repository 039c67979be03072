/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A map from text to numbers, for looking things up by name among many (a balanced tree). */
#ifndef KREGRESS_COMMON_STRING_INDEX_H
#define KREGRESS_COMMON_STRING_INDEX_H

#include <stdbool.h>
#include <stddef.h>

/* All zero is empty and valid. */
struct string_index {
	void *root;
};

/* Remembers `value` for a copy of `key`; false when the key is there already, with its old value.
 */
bool string_index_add(struct string_index *index, const char *key, size_t value);

/* The value of the key in `*value`; false when there is none. */
bool string_index_find(const struct string_index *index, const char *key, size_t *value);

void string_index_release(struct string_index *index);

#endif
