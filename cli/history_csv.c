/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/history_csv.h"

#include <string.h>

#include <jansson.h>

#include "cli/history_change.h"
#include "common/file.h"
#include "common/number.h"
#include "common/text.h"

struct values {
	double *items;
	size_t count;
	size_t capacity;
};

static bool is_blank(char character)
{
	return character == ' ' || character == '\t' || character == '\r';
}

/* The line without blanks around it. Owned by the caller. */
static char *trim(const char *line, size_t length)
{
	while (length && is_blank(line[length - 1]))
		length--;
	while (length && is_blank(*line)) {
		line++;
		length--;
	}
	return xstrndup(line, length);
}

/* A heading holds a letter and no number: "time", "ns/op". */
static bool is_heading(const char *word)
{
	_cleanup_(error_clear) struct error ignored = {0};
	static const char *const refused[] = {"nan", "inf", "infinity"};
	double value;

	for (size_t i = 0; i < ARRAY_SIZE(refused); i++)
		if (!strcasecmp(word + (*word == '-' || *word == '+'), refused[i]))
			return false;
	return number_parse(word, &value, &ignored) < 0 && !strpbrk(word, ",;\t") &&
	       !strchr("0123456789+-.", *word);
}

static int add_line(struct values *values, const char *path, size_t number, const char *word,
		    struct error *err)
{
	double value;

	if (number_parse(word, &value, err) < 0) {
		error_wrap(err, "%s:%zu", path, number);
		return error_hint(err, "--csv takes one number a line, under a heading or none");
	}
	*array_append(values) = value;
	return 0;
}

static int read_values(const char *path, const char *text, struct values *values, struct error *err)
{
	size_t blank_from = 0, number = 1;

	for (const char *line = text; *line; number++) {
		size_t length = strcspn(line, "\n");
		_cleanup_free_ char *word = trim(line, length);

		line += length + (line[length] == '\n');
		if (!*word) {
			blank_from = blank_from ? blank_from : number;
			continue;
		}
		if (blank_from)
			return error_set(err, ERROR_DATA, "%s:%zu: a blank line among the numbers",
					 path, blank_from);
		if (number == 1 && is_heading(word))
			continue;
		if (add_line(values, path, number, word, err) < 0)
			return -1;
	}
	if (values->count)
		return 0;
	return error_set(err, ERROR_DATA, "%s: no numbers in it", path);
}

static void fill(const char *path, const struct values *values, const struct change_points *points,
		 enum better better, struct history_series *series)
{
	const char *slash = strrchr(path, '/');

	series->benchmark = xstrdup(!strcmp(path, "-") ? "standard input"
				    : slash	       ? slash + 1
						       : path);
	series->params = xstrdup("");
	series->metric = xstrdup("");
	series->unit = xstrdup("");
	series->better = better;
	series->order = HISTORY_BY_LINES;
	series->known = points->known;
	series->noise_sd = points->noise_sd;
	series->autocorrelation = points->autocorrelation;
	array_for_each (value, values)
		*array_append(&series->points) =
			(struct history_point){.location = *value, .standard_error = -1};
	for (size_t i = 0; i < points->count; i++)
		*array_append(&series->changes) = history_change_of(&points->items[i], better);
}

int history_csv_read(const char *path, const struct change_settings *settings, enum better better,
		     struct history_report *report, struct error *err)
{
	_cleanup_(strbuf_release) struct strbuf content = STRBUF_INIT;
	struct values values = {0};
	struct change_series series;
	struct change_points points;
	int status;

	if (file_read(path, &content, err) < 0)
		return -1;
	if (text_check_utf8(strbuf_text(&content), content.length, err) < 0)
		return error_wrap(err, "%s", path);
	status = read_values(path, strbuf_text(&content), &values, err);
	if (status == 0) {
		series = (struct change_series){values.items, NULL, values.count};
		points = change_points_of(&series, settings);
		if (!points.known)
			status = error_set(err, ERROR_DATA, "%s: values beyond 1e150", path);
		else
			fill(path, &values, &points, better, array_append(&report->series));
		change_points_release(&points);
	}
	array_release(&values);
	return status;
}

static json_t *change_json(const struct history_change *change)
{
	json_t *object =
		json_pack("{s:I, s:I, s:I, s:f, s:f, s:f}", "index", (json_int_t)change->index,
			  "low", (json_int_t)change->low, "high", (json_int_t)change->high,
			  "before", change->before, "after", change->after, "p", change->p);

	if (change->kind != CHANGE_KIND_LEVEL)
		json_object_set_new(object, "kind", json_string(change_kind_name(change->kind)));
	return object;
}

void history_csv_append_json(const struct history_report *report, struct strbuf *out)
{
	json_t *list = json_array();
	json_t *document;
	_cleanup_free_ char *text = NULL;

	array_for_each (series, &report->series) {
		json_t *changes = json_array();

		array_for_each (change, &series->changes)
			json_array_append_new(changes, change_json(change));
		json_array_append_new(list, json_pack("{s:o}", "change_points", changes));
	}
	document = json_pack("{s:o}", "series", list);
	text = json_dumps(document, JSON_INDENT(2));
	strbuf_printf(out, "%s\n", text);
	json_decref(document);
}
