/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * hackbench of rt-tests: what it prints of its parameters, then "Time: 2.010" in seconds. A command
 * line before it, as LKP logs it, tells of --pipe, which the output does not.
 */
#include <string.h>

#include "collector/import/tool.h"

struct state {
	struct strbuf params;
	bool pipe;
};

/* "Instance: 2": LKP's mark of one of several that ran at once. */
static int take_instance(struct tool_reader *reader, void *data, const struct line_match *match,
			 struct error *err)
{
	struct state *state = data;

	(void)err;
	free(reader->instance);
	reader->instance = line_capture_text(&match->captures[0]);
	state->pipe = false;
	strbuf_clear(&state->params);
	return 0;
}

static int take_command(struct tool_reader *reader, void *data, const struct line_match *match,
			struct error *err)
{
	struct state *state = data;
	_cleanup_free_ char *options = line_capture_text(&match->captures[0]);

	(void)reader;
	(void)err;
	state->pipe = strstr(options, " --pipe") || strstr(options, " -p");
	return 0;
}

static int take_mode(struct tool_reader *reader, void *data, const struct line_match *match,
		     struct error *err)
{
	struct state *state = data;
	const struct line_capture *captures = match->captures;

	if (reader->unclosed)
		return error_set(err, ERROR_DATA, "the run before it has no result");
	strbuf_clear(&state->params);
	tool_param_capture(&state->params, "groups", &captures[1]);
	if (captures[2].value != 40)
		tool_param_capture(&state->params, "fds", &captures[2]);
	tool_param(&state->params, "mode",
		   line_capture_is(&captures[0], "threaded") ? "threads" : "process");
	if (state->pipe)
		tool_param(&state->params, "ipc", "pipe");
	reader->unclosed = reader->line;
	return 0;
}

static int take_old_mode(struct tool_reader *reader, void *data, const struct line_match *match,
			 struct error *err)
{
	struct state *state = data;

	(void)err;
	strbuf_clear(&state->params);
	tool_param_capture(&state->params, "groups", &match->captures[0]);
	reader->unclosed = reader->line;
	return 0;
}

static int take_messages(struct tool_reader *reader, void *data, const struct line_match *match,
			 struct error *err)
{
	struct state *state = data;

	(void)reader;
	(void)err;
	tool_param_capture(&state->params, "messages", &match->captures[0]);
	tool_param_capture(&state->params, "bytes", &match->captures[1]);
	return 0;
}

static int take_time(struct tool_reader *reader, void *data, const struct line_match *match,
		     struct error *err)
{
	struct state *state = data;
	const struct tool_series series = {"hackbench", strbuf_text(&state->params), "time", "s",
					   BETTER_LOWER};
	int result = tool_add(reader, &series, match->captures[0].value, err);

	strbuf_clear(&state->params);
	return result;
}

static const struct tool_rule rules[] = {
	{"Instance:", "Instance: %u", take_instance},
	{"*hackbench -", "%*hackbench %s", take_command},
	{"Running in ",
	 "Running in %w mode with %u groups using %u file descriptors each (== %u tasks)",
	 take_mode},
	{"Running with ", "Running with %u*%u (== %u) tasks.", take_old_mode},
	{"Each sender", "Each sender will pass %u messages of %u bytes", take_messages},
	{"Time:", "Time: %3", take_time},
	{0},
};

bool hackbench_recognise(const char *text, size_t length)
{
	return tool_text_has(text, length, "Time: %3") ||
	       tool_text_holds(text, length, "Each sender will pass ");
}

/* Instances only count where there are several. */
static bool has_instances(const struct import_input *input)
{
	return tool_text_has(input->text, input->length, "Instance: 2");
}

int hackbench_read(const struct import_input *input, struct run_set_list *sets, struct error *err)
{
	_cleanup_(tool_reader_release) struct tool_reader reader = {0};
	struct state state = {.params = STRBUF_INIT};
	int result;

	if (tool_reader_init(&reader, input, err) < 0)
		return -1;
	result = tool_reader_run(&reader, rules + !has_instances(input), &state, err);
	strbuf_release(&state.params);
	return result < 0 ? -1 : tool_reader_finish(&reader, sets, err);
}
