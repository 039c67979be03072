/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What rt-tests (cyclictest, oslat and their kin) write with --json: latencies by thread. The key
 * of the command line is literally "cmdline:", with the colon.
 */
#include <string.h>

#include "collector/import/json_text.h"
#include "collector/import/latency.h"

bool rt_json_recognise(const char *text, size_t length)
{
	return json_text_recognise(text, length, "rt_test_version:", "thread");
}

/* "cyclictest" of "/usr/bin/cyclictest -m -q". */
static char *tool_name(const json_t *document)
{
	const char *command = json_text_at(document, "cmdline:");
	const char *end, *slash;

	if (!command || !*command)
		return NULL;
	end = command + strcspn(command, " ");
	slash = memrchr(command, '/', (size_t)(end - command));
	if (slash)
		command = slash + 1;
	return xstrndup(command, (size_t)(end - command));
}

/* A histogram may not hold more than there were cycles. */
static int check_histogram(const json_t *thread, struct error *err)
{
	const char *key;
	json_t *count;
	double cycles, sum = 0;

	if (!json_number_at(thread, "cycles", &cycles))
		return 0;
	json_object_foreach (json_object_get(thread, "histogram"), key, count)
		sum += json_number_value(count);
	if (sum <= cycles)
		return 0;
	return error_set(err, ERROR_DATA, "a histogram of %g in %g cycles", sum, cycles);
}

static int read_thread(struct tool_reader *reader, const char *tool, const char *key,
		       const json_t *thread, struct error *err)
{
	_cleanup_(strbuf_release) struct strbuf params = STRBUF_INIT;
	struct latency latency;

	tool_param(&params, "thread", key);
	if (!json_number_at(thread, "min", &latency.min_us) ||
	    !json_number_at(thread, "avg", &latency.avg_us) ||
	    !json_number_at(thread, "max", &latency.max_us))
		return error_set(err, ERROR_DATA, "thread '%s' lacks min, avg or max", key);
	if (check_histogram(thread, err) < 0)
		return -1;
	return latency_add(reader, tool, strbuf_text(&params), &latency, err);
}

static int read_threads(struct tool_reader *reader, const json_t *document, struct error *err)
{
	_cleanup_free_ char *tool = tool_name(document);
	json_t *threads = json_object_get(document, "thread");
	double expected;
	const char *key;
	json_t *thread;

	if (!tool)
		return error_set(err, ERROR_DATA, "there is no command line under 'cmdline:'");
	if (json_number_at(document, "num_threads", &expected) &&
	    (double)json_object_size(threads) != expected)
		return error_set(err, ERROR_DATA, "%g threads ran, %zu have results", expected,
				 json_object_size(threads));
	json_object_foreach (threads, key, thread)
		if (read_thread(reader, tool, key, thread, err) < 0)
			return -1;
	return 0;
}

int rt_json_read(const struct import_input *input, struct run_set_list *sets, struct error *err)
{
	_cleanup_(tool_reader_release) struct tool_reader reader = {0};
	_cleanup_(json_documents_release) struct json_documents documents = {0};

	if (tool_reader_init(&reader, input, err) < 0 ||
	    json_documents_read(&documents, input, false, err) < 0)
		return -1;
	array_for_each (document, &documents)
		if (read_threads(&reader, *document, err) < 0)
			return json_fail(&reader, err);
	return tool_reader_finish(&reader, sets, err);
}
