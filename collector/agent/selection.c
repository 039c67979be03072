/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "collector/agent/selection.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "collector/agent/pattern.h"
#include "collector/agent/user_bench.h"

#define GROUP_MAX  32
#define GROUPS_MAX 128

static const char *const userland_groups[] = {"syscall.", "signal.", "ipc.",
					      "mem.",	  "file.",   "tool."};

bool selection_has(const struct plan *plan, const char *name, const char *params)
{
	for (size_t i = 0; i < plan->pattern_count; i++)
		if (pattern_matches(plan->patterns[i], name, params))
			return true;
	return false;
}

static bool names_userland_benchmark(const char *pattern)
{
	char label[BENCH_LABEL_MAX];

	for (const struct user_bench *bench = user_benches; bench->name; bench++) {
		bench_label(label, bench->name, bench->params);
		if (!strcmp(pattern, label) || !strcmp(pattern, bench->name))
			return true;
	}
	return false;
}

static bool is_userland_only(const char *pattern)
{
	for (size_t i = 0; i < sizeof(userland_groups) / sizeof(userland_groups[0]); i++)
		if (!strncmp(pattern, userland_groups[i], strlen(userland_groups[i])))
			return true;
	return names_userland_benchmark(pattern);
}

bool selection_needs_kernel(const struct plan *plan)
{
	for (size_t i = 0; i < plan->pattern_count; i++)
		if (!is_userland_only(plan->patterns[i]))
			return true;
	return false;
}

bool selection_is_known(const char *pattern, const struct kernel_list *list)
{
	for (const struct user_bench *bench = user_benches; bench->name; bench++)
		if (pattern_matches(pattern, bench->name, bench->params))
			return true;
	for (size_t i = 0; i < list->count; i++)
		if (pattern_matches(pattern, list->benches[i].name, list->benches[i].params))
			return true;
	return false;
}

bool selection_is_tool(const struct plan *plan, const char *pattern)
{
	for (size_t i = 0; i < plan->tool_count; i++)
		if (pattern_matches(pattern, plan->tools[i].name, plan->tools[i].params))
			return true;
	return false;
}

static size_t add_group(char groups[GROUPS_MAX][GROUP_MAX], size_t count, const char *name)
{
	char group[GROUP_MAX];

	snprintf(group, sizeof(group), "%.*s", (int)strcspn(name, "."), name);
	for (size_t i = 0; i < count; i++)
		if (!strcmp(groups[i], group))
			return count;
	if (count == GROUPS_MAX)
		return count;
	memcpy(groups[count], group, sizeof(group));
	return count + 1;
}

static int compare_groups(const void *a, const void *b)
{
	return strcmp(a, b);
}

void selection_groups(const struct kernel_list *list, char *text, size_t size)
{
	char groups[GROUPS_MAX][GROUP_MAX];
	size_t count = 0, used = 0;

	for (const struct user_bench *bench = user_benches; bench->name; bench++)
		count = add_group(groups, count, bench->name);
	for (size_t i = 0; i < list->count; i++)
		count = add_group(groups, count, list->benches[i].name);
	qsort(groups, count, sizeof(groups[0]), compare_groups);
	text[0] = '\0';
	for (size_t i = 0; i < count && used < size; i++)
		used += (size_t)snprintf(text + used, size - used, "%s%s", i ? ", " : "",
					 groups[i]);
}
