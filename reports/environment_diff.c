/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "reports/environment_diff.h"

static const char *value_of(const struct report_variant *variant, const char *key)
{
	array_for_each (item, &variant->environment)
		if (!strcmp(item->key, key))
			return item->value;
	return NULL;
}

static void add(struct environment_diff *diff, const char *key, const char *base,
		const char *candidate)
{
	struct environment_difference *item;

	if (base && candidate && !strcmp(base, candidate)) {
		diff->same++;
		return;
	}
	item = array_append(&diff->items);
	item->key = key;
	item->base = base;
	item->candidate = candidate;
}

static int compare_keys(const void *left, const void *right)
{
	const struct environment_difference *a = left, *b = right;

	return strcmp(a->key, b->key);
}

struct environment_diff environment_diff_of(const struct report_variant *base,
					    const struct report_variant *candidate)
{
	struct environment_diff diff = {0};

	array_for_each (item, &base->environment)
		add(&diff, item->key, item->value, value_of(candidate, item->key));
	array_for_each (item, &candidate->environment)
		if (!value_of(base, item->key))
			add(&diff, item->key, NULL, item->value);
	if (diff.items.count)
		qsort(diff.items.items, diff.items.count, sizeof(*diff.items.items), compare_keys);
	return diff;
}

void environment_diff_release(struct environment_diff *diff)
{
	array_release(&diff->items);
}
