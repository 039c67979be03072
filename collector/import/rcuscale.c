/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * dmesg lines of rcuscale: the time from the first grace period to the last, by the number of grace
 * periods in between.
 */
#include "collector/import/tool.h"

static int take_start(struct tool_reader *reader, void *state, const struct line_match *match,
		      struct error *err)
{
	struct strbuf *params = state;

	if (reader->unclosed)
		return error_set(err, ERROR_DATA, "the test before it has no result");
	strbuf_clear(params);
	tool_param_capture(params, "readers", &match->captures[1]);
	tool_param_capture(params, "writers", &match->captures[2]);
	reader->unclosed = reader->line;
	return 0;
}

static int take_result(struct tool_reader *reader, void *state, const struct line_match *match,
		       struct error *err)
{
	const struct strbuf *params = state;
	const struct line_capture *captures = match->captures;
	_cleanup_free_ char *flavour = line_capture_text(&captures[0]);
	_cleanup_free_ char *name = xasprintf("rcuscale.%s", flavour);
	const struct tool_series time = {name, strbuf_text(params), "time", "ns/gp", BETTER_LOWER};
	const struct tool_series whole = {name, strbuf_text(params), "duration", "ns",
					  BETTER_LOWER};
	double duration = captures[3].value;

	if (captures[4].value < 1 || captures[2].value - captures[1].value != duration)
		return error_set(err, ERROR_DATA, "start, end, duration and gps do not agree");
	if (tool_add(reader, &time, duration / captures[4].value, err) < 0)
		return -1;
	return tool_add(reader, &whole, duration, err);
}

static const struct tool_rule rules[] = {
	{"*Start of test:", "%w-scale:--- Start of test: nreaders=%u nwriters=%u %*", take_start},
	{"*duration:", "%w-scale: start: %u end: %u duration: %u gps: %u batches: %u", take_result},
	{"*-scale: start:", "%w-scale: start: %u end: %u duration: %u gps: %u batches: %u",
	 take_result},
	{0},
};

bool rcuscale_recognise(const char *text, size_t length)
{
	return tool_text_holds(text, length, "-scale:--- Start of test") ||
	       tool_text_holds(text, length, "-scale: start: ");
}

int rcuscale_read(const struct import_input *input, struct run_set_list *sets, struct error *err)
{
	_cleanup_(tool_reader_release) struct tool_reader reader = {0};
	struct strbuf params = STRBUF_INIT;
	int result;

	if (tool_reader_init(&reader, input, err) < 0)
		return -1;
	reader.strip = kernel_log_text;
	result = tool_reader_run(&reader, rules, &params, err);
	strbuf_release(&params);
	return result < 0 ? -1 : tool_reader_finish(&reader, sets, err);
}
