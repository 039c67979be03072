/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * stress-ng --metrics and --metrics-brief: a table of bogo operations, on stderr, and what single
 * stressors measure besides.
 */
#include <string.h>

#include "collector/import/stress_ng.h"

struct state {
	bool in_table;
	size_t failed; /* line of the first failure; 0: none */
};

/* Behind "stress-ng: metrc: [12801] ". */
static const char *strip(const char *line)
{
	const char *at = strncmp(line, "stress-ng: ", 11) != 0 ? NULL : strchr(line, ']');

	return at ? at + 1 + strspn(at + 1, " ") : line;
}

static int take_header(struct tool_reader *reader, void *data, const struct line_match *match,
		       struct error *err)
{
	struct state *state = data;

	(void)match;
	(void)err;
	state->in_table = true;
	reader->unclosed = reader->line;
	return 0;
}

static int take_row(struct tool_reader *reader, void *data, const struct line_match *match,
		    struct error *err)
{
	struct state *state = data;
	const struct line_capture *captures = match->captures;
	_cleanup_free_ char *stressor = line_capture_text(&captures[0]);

	if (!state->in_table)
		return 0;
	return stress_ng_add_rates(reader, stressor, captures[5].value, captures[6].value, err);
}

/* "pipe  54.68 MB per sec pipe write rate (geometic mean of 1 instances)" */
static int take_other(struct tool_reader *reader, void *data, const struct line_match *match,
		      struct error *err)
{
	const struct line_capture *captures = match->captures;
	_cleanup_free_ char *stressor = line_capture_text(&captures[0]);
	_cleanup_free_ char *what = line_capture_text(&captures[2]);

	(void)data;
	return stress_ng_add_other(reader, stressor, what, captures[1].value, err);
}

static bool is_numeric_word(const char *word)
{
	return *word >= '0' && *word <= '9';
}

/*
 * A line that is no row. Behind the header, one with the numbers of a row is a damaged row, and one
 * that the end of the file cuts could have become one.
 */
static int take_prose(struct tool_reader *reader, void *data, const struct line_match *match,
		      struct error *err)
{
	const struct tool_line *line = &reader->lines.items[reader->line - 1];
	struct state *state = data;
	size_t numbers = 0;

	if (!state->failed && !strncmp(line->text, "stress-ng: fail:", 16))
		state->failed = reader->line;
	if (!state->in_table || strncmp(line->text, "stress-ng:", 10) != 0)
		return 0;
	for (const char *at = match->captures[0].text; *at; at += strspn(at, " ")) {
		numbers += is_numeric_word(at);
		at += strcspn(at, " ");
	}
	if (numbers < 4 && line->complete)
		return 0;
	return error_set(err, ERROR_DATA, "a row of the table is damaged or cut");
}

#define ROW "%w %u %2 %2 %2 %2 %2"

static const struct tool_rule rules[] = {
	{"stressor ", "stressor bogo ops real time usr time sys time bogo ops/s %*", take_header},
	{"*(average per stressor)", "%w %2 %s (average per stressor)", take_other},
	{"*instances)", "%w %2 %s (%w mean of %u instances)", take_other},
	{"", ROW, take_row},
	{"", ROW " %2 %u", take_row},
	{"", ROW " %2", take_row},
	{"dispatching", "%*", NULL},
	{"", "", NULL},
	{"", "%s", take_prose},
	{0},
};

bool stress_ng_recognise(const char *text, size_t length)
{
	return tool_text_has(text, length, "stress-ng: %w [%*");
}

int stress_ng_read(const struct import_input *input, struct run_set_list *sets, struct error *err)
{
	_cleanup_(tool_reader_release) struct tool_reader reader = {0};
	struct state state = {0};

	if (tool_reader_init(&reader, input, err) < 0)
		return -1;
	reader.strip = strip;
	if (tool_reader_run(&reader, rules, &state, err) < 0)
		return -1;
	if (state.failed && !reader.values) {
		reader.line = state.failed;
		error_set(err, ERROR_DATA, "stress-ng failed and measured nothing");
		return tool_fail(&reader, err);
	}
	return tool_reader_finish(&reader, sets, err);
}
