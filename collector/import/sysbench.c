/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * sysbench. The output does not name the test: cpu, memory, fileio and the database tests show by
 * what they print, "threads" and "mutex" do not and are plain "sysbench". These two print no rate;
 * events over total time is the rate then.
 */
#include <string.h>

#include "collector/import/tool.h"

struct state {
	const char *name;
	struct strbuf params;
	bool has_rate;
	bool in_latency;
	double total_s;
};

static int add(struct tool_reader *reader, const struct state *state, const char *metric,
	       const char *unit, enum better better, double value, struct error *err)
{
	const struct tool_series series = {state->name, strbuf_text(&state->params), metric, unit,
					   better};
	size_t unclosed = reader->unclosed;
	int result;

	if (!unclosed)
		return tool_out_of_place(err);
	result = tool_add(reader, &series, value, err);
	reader->unclosed = unclosed;
	return result;
}

static int take_start(struct tool_reader *reader, void *data, const struct line_match *match,
		      struct error *err)
{
	struct state *state = data;

	(void)match;
	if (reader->unclosed)
		return error_set(err, ERROR_DATA, "the run before it has no end");
	state->name = "sysbench";
	state->has_rate = false;
	strbuf_clear(&state->params);
	reader->unclosed = reader->line;
	return 0;
}

static int take_threads(struct tool_reader *reader, void *data, const struct line_match *match,
			struct error *err)
{
	struct state *state = data;

	(void)reader;
	(void)err;
	tool_param_capture(&state->params, "threads", &match->captures[0]);
	return 0;
}

static int take_cpu(struct tool_reader *reader, void *data, const struct line_match *match,
		    struct error *err)
{
	struct state *state = data;

	(void)reader;
	(void)err;
	state->name = "sysbench.cpu";
	tool_param_capture(&state->params, "primes", &match->captures[0]);
	return 0;
}

static int take_memory(struct tool_reader *reader, void *data, const struct line_match *match,
		       struct error *err)
{
	struct state *state = data;

	(void)reader;
	(void)match;
	(void)err;
	state->name = "sysbench.memory";
	return 0;
}

static int take_block_size(struct tool_reader *reader, void *data, const struct line_match *match,
			   struct error *err)
{
	struct state *state = data;

	(void)reader;
	(void)err;
	tool_param_capture(&state->params, "block", &match->captures[0]);
	return 0;
}

static int take_operation(struct tool_reader *reader, void *data, const struct line_match *match,
			  struct error *err)
{
	struct state *state = data;

	(void)reader;
	(void)err;
	tool_param_capture(&state->params, "operation", &match->captures[0]);
	return 0;
}

static int take_fileio(struct tool_reader *reader, void *data, const struct line_match *match,
		       struct error *err)
{
	struct state *state = data;

	(void)reader;
	(void)match;
	(void)err;
	state->name = "sysbench.fileio";
	state->has_rate = true;
	return 0;
}

static int take_database(struct tool_reader *reader, void *data, const struct line_match *match,
			 struct error *err)
{
	struct state *state = data;

	(void)reader;
	(void)match;
	(void)err;
	state->name = "sysbench.oltp";
	return 0;
}

static int take_rate(struct tool_reader *reader, void *data, const struct line_match *match,
		     struct error *err)
{
	struct state *state = data;

	state->has_rate = true;
	return add(reader, state, "rate", "1/s", BETTER_HIGHER,
		   match->captures[match->count - 1].value, err);
}

static int take_reads(struct tool_reader *reader, void *data, const struct line_match *match,
		      struct error *err)
{
	return add(reader, data, "reads", "1/s", BETTER_HIGHER, match->captures[0].value, err);
}

static int take_writes(struct tool_reader *reader, void *data, const struct line_match *match,
		       struct error *err)
{
	return add(reader, data, "writes", "1/s", BETTER_HIGHER, match->captures[0].value, err);
}

static int take_bandwidth(struct tool_reader *reader, void *data, const struct line_match *match,
			  struct error *err)
{
	return add(reader, data, "bandwidth", "MiB/s", BETTER_HIGHER, match->captures[1].value,
		   err);
}

static int take_total(struct tool_reader *reader, void *data, const struct line_match *match,
		      struct error *err)
{
	struct state *state = data;

	state->total_s = match->captures[0].value;
	return add(reader, state, "time", "s", BETTER_LOWER, state->total_s, err);
}

static int take_events(struct tool_reader *reader, void *data, const struct line_match *match,
		       struct error *err)
{
	struct state *state = data;

	if (state->has_rate || state->total_s <= 0)
		return 0;
	return add(reader, state, "rate", "1/s", BETTER_HIGHER,
		   match->captures[0].value / state->total_s, err);
}

static int take_latency(struct tool_reader *reader, void *data, const struct line_match *match,
			struct error *err)
{
	struct state *state = data;

	(void)reader;
	(void)match;
	(void)err;
	state->in_latency = true;
	return 0;
}

static int add_latency(struct tool_reader *reader, struct state *state, const char *metric,
		       const struct line_match *match, struct error *err)
{
	if (!state->in_latency)
		return tool_out_of_place(err);
	return add(reader, state, metric, "ms", BETTER_LOWER,
		   match->captures[match->count - 1].value, err);
}

static int take_min(struct tool_reader *reader, void *data, const struct line_match *match,
		    struct error *err)
{
	return add_latency(reader, data, "latency-min", match, err);
}

static int take_avg(struct tool_reader *reader, void *data, const struct line_match *match,
		    struct error *err)
{
	return add_latency(reader, data, "latency-avg", match, err);
}

static int take_max(struct tool_reader *reader, void *data, const struct line_match *match,
		    struct error *err)
{
	return add_latency(reader, data, "latency-max", match, err);
}

static int take_percentile(struct tool_reader *reader, void *data, const struct line_match *match,
			   struct error *err)
{
	char metric[32];

	snprintf(metric, sizeof(metric), "latency-p%.0f", match->captures[0].value);
	return add_latency(reader, data, metric, match, err);
}

/* The last of the block, so that what was cut before it is noticed. */
static int take_sum(struct tool_reader *reader, void *data, const struct line_match *match,
		    struct error *err)
{
	struct state *state = data;

	(void)match;
	(void)err;
	state->in_latency = false;
	reader->unclosed = 0;
	return 0;
}

static const struct tool_rule rules[] = {
	{"sysbench ", "sysbench %w (%*)", take_start},
	{"sysbench ", "sysbench %*", NULL},
	{"Number of threads:", "Number of threads: %u", take_threads},
	{"Prime numbers limit:", "Prime numbers limit: %u", take_cpu},
	{"Running memory speed", "%*", take_memory},
	{"block size:", "block size: %w", take_block_size},
	{"operation:", "operation: %w", take_operation},
	{"File operations:", "%*", take_fileio},
	{"SQL statistics:", "%*", take_database},
	{"events per second:", "events per second: %2", take_rate},
	{"Total operations:", "Total operations: %u (%2 per second)", take_rate},
	{"transactions:", "transactions: %u (%2 per sec.)", take_rate},
	{"reads/s:", "reads/s: %2", take_reads},
	{"writes/s:", "writes/s: %2", take_writes},
	{"*transferred (", "%2 MiB transferred (%2 MiB/sec)", take_bandwidth},
	{"total time:", "total time: %4s", take_total},
	{"total number of events:", "total number of events: %u", take_events},
	{"Latency (ms)", "Latency (ms):", take_latency},
	{"min:", "min: %2", take_min},
	{"avg:", "avg: %2", take_avg},
	{"max:", "max: %2", take_max},
	{"*percentile:", "%uth percentile: %2", take_percentile},
	{"sum:", "sum: %2", take_sum},
	{0},
};

bool sysbench_recognise(const char *text, size_t length)
{
	return tool_text_has(text, length, "sysbench %f.%u (%*)") ||
	       tool_text_has(text, length, "sysbench %w (using %*)");
}

int sysbench_read(const struct import_input *input, struct run_set_list *sets, struct error *err)
{
	_cleanup_(tool_reader_release) struct tool_reader reader = {0};
	struct state state = {0};
	int result;

	if (tool_reader_init(&reader, input, err) < 0)
		return -1;
	result = tool_reader_run(&reader, rules, &state, err);
	strbuf_release(&state.params);
	return result < 0 ? -1 : tool_reader_finish(&reader, sets, err);
}
