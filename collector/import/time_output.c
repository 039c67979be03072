/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What bash's time, `time -p` and GNU `time -v` print of a command, kernel builds before all. */
#include <string.h>

#include "collector/import/tool.h"

struct state {
	size_t parts; /* of a block of three: real, user, sys */
};

static int add_time(struct tool_reader *reader, const char *metric, double seconds,
		    struct error *err)
{
	const struct tool_series series = {"command", NULL, metric, "s", BETTER_LOWER};

	return tool_add(reader, &series, seconds, err);
}

/* "real 0.10" has one number, "0m0.105s" two: minutes and seconds. */
static int take_part(struct tool_reader *reader, struct state *state, size_t part,
		     const struct line_match *match, struct error *err)
{
	static const char *const parts[] = {"time", "user-time", "sys-time"};
	double seconds = match->captures[0].value;

	if (match->count > 1)
		seconds = 60 * seconds + match->captures[1].value;
	if (state->parts != part)
		return error_set(err, ERROR_DATA, "real, user and sys do not follow one another");
	if (add_time(reader, parts[part], seconds, err) < 0)
		return -1;
	state->parts = (part + 1) % 3;
	reader->unclosed = state->parts ? reader->line : 0;
	return 0;
}

static int take_real(struct tool_reader *reader, void *state, const struct line_match *match,
		     struct error *err)
{
	return take_part(reader, state, 0, match, err);
}

static int take_user(struct tool_reader *reader, void *state, const struct line_match *match,
		     struct error *err)
{
	return take_part(reader, state, 1, match, err);
}

static int take_sys(struct tool_reader *reader, void *state, const struct line_match *match,
		    struct error *err)
{
	return take_part(reader, state, 2, match, err);
}

static int take_command(struct tool_reader *reader, void *state, const struct line_match *match,
			struct error *err)
{
	(void)state;
	(void)match;
	if (reader->unclosed)
		return error_set(err, ERROR_DATA, "the command before it has no times");
	reader->unclosed = reader->line;
	return 0;
}

static int take_user_seconds(struct tool_reader *reader, void *state,
			     const struct line_match *match, struct error *err)
{
	(void)state;
	if (add_time(reader, "user-time", match->captures[0].value, err) < 0)
		return -1;
	reader->unclosed = reader->line;
	return 0;
}

static int take_system_seconds(struct tool_reader *reader, void *state,
			       const struct line_match *match, struct error *err)
{
	(void)state;
	if (add_time(reader, "sys-time", match->captures[0].value, err) < 0)
		return -1;
	reader->unclosed = reader->line;
	return 0;
}

/* "h:mm:ss" or "m:ss.cc" */
static int take_elapsed(struct tool_reader *reader, void *state, const struct line_match *match,
			struct error *err)
{
	double seconds = 0;

	(void)state;
	for (size_t i = 0; i < match->count; i++)
		seconds = 60 * seconds + match->captures[i].value;
	if (add_time(reader, "time", seconds, err) < 0)
		return -1;
	reader->unclosed = reader->line;
	return 0;
}

static int take_memory(struct tool_reader *reader, void *state, const struct line_match *match,
		       struct error *err)
{
	const struct tool_series series = {"command", NULL, "max-rss", "KiB", BETTER_LOWER};

	(void)state;
	return tool_add(reader, &series, match->captures[0].value, err);
}

static const struct tool_rule rules[] = {
	{"real\t", "real %um%3s", take_real},
	{"user\t", "user %um%3s", take_user},
	{"sys\t", "sys %um%3s", take_sys},
	{"real ", "real %2", take_real},
	{"real ", "real %um%3s", take_real},
	{"user ", "user %2", take_user},
	{"user ", "user %um%3s", take_user},
	{"sys ", "sys %2", take_sys},
	{"sys ", "sys %um%3s", take_sys},
	{"Command being timed", "Command being timed: %s", take_command},
	{"User time (", "User time (seconds): %2", take_user_seconds},
	{"System time (", "System time (seconds): %2", take_system_seconds},
	{"Elapsed (", "Elapsed (wall clock) time (h:mm:ss or m:ss): %u:%2", take_elapsed},
	{"Elapsed (", "Elapsed (wall clock) time (h:mm:ss or m:ss): %u:%u:%u", take_elapsed},
	{"Maximum resident", "Maximum resident set size (kbytes): %u", take_memory},
	{0},
};

bool time_recognise(const char *text, size_t length)
{
	return tool_text_has(text, length, "real %um%3s") ||
	       (tool_text_has(text, length, "real %2") && tool_text_has(text, length, "sys %2")) ||
	       tool_text_holds(text, length, "Elapsed (wall clock) time");
}

int time_read(const struct import_input *input, struct run_set_list *sets, struct error *err)
{
	_cleanup_(tool_reader_release) struct tool_reader reader = {0};
	struct state state = {0};

	if (tool_reader_init(&reader, input, err) < 0 ||
	    tool_reader_run(&reader, rules, &state, err) < 0)
		return -1;
	return tool_reader_finish(&reader, sets, err);
}
