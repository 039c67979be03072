/* SPDX-License-Identifier: GPL-3.0-or-later */
/* iperf3 --json: what the sender sent and what the receiver got, over the whole test. */
#include <string.h>
#include <strings.h>

#include "collector/import/json_text.h"

bool iperf3_recognise(const char *text, size_t length)
{
	return json_text_recognise(text, length, "bits_per_second", "test_start") ||
	       json_text_recognise(text, length, "iperf3", NULL);
}

static char *series_name(const json_t *test)
{
	const char *protocol = json_text_at(test, "protocol");
	char *name = xasprintf("iperf3.%s", protocol ? protocol : "unknown");

	for (char *at = name; *at; at++)
		if (*at >= 'A' && *at <= 'Z')
			*at += 'a' - 'A';
	return name;
}

static int add_part(struct tool_reader *reader, const struct tool_series *series, const json_t *end,
		    const char *key, const char *field, struct error *err)
{
	double value;

	if (!json_number_at(json_object_get(end, key), field, &value))
		return 0;
	return tool_add(reader, series, value, err);
}

static int add_all(struct tool_reader *reader, const char *name, const char *params,
		   const json_t *end, struct error *err)
{
	const struct {
		const char *key, *field;
		struct tool_series series;
	} parts[] = {
		{"sum_sent",
		 "bits_per_second",
		 {name, params, "sender-rate", "bit/s", BETTER_HIGHER}},
		{"sum_received",
		 "bits_per_second",
		 {name, params, "receiver-rate", "bit/s", BETTER_HIGHER}},
		{"sum", "bits_per_second", {name, params, "rate", "bit/s", BETTER_HIGHER}},
		{"sum", "jitter_ms", {name, params, "jitter", "ms", BETTER_LOWER}},
		{"sum", "lost_percent", {name, params, "lost", "%", BETTER_LOWER}},
	};

	for (size_t i = 0; i < ARRAY_SIZE(parts); i++)
		if (add_part(reader, &parts[i].series, end, parts[i].key, parts[i].field, err) < 0)
			return -1;
	return 0;
}

static int read_test(struct tool_reader *reader, const json_t *document, struct error *err)
{
	const json_t *test = json_object_get(json_object_get(document, "start"), "test_start");
	const json_t *end = json_object_get(document, "end");
	const char *problem = json_text_at(document, "error");
	_cleanup_free_ char *name = series_name(test);
	char params[64] = "";
	size_t values = reader->values;
	double streams;

	if (problem)
		return error_set(err, ERROR_DATA, "iperf3 failed: %.200s", problem);
	if (json_number_at(test, "num_streams", &streams))
		snprintf(params, sizeof(params), "streams=%g", streams);
	if (add_all(reader, name, params, end, err) < 0)
		return -1;
	if (reader->values == values)
		return error_set(err, ERROR_DATA, "the test has no sums at its end");
	return 0;
}

int iperf3_read(const struct import_input *input, struct run_set_list *sets, struct error *err)
{
	_cleanup_(tool_reader_release) struct tool_reader reader = {0};
	_cleanup_(json_documents_release) struct json_documents documents = {0};

	if (tool_reader_init(&reader, input, err) < 0 ||
	    json_documents_read(&documents, input, true, err) < 0)
		return -1;
	array_for_each (document, &documents)
		if (read_test(&reader, *document, err) < 0)
			return json_fail(&reader, err);
	return tool_reader_finish(&reader, sets, err);
}
