/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "collector/agent/pattern.h"

#include <fnmatch.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void bench_label(char label[BENCH_LABEL_MAX], const char *name, const char *params)
{
	snprintf(label, BENCH_LABEL_MAX, *params ? "%s[%s]" : "%s%s", name, params);
}

static bool has_parameters(const char *pattern)
{
	const char *bracket = strchr(pattern, '[');

	return bracket && strchr(bracket, '=');
}

/* The pattern with each bracket escaped. The caller frees it. */
static char *escape_brackets(const char *pattern)
{
	char *escaped = malloc(2 * strlen(pattern) + 1);
	char *out = escaped;

	if (!escaped)
		return NULL;
	for (; *pattern; pattern++) {
		if (*pattern == '[' || *pattern == ']')
			*out++ = '\\';
		*out++ = *pattern;
	}
	*out = '\0';
	return escaped;
}

bool pattern_matches(const char *pattern, const char *name, const char *params)
{
	char label[BENCH_LABEL_MAX];
	char *escaped;
	bool matches;

	bench_label(label, name, params);
	if (!has_parameters(pattern))
		return fnmatch(pattern, name, 0) == 0 || fnmatch(pattern, label, 0) == 0;
	escaped = escape_brackets(pattern);
	matches = escaped && fnmatch(escaped, label, 0) == 0;
	free(escaped);
	return matches;
}
