/* SPDX-License-Identifier: GPL-3.0-or-later */
/* hyperfine --export-json: the times of every run of every command. */
#include "collector/import/json_text.h"

bool hyperfine_recognise(const char *text, size_t length)
{
	return json_text_recognise(text, length, "results", "command") &&
	       (tool_text_holds(text, length, "\"times\"") ||
		tool_text_holds(text, length, "\"stddev\""));
}

static void describe(struct strbuf *params, const char *command, const json_t *result)
{
	json_t *parameters = json_object_get(result, "parameters");
	const char *key;
	json_t *value;

	tool_param(params, "command", command);
	json_object_foreach (parameters, key, value)
		if (json_is_string(value))
			tool_param(params, key, json_string_value(value));
}

static int read_times(struct tool_reader *reader, const struct tool_series *series,
		      const json_t *result, struct error *err)
{
	const json_t *times = json_object_get(result, "times");
	double mean;

	if (!json_array_size(times)) {
		if (!json_number_at(result, "mean", &mean))
			return error_set(err, ERROR_DATA, "'%.80s' has no times", series->params);
		return tool_add(reader, series, mean, err);
	}
	for (size_t i = 0; i < json_array_size(times); i++) {
		const json_t *time = json_array_get(times, i);

		if (!json_is_number(time))
			return error_set(err, ERROR_DATA, "time %zu of '%.80s' is no number", i + 1,
					 series->params);
		if (tool_add(reader, series, json_number_value(time), err) < 0)
			return -1;
	}
	return 0;
}

static int read_results(struct tool_reader *reader, const json_t *document, struct error *err)
{
	const json_t *results = json_object_get(document, "results");

	for (size_t i = 0; i < json_array_size(results); i++) {
		_cleanup_(strbuf_release) struct strbuf params = STRBUF_INIT;
		const json_t *result = json_array_get(results, i);
		const char *command = json_text_at(result, "command");
		struct tool_series series = {"hyperfine", NULL, "time", "s", BETTER_LOWER};

		if (!command)
			return error_set(err, ERROR_DATA, "result %zu has no command", i + 1);
		describe(&params, command, result);
		series.params = strbuf_text(&params);
		if (read_times(reader, &series, result, err) < 0)
			return -1;
	}
	return 0;
}

int hyperfine_read(const struct import_input *input, struct run_set_list *sets, struct error *err)
{
	_cleanup_(tool_reader_release) struct tool_reader reader = {0};
	_cleanup_(json_documents_release) struct json_documents documents = {0};

	if (tool_reader_init(&reader, input, err) < 0 ||
	    json_documents_read(&documents, input, true, err) < 0)
		return -1;
	array_for_each (document, &documents)
		if (read_results(&reader, *document, err) < 0)
			return json_fail(&reader, err);
	return tool_reader_finish(&reader, sets, err);
}
