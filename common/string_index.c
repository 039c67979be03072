/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "common/string_index.h"

#include <search.h>
#include <stdlib.h>
#include <string.h>

#include "common/alloc.h"

struct index_entry {
	char *key;
	size_t value;
};

static int compare_entries(const void *left, const void *right)
{
	return strcmp(((const struct index_entry *)left)->key,
		      ((const struct index_entry *)right)->key);
}

static void entry_free(void *entry)
{
	free(((struct index_entry *)entry)->key);
	free(entry);
}

bool string_index_add(struct string_index *index, const char *key, size_t value)
{
	struct index_entry *entry = xcalloc(1, sizeof(*entry));
	struct index_entry **place;

	*entry = (struct index_entry){xstrdup(key), value};
	place = tsearch(entry, &index->root, compare_entries);
	if (!place)
		abort();
	if (*place == entry)
		return true;
	entry_free(entry);
	return false;
}

bool string_index_find(const struct string_index *index, const char *key, size_t *value)
{
	const struct index_entry wanted = {(char *)key, 0};
	struct index_entry *const *place = tfind(&wanted, &index->root, compare_entries);

	if (!place)
		return false;
	*value = (*place)->value;
	return true;
}

void string_index_release(struct string_index *index)
{
	tdestroy(index->root, entry_free);
	index->root = NULL;
}
