/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/report_check.h"

#include <string.h>

#include <jansson.h>

#include "common/file.h"
#include "reports/check/check.h"
#include "reports/check/consumers.h"

static int check_consumer(const char *name, struct error *err)
{
	_cleanup_(strbuf_release) struct strbuf known = STRBUF_INIT;

	if (!name || consumer_find(name))
		return 0;
	for (const struct consumer *consumer = consumers; consumer->name; consumer++)
		strbuf_printf(&known, " %s", consumer->name);
	error_set(err, ERROR_USAGE, "option --consumer: '%s' is no consumer", name);
	return error_hint(err, "known consumers:%s", strbuf_text(&known));
}

static const char *consumer_summary(const char *name)
{
	const struct consumer *consumer = name ? consumer_find(name) : NULL;

	return consumer ? consumer->summary : "every reader";
}

/* Remarks of one reader stand together, under its name. */
static void append_remarks(struct strbuf *out, const struct check_result *result)
{
	const char *current = "";

	array_for_each (remark, &result->remarks) {
		const char *name = remark->consumer ? remark->consumer : "all";

		if (strcmp(name, current) != 0)
			strbuf_printf(out, "  %s (%s)\n", name, consumer_summary(remark->consumer));
		current = name;
		strbuf_append(out, "    ");
		if (remark->level != REMARK_NOTE)
			strbuf_printf(out, "%s: ", remark_level_name(remark->level));
		strbuf_append(out, remark->text);
		if (remark->line)
			strbuf_printf(out, " (line %ld)", remark->line);
		strbuf_append_char(out, '\n');
	}
}

static json_t *remark_object(const struct remark *remark)
{
	json_t *object = json_object();

	json_object_set_new(object, "level", json_string(remark_level_name(remark->level)));
	json_object_set_new(object, "consumer",
			    remark->consumer ? json_string(remark->consumer) : json_null());
	json_object_set_new(object, "line",
			    remark->line ? json_integer(remark->line) : json_null());
	json_object_set_new(object, "text", json_string(remark->text));
	return object;
}

static json_t *result_object(const char *path, const struct check_result *result)
{
	json_t *object = json_object(), *remarks = json_array();

	array_for_each (remark, &result->remarks)
		json_array_append_new(remarks, remark_object(remark));
	json_object_set_new(object, "file", json_string(path));
	json_object_set_new(object, "format", json_string(result->format));
	json_object_set_new(object, "summary", json_string(result->summary));
	json_object_set_new(object, "level",
			    json_string(remark_level_name(check_result_level(result))));
	json_object_set_new(object, "remarks", remarks);
	return object;
}

static int check_file(const char *path, const char *consumer, json_t *list, struct strbuf *out,
		      struct error *err)
{
	_cleanup_(strbuf_release) struct strbuf document = STRBUF_INIT;
	struct check_result result;
	enum remark_level level;

	if (file_read(path, &document, err) < 0)
		return -1;
	if (report_check(strbuf_text(&document), document.length, consumer, &result, err) < 0)
		return error_wrap(err, "%s", path);
	json_array_append_new(list, result_object(path, &result));
	strbuf_printf(out, "%s: %s\n", path, result.summary);
	append_remarks(out, &result);
	level = check_result_level(&result);
	check_result_release(&result);
	return level == REMARK_ERROR ? EXIT_FAILED : EXIT_OK;
}

static int print_result(const struct strbuf *text, const json_t *list, bool json, struct error *err)
{
	_cleanup_free_ char *dump = json ? json_dumps(list, JSON_INDENT(2)) : NULL;
	_cleanup_free_ char *line = dump ? xasprintf("%s\n", dump) : NULL;

	return print_text(line ? line : strbuf_text(text), err);
}

int report_check_files(const struct string_list *paths, const char *consumer, bool json,
		       struct error *err)
{
	_cleanup_(strbuf_release) struct strbuf text = STRBUF_INIT;
	json_t *list;
	int worst = EXIT_OK;

	if (check_consumer(consumer, err) < 0)
		return -1;
	list = json_array();
	array_for_each (path, paths) {
		int result = check_file(*path, consumer, list, &text, err);

		if (result < 0) {
			worst = -1;
			break;
		}
		worst = result > worst ? result : worst;
	}
	if (worst >= 0 && print_result(&text, list, json, err) < 0)
		worst = -1;
	json_decref(list);
	return worst;
}
