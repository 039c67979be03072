/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * dmesg lines of find_bit_benchmark.ko: nanoseconds for all iterations. Their number depends on the
 * random bitmap, so that the time per iteration is what compares.
 */
#include "collector/import/tool.h"

static int take_fill(struct tool_reader *reader, void *state, const struct line_match *match,
		     struct error *err)
{
	struct strbuf *params = state;

	(void)err;
	strbuf_clear(params);
	tool_param_capture(params, "fill", &match->captures[0]);
	reader->unclosed = reader->line;
	return 0;
}

static int take_row(struct tool_reader *reader, void *state, const struct line_match *match,
		    struct error *err)
{
	const struct strbuf *params = state;
	_cleanup_free_ char *function = line_capture_text(&match->captures[0]);
	_cleanup_free_ char *name = xasprintf("find_bit.%s", function);
	const struct tool_series series = {name, strbuf_text(params), "time", "ns/op",
					   BETTER_LOWER};

	if (match->captures[2].value < 1)
		return error_set(err, ERROR_DATA, "no iterations");
	return tool_add(reader, &series, match->captures[1].value / match->captures[2].value, err);
}

static const struct tool_rule rules[] = {
	{"Start testing find_bit", "Start testing find_bit() with %w%* bitmap", take_fill},
	{"*iterations", "%w: %u ns, %u iterations", take_row},
	{"find_", "%w: %u ns, %u iterations", take_row},
	{0},
};

bool find_bit_recognise(const char *text, size_t length)
{
	return tool_text_holds(text, length, "find_bit() with") ||
	       tool_text_has(text, length, "%*find_%w: %u ns, %u iterations");
}

int find_bit_read(const struct import_input *input, struct run_set_list *sets, struct error *err)
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
