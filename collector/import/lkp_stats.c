/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The statistics that LKP writes beside the raw output (stats.json, matrix.json, hackbench.json):
 * one flat object of names and numbers, or lists of them. Those of monitors, and those of which the
 * name gives no direction, are left out.
 */
#include <string.h>

#include "collector/import/json_text.h"
#include "collector/import/lkp.h"

bool lkp_stats_recognise(const char *text, size_t length)
{
	return length && text[0] == '{' &&
	       (tool_text_has(text, length, "\"%w.%w\": %f%*") ||
		tool_text_has(text, length, "\"%w.%w\": [%*"));
}

/* "hackbench.time.elapsed_time" is the metric time.elapsed_time of hackbench. */
static int add_number(struct tool_reader *reader, const char *name, enum better better,
		      const json_t *number, struct error *err)
{
	size_t end = strcspn(name, ".");
	_cleanup_free_ char *benchmark = xstrndup(name, end);
	const struct tool_series series = {benchmark, NULL, name[end] ? name + end + 1 : "value",
					   "", better};

	if (!json_is_number(number))
		return error_set(err, ERROR_DATA, "'%.80s' is no number", name);
	return tool_add(reader, &series, json_number_value(number), err);
}

static int add_statistic(struct tool_reader *reader, const char *name, const json_t *value,
			 struct error *err)
{
	enum better better;

	if (lkp_is_monitor(name) || !lkp_direction(name, &better))
		return 0;
	if (!json_is_array(value))
		return add_number(reader, name, better, value, err);
	for (size_t i = 0; i < json_array_size(value); i++)
		if (add_number(reader, name, better, json_array_get(value, i), err) < 0)
			return -1;
	return 0;
}

static int read_statistics(struct tool_reader *reader, json_t *document, struct error *err)
{
	const char *name;
	json_t *value;

	json_object_foreach (document, name, value)
		if (add_statistic(reader, name, value, err) < 0)
			return -1;
	return 0;
}

int lkp_stats_read(const struct import_input *input, struct run_set_list *sets, struct error *err)
{
	_cleanup_(tool_reader_release) struct tool_reader reader = {0};
	_cleanup_(json_documents_release) struct json_documents documents = {0};

	if (tool_reader_init(&reader, input, err) < 0 ||
	    json_documents_read(&documents, input, true, err) < 0)
		return -1;
	array_for_each (document, &documents)
		if (read_statistics(&reader, *document, err) < 0)
			return json_fail(&reader, err);
	return tool_reader_finish(&reader, sets, err);
}
