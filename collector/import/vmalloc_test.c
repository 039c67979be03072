/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * dmesg lines of test_vmalloc.ko: a worker's summaries, closed by a line with its number. Workers
 * run at once, each is a parameter. A test that failed has no time.
 */
#include "collector/import/tool.h"

struct row {
	char *name;
	char *loops;
	double avg_us;
};

struct state {
	ARRAY_OF(struct row) rows; /* of a worker whose number comes later */
};

static void clear_rows(struct state *state)
{
	array_for_each (row, &state->rows) {
		free(row->name);
		free(row->loops);
	}
	state->rows.count = 0;
}

static int take_summary(struct tool_reader *reader, void *data, const struct line_match *match,
			struct error *err)
{
	struct state *state = data;
	const struct line_capture *captures = match->captures;
	struct row *row;

	(void)err;
	reader->unclosed = reader->line;
	if (captures[2].value != 0)
		return 0;
	row = array_append(&state->rows);
	row->name = line_capture_text(&captures[0]);
	row->loops = line_capture_text(&captures[4]);
	row->avg_us = captures[5].value;
	return 0;
}

static int take_worker(struct tool_reader *reader, void *data, const struct line_match *match,
		       struct error *err)
{
	struct state *state = data;

	if (!reader->unclosed)
		return tool_out_of_place(err);
	array_for_each (row, &state->rows) {
		_cleanup_(strbuf_release) struct strbuf params = STRBUF_INIT;
		_cleanup_free_ char *name = xasprintf("vmalloc_test.%s", row->name);
		struct tool_series series = {name, NULL, "time", "us", BETTER_LOWER};

		tool_param_capture(&params, "worker", &match->captures[0]);
		tool_param(&params, "loops", row->loops);
		series.params = strbuf_text(&params);
		if (tool_add(reader, &series, row->avg_us, err) < 0)
			return -1;
	}
	clear_rows(state);
	return 0;
}

static const struct tool_rule rules[] = {
	{"Summary:", "Summary: %w passed: %u failed: %u repeat: %u loops: %u avg: %u usec",
	 take_summary},
	{"Summary:",
	 "Summary: %w passed: %u failed: %u xfailed: %*repeat: %u loops: %u avg: %u usec",
	 take_summary},
	{"All test took", "All test took worker%u=%u cycles", take_worker},
	{0},
};

bool vmalloc_test_recognise(const char *text, size_t length)
{
	return tool_text_has(text, length, "%*Summary: %w passed: %u failed: %u %*loops: %*");
}

int vmalloc_test_read(const struct import_input *input, struct run_set_list *sets,
		      struct error *err)
{
	_cleanup_(tool_reader_release) struct tool_reader reader = {0};
	struct state state = {0};
	int result;

	if (tool_reader_init(&reader, input, err) < 0)
		return -1;
	reader.strip = kernel_log_text;
	result = tool_reader_run(&reader, rules, &state, err);
	clear_rows(&state);
	array_release(&state.rows);
	return result < 0 ? -1 : tool_reader_finish(&reader, sets, err);
}
