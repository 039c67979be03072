/* SPDX-License-Identifier: GPL-3.0-or-later */
/* oslat's text: a column a core below "Core:", then the smallest, mean and largest latency. */
#include "collector/import/latency.h"

#define CORES_MAX 4096

struct state {
	ARRAY_OF(int) cores;
	ARRAY_OF(struct latency) latencies;
	size_t part; /* of min, avg, max: which is next */
};

static int read_cores(struct state *state, const char *at, struct error *err)
{
	double core;
	size_t length;

	for (; *at; at += length + strspn(at + length, " \t")) {
		length = line_number_scan(at, &core);
		if (!length || core < 0 || core > CORES_MAX || core != (int)core)
			return error_set(err, ERROR_DATA, "the cores cannot be read");
		*array_append(&state->cores) = (int)core;
		array_append(&state->latencies);
	}
	return 0;
}

static int take_cores(struct tool_reader *reader, void *data, const struct line_match *match,
		      struct error *err)
{
	struct state *state = data;
	_cleanup_free_ char *text = line_capture_text(&match->captures[0]);

	if (state->cores.count)
		return error_set(err, ERROR_DATA, "a second list of cores");
	reader->unclosed = reader->line;
	return read_cores(state, text + strspn(text, " \t"), err);
}

static int read_part(struct state *state, size_t part, const struct line_match *match,
		     struct error *err)
{
	_cleanup_free_ char *text = line_capture_text(&match->captures[0]);
	const char *at = text;

	if (state->part != part)
		return tool_out_of_place(err);
	state->part++;
	array_for_each (latency, &state->latencies) {
		double *slots[] = {&latency->min_us, &latency->avg_us, &latency->max_us};
		size_t length;

		at += strspn(at, " \t");
		length = line_number_scan(at, slots[part]);
		at += length;
		if (!length || (*at && *at != ' ' && *at != '\t'))
			return error_set(err, ERROR_DATA, "there is no latency for each core");
	}
	return at[strspn(at, " \t")] ? error_set(err, ERROR_DATA, "more latencies than cores") : 0;
}

static int take_min(struct tool_reader *reader, void *state, const struct line_match *match,
		    struct error *err)
{
	(void)reader;
	return read_part(state, 0, match, err);
}

static int take_avg(struct tool_reader *reader, void *state, const struct line_match *match,
		    struct error *err)
{
	(void)reader;
	return read_part(state, 1, match, err);
}

static int take_max(struct tool_reader *reader, void *data, const struct line_match *match,
		    struct error *err)
{
	struct state *state = data;

	if (read_part(state, 2, match, err) < 0)
		return -1;
	for (size_t i = 0; i < state->cores.count; i++) {
		char params[32];

		snprintf(params, sizeof(params), "thread=%zu", i);
		if (latency_add(reader, "oslat", params, &state->latencies.items[i], err) < 0)
			return -1;
	}
	return 0;
}

static const struct tool_rule rules[] = {
	{"Core:", "Core: %s", take_cores},
	{"Minimum:", "Minimum: %s (us)", take_min},
	{"Average:", "Average: %s (us)", take_avg},
	{"Maximum:", "Maximum: %s (us)", take_max},
	{0},
};

bool oslat_recognise(const char *text, size_t length)
{
	return tool_text_has(text, length, "oslat V %*");
}

int oslat_read(const struct import_input *input, struct run_set_list *sets, struct error *err)
{
	_cleanup_(tool_reader_release) struct tool_reader reader = {0};
	struct state state = {0};
	int result;

	if (tool_reader_init(&reader, input, err) < 0)
		return -1;
	result = tool_reader_run(&reader, rules, &state, err);
	array_release(&state.cores);
	array_release(&state.latencies);
	return result < 0 ? -1 : tool_reader_finish(&reader, sets, err);
}
