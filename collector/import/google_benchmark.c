/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Google Benchmark's JSON: each repetition is a value; the aggregates that it adds are left out, as
 * they would count the same measurements twice.
 */
#include <string.h>

#include "collector/import/json_text.h"

bool google_benchmark_recognise(const char *text, size_t length)
{
	return json_text_recognise(text, length, "benchmarks", "real_time");
}

static bool is_aggregate(const json_t *entry)
{
	static const char *const suffixes[] = {"_mean", "_median", "_stddev", "_cv"};
	const char *type = json_text_at(entry, "run_type");
	const char *name = json_text_at(entry, "name");
	size_t length = name ? strlen(name) : 0;

	if (type)
		return strcmp(type, "aggregate") == 0;
	for (size_t i = 0; i < ARRAY_SIZE(suffixes); i++)
		if (length > strlen(suffixes[i]) &&
		    !strcmp(name + length - strlen(suffixes[i]), suffixes[i]))
			return true;
	return false;
}

/* "BM_copy/8/threads:2" is BM_copy with the parameters "8" and "threads=2". */
static void split_name(const char *name, char **benchmark, struct strbuf *params)
{
	size_t end = strcspn(name, "/");

	*benchmark = xstrndup(name, end);
	for (const char *at = name + end; *at; at += end) {
		const char *colon;

		at++;
		end = strcspn(at, "/");
		colon = memchr(at, ':', end);
		if (params->length)
			strbuf_append_char(params, ',');
		if (colon)
			strbuf_printf(params, "%.*s=%.*s", (int)(colon - at), at,
				      (int)(at + end - colon - 1), colon + 1);
		else
			strbuf_append_bytes(params, at, end);
	}
}

static int add_number(struct tool_reader *reader, const struct tool_series *series,
		      const json_t *entry, const char *key, struct error *err)
{
	double value;

	return json_number_at(entry, key, &value) ? tool_add(reader, series, value, err) : 0;
}

static int add_entry(struct tool_reader *reader, const json_t *entry, const char *benchmark,
		     const char *params, const char *unit, struct error *err)
{
	const struct {
		const char *key;
		struct tool_series series;
	} parts[] = {
		{"real_time", {benchmark, params, "time", unit, BETTER_LOWER}},
		{"cpu_time", {benchmark, params, "cpu-time", unit, BETTER_LOWER}},
		{"items_per_second", {benchmark, params, "rate", "items/s", BETTER_HIGHER}},
		{"bytes_per_second", {benchmark, params, "bandwidth", "B/s", BETTER_HIGHER}},
	};

	for (size_t i = 0; i < ARRAY_SIZE(parts); i++)
		if (add_number(reader, &parts[i].series, entry, parts[i].key, err) < 0)
			return -1;
	return 0;
}

static int read_entry(struct tool_reader *reader, const json_t *entry, struct error *err)
{
	_cleanup_(strbuf_release) struct strbuf params = STRBUF_INIT;
	_cleanup_free_ char *benchmark = NULL;
	const char *name = json_text_at(entry, "run_name");
	const char *time_unit = json_text_at(entry, "time_unit");
	char unit[16];
	double time;

	name = name ? name : json_text_at(entry, "name");
	if (!name)
		return error_set(err, ERROR_DATA, "a benchmark without a name");
	if (json_is_true(json_object_get(entry, "error_occurred")))
		return error_set(err, ERROR_DATA, "'%.80s' failed", name);
	if (!json_number_at(entry, "real_time", &time))
		return error_set(err, ERROR_DATA, "'%.80s' has no real_time", name);
	snprintf(unit, sizeof(unit), "%.8s/op", time_unit ? time_unit : "ns");
	split_name(name, &benchmark, &params);
	return add_entry(reader, entry, benchmark, strbuf_text(&params), unit, err);
}

static int read_entries(struct tool_reader *reader, const json_t *document, struct error *err)
{
	const json_t *entries = json_object_get(document, "benchmarks");

	for (size_t i = 0; i < json_array_size(entries); i++) {
		const json_t *entry = json_array_get(entries, i);

		if (!is_aggregate(entry) && read_entry(reader, entry, err) < 0)
			return -1;
	}
	return 0;
}

int google_benchmark_read(const struct import_input *input, struct run_set_list *sets,
			  struct error *err)
{
	_cleanup_(tool_reader_release) struct tool_reader reader = {0};
	_cleanup_(json_documents_release) struct json_documents documents = {0};

	if (tool_reader_init(&reader, input, err) < 0 ||
	    json_documents_read(&documents, input, true, err) < 0)
		return -1;
	array_for_each (document, &documents)
		if (read_entries(&reader, *document, err) < 0)
			return json_fail(&reader, err);
	return tool_reader_finish(&reader, sets, err);
}
