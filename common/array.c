/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "common/array.h"

void string_list_add(struct string_list *list, const char *text)
{
	*array_append(list) = xstrdup(text);
}

void string_list_split(struct string_list *list, const char *text, const char *separators)
{
	while (*text) {
		size_t length = strcspn(text, separators);

		if (length)
			*array_append(list) = xstrndup(text, length);
		text += length;
		text += strspn(text, separators);
	}
}

int string_list_contains(const struct string_list *list, const char *text)
{
	array_for_each (item, list)
		if (!strcmp(*item, text))
			return 1;
	return 0;
}

void string_list_release(struct string_list *list)
{
	array_for_each (item, list)
		free(*item);
	array_release(list);
}
