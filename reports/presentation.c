/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "reports/presentation.h"

#include <string.h>

#include "common/array.h"

#define ORIGIN_BYTES "abcdefghijklmnopqrstuvwxyz0123456789_"
#define HEX_DIGITS   "0123456789abcdef"

/* git takes fewer, the kernel's documentation asks for twelve. */
enum { COMMIT_DIGITS_MIN = 12, COMMIT_DIGITS_MAX = 40 };

/* The index of `text` in `names`, -1 when it is none of them. */
static int find_name(const char *const *names, size_t count, const char *text)
{
	for (size_t i = 0; i < count; i++)
		if (names[i] && !strcmp(names[i], text))
			return (int)i;
	return -1;
}

bool junit_flavour_parse(const char *text, enum junit_flavour *flavour)
{
	static const char *const names[] = {
		[JUNIT_JENKINS] = "jenkins",
		[JUNIT_RICH] = "rich",
		[JUNIT_ANT] = "ant",
	};
	int found = find_name(names, ARRAY_SIZE(names), text);

	if (found >= 0)
		*flavour = (enum junit_flavour)found;
	return found >= 0;
}

bool shown_as_parse(const char *text, enum shown_as *shown)
{
	static const char *const names[] = {
		[SHOWN_PASSED] = "pass",
		[SHOWN_SKIPPED] = "skip",
		[SHOWN_FAILED] = "fail",
	};
	int found = find_name(names, ARRAY_SIZE(names), text);

	if (found >= 0)
		*shown = (enum shown_as)found;
	return found >= 0;
}

int attachment_check(const char *paths, struct error *err)
{
	size_t plain = strcspn(paths, "[]|\n\r");

	if (!paths[plain])
		return 0;
	error_set(err, ERROR_USAGE, "attachment '%s' holds a character that dashboards cannot read",
		  paths);
	return error_hint(err, "name files without '[', ']', '|' and line breaks");
}

bool origin_is_valid(const char *origin)
{
	return *origin && !origin[strspn(origin, ORIGIN_BYTES)];
}

bool origin_id_is_valid(const char *id)
{
	size_t length = strspn(id, ORIGIN_BYTES);

	return length && id[length] == ':';
}

static size_t commit_length(const char *text)
{
	size_t length = strspn(text, HEX_DIGITS);

	return length >= COMMIT_DIGITS_MIN && length <= COMMIT_DIGITS_MAX ? length : 0;
}

/* A tag or a commit, as the ends of a range may be. */
static size_t revision_length(const char *text)
{
	const char *range = strstr(text, "..");
	size_t length = strcspn(text, " \t\n\r");

	return range && (size_t)(range - text) < length ? (size_t)(range - text) : length;
}

bool commit_is_valid(const char *commit)
{
	size_t first = revision_length(commit);

	if (!commit[first])
		return commit_length(commit) == first && first;
	return first && !strncmp(commit + first, "..", 2) && commit[first + 2] != '.' &&
	       revision_length(commit + first + 2) == strlen(commit + first + 2) &&
	       commit[first + 2];
}
