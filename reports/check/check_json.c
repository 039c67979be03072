/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "reports/check/formats.h"

#include <string.h>

#include "common/string_index.h"
#include "common/text.h"
#include "reports/presentation.h"

/* What jansson has read is finite and UTF-8 already. */

enum { FINDING_DIGITS = 16, EXCERPT_MAX = 16384 };

#define PATH_BYTES "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-"

static const char *text_of(const json_t *object, const char *key)
{
	return json_string_value(json_object_get(object, key));
}

static bool is_one_of(const char *text, const char *const *names, size_t count)
{
	for (size_t i = 0; text && i < count; i++)
		if (!strcmp(text, names[i]))
			return true;
	return false;
}

static bool is_finding_id(const char *text)
{
	return text && strlen(text) == FINDING_DIGITS &&
	       strspn(text, "0123456789abcdef") == FINDING_DIGITS;
}

static void check_entry(struct check_result *result, const json_t *entry, size_t index,
			struct string_index *findings)
{
	static const char *const verdicts[] = {"regressed", "improved", "equivalent",
					       "inconclusive", "failed"};
	static const char *const texts[] = {"benchmark", "params", "metric", "unit"};
	const char *finding = text_of(entry, "finding");

	for (size_t i = 0; i < ARRAY_SIZE(texts); i++)
		if (!text_of(entry, texts[i]))
			check_remark(result, REMARK_ERROR, NULL, 0, "series %zu has no text `%s`",
				     index, texts[i]);
	if (!is_one_of(text_of(entry, "verdict"), verdicts, ARRAY_SIZE(verdicts)))
		check_remark(result, REMARK_ERROR, NULL, 0, "series %zu has no verdict", index);
	if (!is_finding_id(finding))
		check_remark(result, REMARK_ERROR, NULL, 0, "series %zu has no finding id", index);
	else if (!string_index_add(findings, finding, 0))
		check_remark(result, REMARK_ERROR, NULL, 0,
			     "series %zu has the finding id of another one", index);
	if (!json_is_object(json_object_get(entry, "base")) ||
	    !json_is_object(json_object_get(entry, "new")))
		check_remark(result, REMARK_ERROR, NULL, 0,
			     "series %zu does not describe both sides", index);
}

void check_comparison(struct check_result *result, const json_t *root)
{
	const json_t *series = json_object_get(root, "series");
	struct string_index findings = {0};
	const json_t *entry;
	size_t index;

	result->format = "json";
	result->summary = xasprintf("kregress-comparison-1: %zu findings", json_array_size(series));
	if (!text_of(root, "base") || !json_array_size(json_object_get(root, "variants")))
		check_remark(result, REMARK_ERROR, NULL, 0, "base or variants are not named");
	if (!json_is_array(series))
		check_remark(result, REMARK_ERROR, NULL, 0, "there is no array `series`");
	json_array_foreach (series, index, entry)
		check_entry(result, entry, index, &findings);
	string_index_release(&findings);
}

static bool is_path(const char *path)
{
	if (!*path)
		return true;
	for (;;) {
		size_t length = strspn(path, PATH_BYTES);

		if (!length)
			return false;
		if (!path[length])
			return true;
		if (path[length] != '.')
			return false;
		path += length + 1;
	}
}

/* "ORIGIN:..." with the object's own origin. */
static bool id_has_origin(const char *id, const char *origin)
{
	return origin_id_is_valid(id) && !strncmp(id, origin, strlen(origin)) &&
	       id[strlen(origin)] == ':';
}

static void check_identity(struct check_result *result, const json_t *object, const char *kind,
			   size_t index, struct string_index *ids)
{
	const char *id = text_of(object, "id"), *origin = text_of(object, "origin");
	_cleanup_free_ char *key = xasprintf("%s\n%s", kind, id ? id : "");

	if (!origin || !origin_is_valid(origin))
		check_remark(result, REMARK_ERROR, NULL, 0, "%s[%zu]: origin is not [a-z0-9_]+",
			     kind, index);
	else if (!id || !id_has_origin(id, origin))
		check_remark(result, REMARK_ERROR, NULL, 0,
			     "%s[%zu]: id does not start with the origin '%s'", kind, index,
			     origin);
	else if (!string_index_add(ids, key, 0))
		check_remark(result, REMARK_ERROR, NULL, 0, "%s[%zu]: '%s' is there already", kind,
			     index, id);
}

static void check_number(struct check_result *result, const json_t *test, size_t index)
{
	const json_t *number = json_object_get(test, "number");

	if (number && !json_is_number(json_object_get(number, "value")))
		check_remark(result, REMARK_ERROR, NULL, 0, "tests[%zu]: number has no value",
			     index);
	if (!number)
		check_remark(result, REMARK_NOTE, NULL, 0,
			     "tests[%zu]: no number, so the dashboard draws no history of it",
			     index);
}

static void check_test(struct check_result *result, const json_t *test, size_t index)
{
	static const char *const statuses[] = {"FAIL", "ERROR", "MISS", "PASS", "DONE", "SKIP"};
	const char *path = text_of(test, "path"), *build = text_of(test, "build_id");
	const char *excerpt = text_of(test, "log_excerpt");
	const char *status = text_of(test, "status");

	if (!build || !origin_id_is_valid(build))
		check_remark(result, REMARK_ERROR, NULL, 0, "tests[%zu]: no build_id ORIGIN:ID",
			     index);
	if (path && !is_path(path))
		check_remark(result, REMARK_ERROR, NULL, 0,
			     "tests[%zu]: path is not of [A-Za-z0-9_-] and dots", index);
	if (status && !is_one_of(status, statuses, ARRAY_SIZE(statuses)))
		check_remark(result, REMARK_ERROR, NULL, 0, "tests[%zu]: status is unknown", index);
	if (excerpt && text_width(excerpt) > EXCERPT_MAX)
		check_remark(result, REMARK_ERROR, NULL, 0,
			     "tests[%zu]: log_excerpt of more than %d characters", index,
			     EXCERPT_MAX);
	check_number(result, test, index);
}

void check_kcidb(struct check_result *result, const json_t *root)
{
	static const char *const kinds[] = {"checkouts", "builds", "tests", "issues", "incidents"};
	const json_t *version = json_object_get(root, "version");
	struct string_index ids = {0};
	const json_t *object;
	size_t index;

	result->format = "kcidb";
	result->summary =
		xasprintf("KCIDB: %zu tests", json_array_size(json_object_get(root, "tests")));
	if (json_integer_value(json_object_get(version, "major")) != 5)
		check_remark(result, REMARK_ERROR, NULL, 0, "the version is not 5.x");
	for (size_t i = 0; i < ARRAY_SIZE(kinds); i++)
		json_array_foreach (json_object_get(root, kinds[i]), index, object)
			check_identity(result, object, kinds[i], index, &ids);
	json_array_foreach (json_object_get(root, "tests"), index, object)
		check_test(result, object, index);
	string_index_release(&ids);
}
