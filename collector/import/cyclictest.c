/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * cyclictest's text: a line a thread, rewritten while it runs, so that the last counts; or a
 * histogram with its summary, one column a thread.
 */
#include <string.h>

#include "collector/import/latency.h"

struct thread {
	char *params;
	struct latency latency;
};

struct state {
	ARRAY_OF(struct thread) threads;
	ARRAY_OF(double) columns; /* what the histogram's rows add up to */
	double parts[3][LINE_CAPTURES_MAX * 64];
	size_t part_counts[3]; /* columns of "# Min", "# Avg" and "# Max" */
	bool in_histogram;
};

static struct thread *find_thread(struct state *state, const char *params)
{
	struct thread *thread;

	array_for_each (known, &state->threads)
		if (!strcmp(known->params, params))
			return known;
	thread = array_append(&state->threads);
	thread->params = xstrdup(params);
	return thread;
}

static int take_thread(struct tool_reader *reader, void *data, const struct line_match *match,
		       struct error *err)
{
	_cleanup_(strbuf_release) struct strbuf params = STRBUF_INIT;
	const struct line_capture *captures = match->captures;

	(void)reader;
	(void)err;
	tool_param_capture(&params, "thread", &captures[0]);
	tool_param_capture(&params, "priority", &captures[2]);
	tool_param_capture(&params, "interval", &captures[3]);
	find_thread(data, strbuf_text(&params))->latency =
		(struct latency){captures[5].value, captures[7].value, captures[8].value};
	return 0;
}

static int take_histogram(struct tool_reader *reader, void *data, const struct line_match *match,
			  struct error *err)
{
	struct state *state = data;

	(void)match;
	(void)err;
	state->in_histogram = true;
	reader->unclosed = reader->line;
	return 0;
}

/* Reads numbers up to the end of the text; false when it holds anything else. */
static bool read_columns(const struct line_capture *capture, double *values, size_t max,
			 size_t *count)
{
	_cleanup_free_ char *text = line_capture_text(capture);
	const char *at = text + strspn(text, " \t");

	for (*count = 0; *at; ++*count) {
		size_t length = *count < max ? line_number_scan(at, &values[*count]) : 0;

		if (!length || (at[length] && !strchr(" \t", at[length])))
			return false;
		at += length + strspn(at + length, " \t");
	}
	return *count > 0;
}

static int take_row(struct tool_reader *reader, void *data, const struct line_match *match,
		    struct error *err)
{
	struct state *state = data;
	double values[ARRAY_SIZE(state->parts[0])];
	size_t count;

	(void)reader;
	if (!state->in_histogram)
		return 0;
	if (!read_columns(&match->captures[0], values, ARRAY_SIZE(values), &count) || count < 2)
		return error_set(err, ERROR_DATA, "this is no row of a histogram");
	for (size_t i = 1; i < count; i++) {
		while (state->columns.count < i)
			*array_append(&state->columns) = 0;
		state->columns.items[i - 1] += values[i];
	}
	return 0;
}

static int take_totals(struct tool_reader *reader, void *data, const struct line_match *match,
		       struct error *err)
{
	struct state *state = data;
	double totals[ARRAY_SIZE(state->parts[0])];
	size_t count;

	(void)reader;
	state->in_histogram = false;
	if (!read_columns(&match->captures[0], totals, ARRAY_SIZE(totals), &count))
		return error_set(err, ERROR_DATA, "the totals cannot be read");
	for (size_t i = 0; i < state->columns.count; i++)
		if (i >= count || totals[i] != state->columns.items[i])
			return error_set(err, ERROR_DATA,
					 "column %zu adds up to %g, not to its total", i + 1,
					 state->columns.items[i]);
	return 0;
}

static int take_summary(struct state *state, size_t part, const struct line_match *match,
			struct error *err)
{
	if (!read_columns(&match->captures[0], state->parts[part], ARRAY_SIZE(state->parts[0]),
			  &state->part_counts[part]))
		return error_set(err, ERROR_DATA, "the latencies cannot be read");
	return 0;
}

static int take_min(struct tool_reader *reader, void *state, const struct line_match *match,
		    struct error *err)
{
	(void)reader;
	return take_summary(state, 0, match, err);
}

static int take_avg(struct tool_reader *reader, void *state, const struct line_match *match,
		    struct error *err)
{
	(void)reader;
	return take_summary(state, 1, match, err);
}

static int take_max(struct tool_reader *reader, void *data, const struct line_match *match,
		    struct error *err)
{
	struct state *state = data;

	if (take_summary(state, 2, match, err) < 0)
		return -1;
	if (state->part_counts[0] != state->part_counts[2] ||
	    state->part_counts[1] != state->part_counts[2])
		return error_set(err, ERROR_DATA, "there are %zu, %zu and %zu latencies",
				 state->part_counts[0], state->part_counts[1],
				 state->part_counts[2]);
	for (size_t i = 0; i < state->part_counts[2]; i++) {
		char params[32];

		snprintf(params, sizeof(params), "thread=%zu", i);
		find_thread(state, params)->latency = (struct latency){
			state->parts[0][i], state->parts[1][i], state->parts[2][i]};
	}
	reader->unclosed = 0;
	return 0;
}

static const struct tool_rule rules[] = {
	{"T:", "T: %u (%u) P:%u I:%u C: %u Min: %u Act: %u Avg: %u Max: %u", take_thread},
	{"T:", "T: %u ( %u) P:%u I:%u C: %u Min: %u Act: %u Avg: %u Max: %u", take_thread},
	{"# Histogram Overflow", "%*", NULL},
	{"# Histogram", "# Histogram", take_histogram},
	{"# Total:", "# Total: %s", take_totals},
	{"# Min Lat", "# Min Latencies: %s", take_min},
	{"# Avg Lat", "# Avg Latencies: %s", take_avg},
	{"# Max Lat", "# Max Latencies: %s", take_max},
	{"0", "%s", take_row},
	{"1", "%s", take_row},
	{0},
};

bool cyclictest_recognise(const char *text, size_t length)
{
	return tool_text_has(text, length, "T: %u (%*) P:%*") ||
	       (tool_text_has(text, length, "# Histogram") &&
		tool_text_holds(text, length, "# Max Latencies:"));
}

static int add_threads(struct tool_reader *reader, const struct state *state, struct error *err)
{
	array_for_each (thread, &state->threads)
		if (latency_add(reader, "cyclictest", thread->params, &thread->latency, err) < 0)
			return tool_fail(reader, err);
	return 0;
}

int cyclictest_read(const struct import_input *input, struct run_set_list *sets, struct error *err)
{
	_cleanup_(tool_reader_release) struct tool_reader reader = {0};
	_cleanup_free_ struct state *state = xcalloc(1, sizeof(*state));
	size_t unclosed;
	int result;

	if (tool_reader_init(&reader, input, err) < 0)
		return -1;
	result = tool_reader_run(&reader, rules, state, err);
	unclosed = reader.unclosed;
	if (result == 0)
		result = add_threads(&reader, state, err);
	reader.unclosed = unclosed;
	array_for_each (thread, &state->threads)
		free(thread->params);
	array_release(&state->threads);
	array_release(&state->columns);
	return result < 0 ? -1 : tool_reader_finish(&reader, sets, err);
}
