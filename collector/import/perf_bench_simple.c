/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * perf bench -f simple: total seconds with three decimals and no word; mem benchmarks name their
 * functions and give bytes per second.
 */
#include <string.h>

#include "collector/import/tool.h"

static int take_function(struct tool_reader *reader, void *data, const struct line_match *match,
			 struct error *err)
{
	struct strbuf *params = data;

	if (reader->unclosed)
		return error_set(err, ERROR_DATA, "the function before it has no result");
	strbuf_clear(params);
	tool_param_capture(params, "function", &match->captures[0]);
	reader->unclosed = reader->line;
	return 0;
}

static int take_number(struct tool_reader *reader, void *data, const struct line_match *match,
		       struct error *err)
{
	struct strbuf *params = data;
	const struct tool_series seconds = {"perf.simple", NULL, "time", "s", BETTER_LOWER};
	const struct tool_series bytes = {"perf.mem.simple", strbuf_text(params), "rate", "B/s",
					  BETTER_HIGHER};

	return tool_add(reader, params->length ? &bytes : &seconds, match->captures[0].value, err);
}

static const struct tool_rule rules[] = {
	{"# Running", "# Running %s", NULL},
	{"# function", "# function '%s' (%*)", take_function},
	{"#", "%*", NULL},
	{"", "%3", take_number},
	{"", "%6", take_number},
	{"", "", NULL},
	{0},
};

/* A bare number can be anything: only what names functions is claimed. */
bool perf_bench_simple_recognise(const char *text, size_t length)
{
	return tool_text_has(text, length, "# function '%s' (%*)") &&
	       !tool_text_holds(text, length, "/sec") && !tool_text_holds(text, length, "/byte");
}

int perf_bench_simple_read(const struct import_input *input, struct run_set_list *sets,
			   struct error *err)
{
	_cleanup_(tool_reader_release) struct tool_reader reader = {0};
	struct strbuf params = STRBUF_INIT;
	int result;

	if (tool_reader_init(&reader, input, err) < 0)
		return -1;
	result = tool_reader_run(&reader, rules, &params, err);
	strbuf_release(&params);
	return result < 0 ? -1 : tool_reader_finish(&reader, sets, err);
}
