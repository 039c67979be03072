/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * LKP's log of kernel builds: "start time:" and "end time:" in seconds since 1970 around each
 * build, between them what bash's time says, and "iterations:" at the end.
 */
#include <math.h>
#include <string.h>

#include "collector/import/tool.h"

struct instant {
	double seconds, fraction; /* apart, so that nanoseconds keep their digits */
};

struct state {
	struct instant start;
	double builds;
};

static struct instant instant_of(const struct line_match *match)
{
	const struct line_capture *capture = &match->captures[0];
	const char *point = memchr(capture->text, '.', capture->length);
	struct instant instant = {trunc(capture->value), 0};

	if (point)
		line_number_scan(point + 1, &instant.fraction);
	instant.fraction *= 1e-9;
	return instant;
}

static int add_time(struct tool_reader *reader, const char *metric, double seconds,
		    struct error *err)
{
	const struct tool_series series = {"kbuild", NULL, metric, "s", BETTER_LOWER};
	size_t unclosed = reader->unclosed;

	if (tool_add(reader, &series, seconds, err) < 0)
		return -1;
	reader->unclosed = unclosed;
	return 0;
}

static int take_start(struct tool_reader *reader, void *data, const struct line_match *match,
		      struct error *err)
{
	struct state *state = data;

	if (reader->unclosed)
		return error_set(err, ERROR_DATA, "the build before it has no end");
	state->start = instant_of(match);
	reader->unclosed = reader->line;
	return 0;
}

static int take_end(struct tool_reader *reader, void *data, const struct line_match *match,
		    struct error *err)
{
	struct state *state = data;
	struct instant end = instant_of(match);

	if (!reader->unclosed)
		return tool_out_of_place(err);
	reader->unclosed = 0;
	state->builds++;
	return add_time(reader, "time",
			end.seconds - state->start.seconds + (end.fraction - state->start.fraction),
			err);
}

static int take_real(struct tool_reader *reader, void *state, const struct line_match *match,
		     struct error *err)
{
	(void)state;
	return add_time(reader, "real-time", match->captures[0].value, err);
}

static int take_user(struct tool_reader *reader, void *state, const struct line_match *match,
		     struct error *err)
{
	(void)state;
	return add_time(reader, "user-time", match->captures[0].value, err);
}

static int take_sys(struct tool_reader *reader, void *state, const struct line_match *match,
		    struct error *err)
{
	(void)state;
	return add_time(reader, "sys-time", match->captures[0].value, err);
}

static int take_iterations(struct tool_reader *reader, void *data, const struct line_match *match,
			   struct error *err)
{
	const struct state *state = data;

	(void)reader;
	if (match->captures[0].value == state->builds)
		return 0;
	return error_set(err, ERROR_DATA, "%.0f iterations, but times of %.0f builds",
			 match->captures[0].value, state->builds);
}

static const struct tool_rule rules[] = {
	{"start time:", "start time: %9", take_start},
	{"end time:", "end time: %9", take_end},
	{"real:", "real: %3s", take_real},
	{"user:", "user: %3s", take_user},
	{"sys:", "sys: %3s", take_sys},
	{"iterations:", "iterations: %u", take_iterations},
	{0},
};

bool kbuild_recognise(const char *text, size_t length)
{
	return tool_text_has(text, length, "start time: %9");
}

int kbuild_read(const struct import_input *input, struct run_set_list *sets, struct error *err)
{
	_cleanup_(tool_reader_release) struct tool_reader reader = {0};
	struct state state = {0};

	if (tool_reader_init(&reader, input, err) < 0 ||
	    tool_reader_run(&reader, rules, &state, err) < 0)
		return -1;
	return tool_reader_finish(&reader, sets, err);
}
