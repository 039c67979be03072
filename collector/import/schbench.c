/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * schbench: blocks of percentiles, printed every ten seconds and once more at the end. Of each run
 * the last block of a kind counts; "average rps" closes the run.
 */
#include <string.h>

#include "collector/import/tool.h"

#define PERCENTILES_MAX 8

enum kind {
	KIND_WAKEUP,
	KIND_REQUEST,
	KIND_RPS,
	KIND_COUNT,
};

struct percentile {
	char name[32]; /* "p99.9" */
	double value;
};

struct block {
	struct percentile percentiles[PERCENTILES_MAX];
	size_t count;
	double min, max;
	bool complete; /* its last line was read */
};

struct state {
	struct block blocks[KIND_COUNT];
	struct block *block; /* being read; NULL: none */
	struct strbuf params;
};

static int start_block(struct tool_reader *reader, struct state *state, enum kind kind,
		       struct error *err)
{
	if (state->block)
		return error_set(err, ERROR_DATA, "the block before it has no end");
	state->block = &state->blocks[kind];
	*state->block = (struct block){0};
	reader->unclosed = reader->line;
	return 0;
}

static int take_wakeup(struct tool_reader *reader, void *state, const struct line_match *match,
		       struct error *err)
{
	(void)match;
	return start_block(reader, state, KIND_WAKEUP, err);
}

static int take_request(struct tool_reader *reader, void *state, const struct line_match *match,
			struct error *err)
{
	(void)match;
	return start_block(reader, state, KIND_REQUEST, err);
}

static int take_rps(struct tool_reader *reader, void *state, const struct line_match *match,
		    struct error *err)
{
	(void)match;
	return start_block(reader, state, KIND_RPS, err);
}

static int take_percentile(struct tool_reader *reader, void *data, const struct line_match *match,
			   struct error *err)
{
	struct state *state = data;
	struct percentile *percentile;

	(void)reader;
	if (!state->block || state->block->count == PERCENTILES_MAX)
		return tool_out_of_place(err);
	percentile = &state->block->percentiles[state->block->count++];
	snprintf(percentile->name, sizeof(percentile->name), "p%g", match->captures[0].value);
	percentile->value = match->captures[1].value;
	return 0;
}

static int take_range(struct tool_reader *reader, void *data, const struct line_match *match,
		      struct error *err)
{
	struct state *state = data;

	(void)reader;
	if (!state->block)
		return tool_out_of_place(err);
	state->block->min = match->captures[0].value;
	state->block->max = match->captures[1].value;
	state->block->complete = true;
	state->block = NULL;
	return 0;
}

static int add(struct tool_reader *reader, const struct state *state, const char *benchmark,
	       const char *what, double value, struct error *err)
{
	_cleanup_free_ char *metric = xasprintf("latency-%s", what);
	const struct tool_series series = {benchmark, strbuf_text(&state->params), metric, "us",
					   BETTER_LOWER};

	return tool_add(reader, &series, value, err);
}

static int add_block(struct tool_reader *reader, const struct state *state, enum kind kind,
		     const char *benchmark, struct error *err)
{
	const struct block *block = &state->blocks[kind];

	if (!block->complete)
		return error_set(err, ERROR_DATA, "the run has no %s latencies", benchmark);
	for (size_t i = 0; i < block->count; i++)
		if (add(reader, state, benchmark, block->percentiles[i].name,
			block->percentiles[i].value, err) < 0)
			return -1;
	if (add(reader, state, benchmark, "min", block->min, err) < 0)
		return -1;
	return add(reader, state, benchmark, "max", block->max, err);
}

/* The end of a run. */
static int take_average(struct tool_reader *reader, void *data, const struct line_match *match,
			struct error *err)
{
	struct state *state = data;
	const struct tool_series rate = {"schbench", strbuf_text(&state->params), "rate", "req/s",
					 BETTER_HIGHER};

	if (state->block)
		return error_set(err, ERROR_DATA, "the block before it has no end");
	if (add_block(reader, state, KIND_WAKEUP, "schbench.wakeup", err) < 0 ||
	    add_block(reader, state, KIND_REQUEST, "schbench.request", err) < 0)
		return -1;
	memset(state->blocks, 0, sizeof(state->blocks));
	return tool_add(reader, &rate, match->captures[0].value, err);
}

static int take_instance(struct tool_reader *reader, void *state, const struct line_match *match,
			 struct error *err)
{
	(void)state;
	if (reader->unclosed)
		return error_set(err, ERROR_DATA, "the run before it has no end");
	free(reader->instance);
	reader->instance = line_capture_text(&match->captures[0]);
	return 0;
}

static int take_command(struct tool_reader *reader, void *data, const struct line_match *match,
			struct error *err)
{
	struct state *state = data;

	if (reader->unclosed)
		return error_set(err, ERROR_DATA, "the run before it has no end");
	strbuf_clear(&state->params);
	tool_param_capture(&state->params, "messengers", &match->captures[0]);
	tool_param_capture(&state->params, "threads", &match->captures[1]);
	reader->unclosed = reader->line;
	return 0;
}

static const struct tool_rule rules[] = {
	{"Instance:", "Instance: %u", take_instance},
	{"*schbench -", "%*schbench -m %u -t %u%*", take_command},
	{"*schbench -", "%*", NULL},
	{"Wakeup Lat", "Wakeup Latencies percentiles (usec) runtime %u (s) (%u total samples)",
	 take_wakeup},
	{"Request Lat", "Request Latencies percentiles (usec) runtime %u (s) (%u total samples)",
	 take_request},
	{"RPS ", "RPS percentiles (requests) runtime %u (s) (%u total samples)", take_rps},
	{"*th:", "* %fth: %u (%u samples)", take_percentile},
	{"*th:", "%fth: %u (%u samples)", take_percentile},
	{"min=", "min=%u, max=%u", take_range},
	{"average rps:", "average rps: %2", take_average},
	{0},
};

bool schbench_recognise(const char *text, size_t length)
{
	return tool_text_has(text, length, "Wakeup Latencies percentiles (usec) %*") ||
	       tool_text_has(text, length, "average rps: %2");
}

int schbench_read(const struct import_input *input, struct run_set_list *sets, struct error *err)
{
	_cleanup_(tool_reader_release) struct tool_reader reader = {0};
	struct state state = {0};
	bool single = !tool_text_has(input->text, input->length, "Instance: 2");
	int result;

	if (tool_reader_init(&reader, input, err) < 0)
		return -1;
	result = tool_reader_run(&reader, rules + single, &state, err);
	strbuf_release(&state.params);
	return result < 0 ? -1 : tool_reader_finish(&reader, sets, err);
}
