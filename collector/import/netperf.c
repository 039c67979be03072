/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * netperf's tables. The first line names the test, two or three of headings follow, then a blank
 * line and the numbers. Of instances that a log shows as started in the background, which share
 * the machine, the sum is the result.
 */
#include <string.h>

#include "collector/import/tool.h"

#define NUMBERS_MAX 16

struct state {
	char *name;	      /* "netperf.tcp_rr"; NULL: outside of a table */
	bool has_rate_column; /* transactions per second, not a throughput */
	bool is_datagram;
	size_t row;	 /* of numbers, in this table */
	size_t started;	 /* in the background */
	size_t finished; /* of these */
	double sum;
};

static void start_table(struct tool_reader *reader, struct state *state, char *name)
{
	free(state->name);
	state->name = name;
	state->is_datagram = strstr(name, "UDP") && !strstr(name, "REQUEST");
	state->has_rate_column = strstr(name, "REQUEST") != NULL;
	state->row = 0;
	reader->unclosed = reader->line;
}

static int take_test(struct tool_reader *reader, void *data, const struct line_match *match,
		     struct error *err)
{
	struct state *state = data;
	const struct line_capture *test = &match->captures[0];
	const char *text = test->text;
	size_t length = test->length;

	if (reader->unclosed)
		return error_set(err, ERROR_DATA, "the test before it has no result");
	if (length > 9 && !strncmp(text, "MIGRATED ", 9)) {
		text += 9;
		length -= 9;
	}
	start_table(reader, state, xasprintf("netperf.%.*s", (int)length, text));
	return 0;
}

static int take_background(struct tool_reader *reader, void *data, const struct line_match *match,
			   struct error *err)
{
	struct state *state = data;

	(void)reader;
	(void)match;
	(void)err;
	state->started++;
	return 0;
}

static size_t read_numbers(const char *text, double *numbers)
{
	size_t count = 0;

	while (*text && count < NUMBERS_MAX) {
		size_t length = line_number_scan(text, &numbers[count]);

		if (!length || (text[length] && text[length] != ' '))
			return 0;
		count++;
		text += length + strspn(text + length, " ");
	}
	return *text ? 0 : count;
}

static int add(struct tool_reader *reader, struct state *state, const char *metric, double value,
	       struct error *err)
{
	const char *unit = state->has_rate_column ? "tx/s" : "Mbit/s";
	const struct tool_series series = {state->name, NULL, metric, unit, BETTER_HIGHER};

	if (!state->started)
		return tool_add(reader, &series, value, err);
	state->sum += value;
	state->finished++;
	reader->unclosed = 0;
	return 0;
}

/* The first row is the local side; UDP streams have a second, of what arrived. */
static int take_row(struct state *state, struct tool_reader *reader, const double *numbers,
		    size_t count, struct error *err)
{
	size_t column = state->has_rate_column || state->is_datagram ? 6 : 5;

	state->row++;
	if (state->row == 1 && count < column)
		return error_set(err, ERROR_DATA, "%zu numbers where %zu or more were expected",
				 count, column);
	if (state->row == 1)
		return add(reader, state, "rate", numbers[column - 1], err);
	if (state->row == 2 && state->is_datagram && count >= 4 && !state->started)
		return add(reader, state, "received-rate", numbers[3], err);
	return 0;
}

/* Within a table, a line that begins like a row is one. */
static int take_line(struct tool_reader *reader, void *data, const struct line_match *match,
		     struct error *err)
{
	struct state *state = data;
	const struct tool_line *line = &reader->lines.items[reader->line - 1];
	double numbers[NUMBERS_MAX];
	size_t count;

	(void)match;
	if (!state->name || strspn(line->text, "0123456789") == 0)
		return 0;
	count = read_numbers(line->text, numbers);
	if (!count)
		return error_set(err, ERROR_DATA, "this is no row of numbers");
	if (!line->complete) {
		error_set(err, ERROR_DATA, "the file ends within this line");
		return error_hint(err, "if the value is whole, end the line");
	}
	return take_row(state, reader, numbers, count, err);
}

static const struct tool_rule rules[] = {
	{"*netperf -", "%*netperf -%* &", take_background},
	{"*netperf -", "%*", NULL},
	{"*TEST from", "%s TEST from %*", take_test},
	{"*TEST to", "%s TEST to %*", take_test},
	{"", "", NULL},
	{"", "%w", take_line},
	{"", "%w %*", take_line},
	{0},
};

bool netperf_recognise(const char *text, size_t length)
{
	return tool_text_has(text, length, "%s TEST from %* port %*") ||
	       tool_text_has(text, length, "%s TEST to %*");
}

static int finish_background(struct tool_reader *reader, struct state *state, struct error *err)
{
	_cleanup_(strbuf_release) struct strbuf params = STRBUF_INIT;
	struct tool_series series = {state->name, NULL, "rate", "Mbit/s", BETTER_HIGHER};

	if (!state->started)
		return 0;
	if (state->started != state->finished) {
		error_set(err, ERROR_DATA, "%zu were started, %zu have a result", state->started,
			  state->finished);
		return tool_fail(reader, err);
	}
	strbuf_printf(&params, "instances=%zu", state->started);
	series.params = strbuf_text(&params);
	if (state->has_rate_column)
		series.unit = "tx/s";
	return tool_add(reader, &series, state->sum, err) < 0 ? tool_fail(reader, err) : 0;
}

int netperf_read(const struct import_input *input, struct run_set_list *sets, struct error *err)
{
	_cleanup_(tool_reader_release) struct tool_reader reader = {0};
	struct state state = {0};
	int result;

	if (tool_reader_init(&reader, input, err) < 0)
		return -1;
	result = tool_reader_run(&reader, rules, &state, err);
	if (result == 0 && !reader.unclosed)
		result = finish_background(&reader, &state, err);
	free(state.name);
	return result < 0 ? -1 : tool_reader_finish(&reader, sets, err);
}
