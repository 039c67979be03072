/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * will-it-scale's csv: operations per second of all processes and of all threads against their
 * number. The row of zero tasks is a dummy, and a rate of 0 is of a mode that did not run.
 */
#include "collector/import/tool.h"

struct state {
	char *name; /* "will-it-scale.mmap2" */
};

static int take_command(struct tool_reader *reader, void *data, const struct line_match *match,
			struct error *err)
{
	struct state *state = data;

	(void)reader;
	(void)err;
	free(state->name);
	state->name = xasprintf("will-it-scale.%.*s", (int)match->captures[0].length,
				match->captures[0].text);
	return 0;
}

static int take_header(struct tool_reader *reader, void *data, const struct line_match *match,
		       struct error *err)
{
	(void)data;
	(void)match;
	(void)err;
	reader->unclosed = reader->line;
	return 0;
}

static int add(struct tool_reader *reader, const struct state *state, const char *mode,
	       const struct line_match *match, size_t column, struct error *err)
{
	_cleanup_(strbuf_release) struct strbuf params = STRBUF_INIT;
	struct tool_series series = {state->name ? state->name : "will-it-scale", NULL, "rate",
				     "ops/s", BETTER_HIGHER};

	if (match->captures[column].value == 0)
		return 0;
	tool_param(&params, "mode", mode);
	tool_param_capture(&params, "tasks", &match->captures[0]);
	series.params = strbuf_text(&params);
	return tool_add(reader, &series, match->captures[column].value, err);
}

static int take_row(struct tool_reader *reader, void *state, const struct line_match *match,
		    struct error *err)
{
	if (match->captures[0].value == 0)
		return 0;
	if (add(reader, state, "process", match, 1, err) < 0)
		return -1;
	return add(reader, state, "threads", match, 3, err);
}

static const struct tool_rule rules[] = {
	{"*runtest.py ", "%*runtest.py %w %*", take_command},
	{"tasks,", "tasks,processes,processes_idle,threads,threads_idle,linear", take_header},
	{"*,", "%u,%u,%f,%u,%f,%u", take_row},
	{0},
};

bool will_it_scale_recognise(const char *text, size_t length)
{
	return tool_text_has(text, length, "tasks,processes,%*");
}

int will_it_scale_read(const struct import_input *input, struct run_set_list *sets,
		       struct error *err)
{
	_cleanup_(tool_reader_release) struct tool_reader reader = {0};
	struct state state = {0};
	int result;

	if (tool_reader_init(&reader, input, err) < 0)
		return -1;
	result = tool_reader_run(&reader, rules, &state, err);
	free(state.name);
	return result < 0 ? -1 : tool_reader_finish(&reader, sets, err);
}
