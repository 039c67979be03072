/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "reports/check/check.h"

#include <string.h>

#include "common/text.h"
#include "reports/check/consumers.h"
#include "reports/check/formats.h"

void check_remark(struct check_result *result, enum remark_level level, const char *consumer,
		  long line, const char *format, ...)
{
	struct remark *remark = array_append(&result->remarks);
	_cleanup_free_ char *text = NULL;
	struct strbuf visible = {0};
	va_list args;

	va_start(args, format);
	text = xvasprintf(format, args);
	va_end(args);
	text_append_visible(&visible, text);
	*remark = (struct remark){level, consumer, line, strbuf_take(&visible)};
}

static const char *skip_blanks(const char *text)
{
	/* A byte order mark is no content. */
	if (!strncmp(text, "\xef\xbb\xbf", 3))
		text += 3;
	return text + strspn(text, " \t\r\n");
}

static int check_json(struct check_result *result, const char *document, size_t length,
		      struct error *err)
{
	json_error_t cause;
	json_t *root = json_loadb(document, length, JSON_REJECT_DUPLICATES, &cause);
	const char *format = json_string_value(json_object_get(root, "format"));

	if (!root) {
		result->format = "json";
		result->summary = xstrdup("JSON that cannot be read");
		check_remark(result, REMARK_ERROR, NULL, cause.line, "%s", cause.text);
		return 0;
	}
	if (format && !strcmp(format, "kregress-comparison-1")) {
		check_comparison(result, root);
	} else if (json_is_object(json_object_get(root, "version"))) {
		check_kcidb(result, root);
	} else {
		error_set(err, ERROR_DATA, "JSON of no kind that is known here");
		error_hint(err, "kregress-comparison-1 and KCIDB can be checked");
	}
	json_decref(root);
	return result->format ? 0 : -1;
}

/* Lines of Go's format start with Benchmark or Unit somewhere, those of Prometheus never do. */
static bool is_benchfmt(const char *text)
{
	return !strncmp(text, "Benchmark", 9) || strstr(text, "\nBenchmark");
}

static bool is_prometheus(const char *text)
{
	return !strncmp(text, "# HELP ", 7) || !strncmp(text, "# TYPE ", 7) ||
	       strstr(text, "\n# TYPE ");
}

int report_check(const char *document, size_t length, const char *consumer,
		 struct check_result *result, struct error *err)
{
	const char *content = skip_blanks(document);

	*result = (struct check_result){0};
	if (*content == '<') {
		check_junit(result, document, length, consumer);
		return 0;
	}
	if (*content == '{' || *content == '[')
		return check_json(result, document, length, err);
	if (strlen(document) == length && is_benchfmt(content)) {
		check_benchfmt(result, document);
		return 0;
	}
	if (strlen(document) == length && is_prometheus(content)) {
		check_prometheus(result, document);
		return 0;
	}
	error_set(err, ERROR_DATA, "no report of a format that is known here");
	return error_hint(err, "junit, json, kcidb, prometheus and benchfmt can be checked");
}

enum remark_level check_result_level(const struct check_result *result)
{
	enum remark_level level = REMARK_NOTE;

	array_for_each (remark, &result->remarks)
		if (remark->level > level)
			level = remark->level;
	return level;
}

const char *remark_level_name(enum remark_level level)
{
	static const char *const names[] = {
		[REMARK_NOTE] = "note",
		[REMARK_WARNING] = "warning",
		[REMARK_ERROR] = "error",
	};

	return names[level];
}

void check_result_release(struct check_result *result)
{
	array_for_each (remark, &result->remarks)
		free(remark->text);
	array_release(&result->remarks);
	free(result->summary);
	*result = (struct check_result){0};
}
