/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * tbench and dbench: "Throughput 335.907 MB/sec  2 clients  2 procs  max_latency=6.821 ms" closes a
 * run. Both print the same; a command line in the output or the file's name tells them apart.
 */
#include <string.h>

#include "collector/import/tool.h"

static int take_start(struct tool_reader *reader, void *state, const struct line_match *match,
		      struct error *err)
{
	(void)state;
	(void)match;
	if (reader->unclosed)
		return error_set(err, ERROR_DATA, "the run before it has no throughput");
	reader->unclosed = reader->line;
	return 0;
}

static int take_throughput(struct tool_reader *reader, void *state, const struct line_match *match,
			   struct error *err)
{
	_cleanup_(strbuf_release) struct strbuf params = STRBUF_INIT;
	struct tool_series series = {state, NULL, "rate", "MB/s", BETTER_HIGHER};

	tool_param_capture(&params, "clients", &match->captures[1]);
	series.params = strbuf_text(&params);
	if (tool_add(reader, &series, match->captures[0].value, err) < 0)
		return -1;
	if (match->count < 4)
		return 0;
	series.metric = "latency-max";
	series.unit = "ms";
	series.better = BETTER_LOWER;
	return tool_add(reader, &series, match->captures[3].value, err);
}

static const struct tool_rule rules[] = {
	{"dbench version", "dbench version %s", take_start},
	{"Throughput ", "Throughput %f MB/sec %u clients %u procs max_latency=%3 ms",
	 take_throughput},
	{"Throughput ", "Throughput %f MB/sec (%*) %u clients %u procs max_latency=%3 ms",
	 take_throughput},
	{"Throughput ", "Throughput %f MB/sec %u procs", take_throughput},
	{0},
};

bool dbench_recognise(const char *text, size_t length)
{
	return tool_text_has(text, length, "dbench version %s") ||
	       tool_text_has(text, length, "Throughput %f MB/sec %u clients %*");
}

bool tbench_recognise(const char *text, size_t length)
{
	return dbench_recognise(text, length) && tool_text_holds(text, length, "tbench ");
}

static int read_as(char *benchmark, const struct import_input *input, struct run_set_list *sets,
		   struct error *err)
{
	_cleanup_(tool_reader_release) struct tool_reader reader = {0};

	if (tool_reader_init(&reader, input, err) < 0 ||
	    tool_reader_run(&reader, rules, benchmark, err) < 0)
		return -1;
	return tool_reader_finish(&reader, sets, err);
}

int dbench_read(const struct import_input *input, struct run_set_list *sets, struct error *err)
{
	static char names[][8] = {"dbench", "tbench"};
	const char *slash = strrchr(input->name, '/');

	return read_as(names[strstr(slash ? slash : input->name, "tbench") != NULL], input, sets,
		       err);
}

int tbench_read(const struct import_input *input, struct run_set_list *sets, struct error *err)
{
	char name[] = "tbench";

	return read_as(name, input, sets, err);
}
