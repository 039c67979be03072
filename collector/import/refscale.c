/* SPDX-License-Identifier: GPL-3.0-or-later */
/* dmesg lines of refscale: a table of runs and nanoseconds per loop behind its end of test. */
#include "collector/import/tool.h"

struct state {
	char *name;    /* "refscale.rcu" */
	bool in_table; /* a row may follow */
	double runs;   /* read so far */
};

static int take_end(struct tool_reader *reader, void *data, const struct line_match *match,
		    struct error *err)
{
	struct state *state = data;

	if (reader->unclosed)
		return error_set(err, ERROR_DATA, "the test before it has no result");
	free(state->name);
	state->name =
		xasprintf("refscale.%.*s", (int)match->captures[0].length, match->captures[0].text);
	state->in_table = false;
	state->runs = 0;
	reader->unclosed = reader->line;
	return 0;
}

static int take_header(struct tool_reader *reader, void *data, const struct line_match *match,
		       struct error *err)
{
	struct state *state = data;

	(void)reader;
	(void)match;
	if (!state->name)
		return tool_out_of_place(err);
	state->in_table = true;
	return 0;
}

static int take_row(struct tool_reader *reader, void *data, const struct line_match *match,
		    struct error *err)
{
	struct state *state = data;
	const struct tool_series series = {state->name, NULL, "time", "ns/op", BETTER_LOWER};

	if (!state->in_table)
		return 0;
	if (match->captures[0].value != state->runs + 1)
		return error_set(err, ERROR_DATA, "run %.0f does not follow run %.0f",
				 match->captures[0].value, state->runs);
	state->runs++;
	return tool_add(reader, &series, match->captures[1].value, err);
}

static int take_other(struct tool_reader *reader, void *data, const struct line_match *match,
		      struct error *err)
{
	struct state *state = data;

	(void)match;
	if (!state->in_table)
		return 0;
	if (!reader->lines.items[reader->line - 1].complete || reader->unclosed ||
	    line_capture_is(&match->captures[0], "Runs"))
		return error_set(err, ERROR_DATA, "this is no row of run and time");
	if (*match->captures[0].text >= '0' && *match->captures[0].text <= '9')
		return error_set(err, ERROR_DATA, "this is no row of run and time");
	state->in_table = false;
	return 0;
}

static const struct tool_rule rules[] = {
	{"*END OF TEST", "%w-ref-scale: END OF TEST. %*", take_end},
	{"Runs", "Runs Time(ns)", take_header},
	{"*-ref-scale:", "%w-ref-scale:%*", NULL},
	{"", "%u %3", take_row},
	{"", "", NULL},
	{"", "%w", take_other},
	{"", "%w %*", take_other},
	{0},
};

bool refscale_recognise(const char *text, size_t length)
{
	return tool_text_holds(text, length, "-ref-scale: END OF TEST");
}

int refscale_read(const struct import_input *input, struct run_set_list *sets, struct error *err)
{
	_cleanup_(tool_reader_release) struct tool_reader reader = {0};
	struct state state = {0};
	int result;

	if (tool_reader_init(&reader, input, err) < 0)
		return -1;
	reader.strip = kernel_log_text;
	result = tool_reader_run(&reader, rules, &state, err);
	free(state.name);
	return result < 0 ? -1 : tool_reader_finish(&reader, sets, err);
}
