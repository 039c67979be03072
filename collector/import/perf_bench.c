/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * perf bench in its default format. A section begins with "# Running 'sched/pipe' benchmark:" (or
 * "# Running sched/pipe benchmark..." under "all"); what it holds differs by benchmark.
 */
#include <string.h>

#include "collector/import/tool.h"

struct state {
	char *name; /* "perf.sched.pipe" */
	struct strbuf params;
	bool counts_ops;   /* the times of an operation follow the total */
	bool named;	   /* by a header, not after the call that was measured */
	double total_s;	   /* printed before what it is the total of */
	size_t total_line; /* 0: none is waiting */
};

static int add(struct tool_reader *reader, const struct state *state, const char *metric,
	       const char *unit, enum better better, double value, struct error *err)
{
	const struct tool_series series = {state->name, strbuf_text(&state->params), metric, unit,
					   better};

	if (!state->name)
		return tool_out_of_place(err);
	return tool_add(reader, &series, value, err);
}

/* The total time is the result where nothing else follows it, as in sched/messaging. */
static int flush_total(struct tool_reader *reader, struct state *state, bool is_result,
		       struct error *err)
{
	if (!state->total_line)
		return 0;
	state->total_line = 0;
	if (is_result && state->counts_ops)
		return error_set(err, ERROR_DATA, "a total time without the time of an operation");
	return add(reader, state, is_result ? "time" : "total-time", "s", BETTER_LOWER,
		   state->total_s, err);
}

static int begin(struct tool_reader *reader, struct state *state, char *name, struct error *err)
{
	int result = flush_total(reader, state, true, err);

	if (result == 0 && reader->unclosed)
		result = error_set(err, ERROR_DATA, "the benchmark before it has no result");
	free(state->name);
	state->name = name;
	state->counts_ops = false;
	strbuf_clear(&state->params);
	reader->unclosed = reader->line;
	return result;
}

static int take_section(struct tool_reader *reader, void *data, const struct line_match *match,
			struct error *err)
{
	struct state *state = data;
	char *name =
		xasprintf("perf.%.*s.%.*s", (int)match->captures[0].length, match->captures[0].text,
			  (int)match->captures[1].length, match->captures[1].text);

	state->named = true;
	return begin(reader, state, name, err);
}

/* "# Executed 10000 fork() calls": names the section when no header does. */
static int take_calls(struct tool_reader *reader, void *data, const struct line_match *match,
		      struct error *err)
{
	struct state *state = data;
	const struct line_capture *call = &match->captures[1];

	if (!state->named &&
	    begin(reader, state, xasprintf("perf.syscall.%.*s", (int)call->length, call->text),
		  err) < 0)
		return -1;
	state->counts_ops = true;
	tool_param_capture(&state->params, "loops", &match->captures[0]);
	return 0;
}

static int take_loops(struct tool_reader *reader, void *data, const struct line_match *match,
		      struct error *err)
{
	struct state *state = data;

	(void)reader;
	(void)err;
	state->counts_ops = true;
	tool_param_capture(&state->params, "loops", &match->captures[0]);
	return 0;
}

static int take_mode(struct tool_reader *reader, void *data, const struct line_match *match,
		     struct error *err)
{
	struct state *state = data;
	bool threads = memmem(match->captures[1].text, match->captures[1].length, "thread", 6);

	(void)reader;
	(void)err;
	tool_param(&state->params, "mode", threads ? "threads" : "process");
	return 0;
}

static int take_groups(struct tool_reader *reader, void *data, const struct line_match *match,
		       struct error *err)
{
	struct state *state = data;

	(void)reader;
	(void)err;
	tool_param_capture(&state->params, "groups", &match->captures[0]);
	return 0;
}

static int take_breakpoints(struct tool_reader *reader, void *data, const struct line_match *match,
			    struct error *err)
{
	static const char *const keys[] = {"threads", "breakpoints", "parallelism"};
	struct state *state = data;

	(void)reader;
	(void)err;
	state->counts_ops = true;
	for (size_t i = 0; i < match->count && i < ARRAY_SIZE(keys); i++)
		tool_param_capture(&state->params, keys[i], &match->captures[i]);
	return 0;
}

/* "Run summary [PID 1]: blocking on 8 threads (at [shared] futex ...": threads, and whose futex. */
static int take_summary(struct tool_reader *reader, void *data, const struct line_match *match,
			struct error *err)
{
	struct state *state = data;
	_cleanup_free_ char *text = line_capture_text(&match->captures[1]);
	size_t skip = strcspn(text, "0123456789");
	struct line_match count;

	(void)reader;
	if (!line_match("%u threads%*", text + skip, &count))
		return error_set(err, ERROR_DATA, "the number of threads cannot be read");
	tool_param_capture(&state->params, "threads", &count.captures[0]);
	if (strstr(text, "[shared]"))
		tool_param(&state->params, "futex", "shared");
	return 0;
}

static int take_total(struct tool_reader *reader, void *data, const struct line_match *match,
		      struct error *err)
{
	struct state *state = data;

	if (!state->name || state->total_line)
		return tool_out_of_place(err);
	state->total_s = match->captures[0].value;
	state->total_line = reader->line;
	return 0;
}

static int take_usecs(struct tool_reader *reader, void *data, const struct line_match *match,
		      struct error *err)
{
	struct state *state = data;

	if (flush_total(reader, state, false, err) < 0)
		return -1;
	return add(reader, state, "time", "us/op", BETTER_LOWER, match->captures[0].value, err);
}

static int take_usecs_cpu(struct tool_reader *reader, void *data, const struct line_match *match,
			  struct error *err)
{
	return add(reader, data, "time-per-cpu", "us/op/cpu", BETTER_LOWER,
		   match->captures[0].value, err);
}

static int take_ops(struct tool_reader *reader, void *data, const struct line_match *match,
		    struct error *err)
{
	return add(reader, data, "rate", "ops/s", BETTER_HIGHER, match->captures[0].value, err);
}

static int take_milliseconds(struct tool_reader *reader, void *data, const struct line_match *match,
			     struct error *err)
{
	return add(reader, data, "time", "ms", BETTER_LOWER,
		   match->captures[match->count - 2].value, err);
}

static int take_function(struct tool_reader *reader, void *data, const struct line_match *match,
			 struct error *err)
{
	struct state *state = data;

	(void)err;
	strbuf_clear(&state->params);
	tool_param_capture(&state->params, "function", &match->captures[0]);
	reader->unclosed = reader->line;
	return 0;
}

static int take_size(struct tool_reader *reader, void *data, const struct line_match *match,
		     struct error *err)
{
	struct state *state = data;
	char unit[3] = {match->captures[1].text[0], 'B', '\0'};
	_cleanup_free_ char *number = line_capture_text(&match->captures[0]);
	_cleanup_free_ char *size = NULL;

	(void)reader;
	(void)err;
	size = xasprintf("%s%s", number, unit[0] == 'B' ? "B" : unit);
	tool_param(&state->params, "size", size);
	return 0;
}

/* "GB/sec" and its like; the prefix is that of the size of the result. */
static int take_bandwidth(struct tool_reader *reader, void *data, const struct line_match *match,
			  struct error *err)
{
	static const char units[] = "KMGT";
	char unit = match->captures[1].text[0];
	const char *found = unit == 'B' ? "" : strchr(units, unit);
	double factor = 1;

	if (!found || match->captures[1].length > 2)
		return error_set(err, ERROR_DATA, "the unit of the bandwidth cannot be read");
	for (const char *at = units; unit != 'B' && at <= found; at++)
		factor *= 1024;
	factor /= 1024.0 * 1024 * 1024;
	return add(reader, data, "rate", "GB/s", BETTER_HIGHER, match->captures[0].value * factor,
		   err);
}

static int take_cycles(struct tool_reader *reader, void *data, const struct line_match *match,
		       struct error *err)
{
	return add(reader, data, "cycles", "cycles/byte", BETTER_LOWER, match->captures[0].value,
		   err);
}

/* One row of numa/mem: " main,   6.801, secs,   runtime-max/thread". */
static int take_numa(struct tool_reader *reader, void *data, const struct line_match *match,
		     struct error *err)
{
	_cleanup_free_ char *metric = line_capture_text(&match->captures[2]);
	const struct line_capture *unit = &match->captures[1];
	double value = match->captures[0].value;

	if (line_capture_is(unit, "secs"))
		return add(reader, data, metric, "s", BETTER_LOWER, value, err);
	if (line_capture_is(unit, "nsecs"))
		return add(reader, data, metric, "ns/byte", BETTER_LOWER, value, err);
	if (line_capture_is(unit, "%"))
		return add(reader, data, metric, "%", BETTER_LOWER, value, err);
	if (line_capture_is(unit, "GB/sec"))
		return add(reader, data, metric, "GB/s", BETTER_HIGHER, value, err);
	if (line_capture_is(unit, "GB"))
		return add(reader, data, metric, "GB", BETTER_HIGHER, value, err);
	return error_set(err, ERROR_DATA, "unknown unit '%.*s'", (int)unit->length, unit->text);
}

static const struct tool_rule rules[] = {
	{"# Running main", "# Running main, %*", NULL},
	{"# Running", "# Running '%s/%s' benchmark:", take_section},
	{"# Running", "# Running %s/%s benchmark...", take_section},
	{"# Executed", "# Executed %u %s() calls", take_calls},
	{"# Executed", "# Executed %u %* between two %*", take_loops},
	{"*sender and receiver", "# %u sender and receiver %s per group", take_mode},
	{"*groups ==", "# %u groups == %u %w run", take_groups},
	{"# Created/joined", "# Created/joined %u threads with %u breakpoints and %u parallelism",
	 take_breakpoints},
	{"Run summary", "Run summary [PID %u]: %s", take_summary},
	{"Total time:", "Total time: %3 [sec]", take_total},
	{"*usecs/op", "%6 usecs/op", take_usecs},
	{"*usecs/op", "%6 usecs/op/cpu", take_usecs_cpu},
	{"[thread", "%*", NULL},
	{"[Run", "%*", NULL},
	{"*ops/sec", "%u ops/sec", take_ops},
	{"*ops/sec", "%u ops/sec/cpu", NULL},
	{"Averaged", "Averaged %u operations/sec (+- %2%%), total secs = %u", take_ops},
	{"Wokeup", "Wokeup %u of %u threads in %4 ms (+-%2%%)", take_milliseconds},
	{"Requeued", "Requeued %u of %u threads in %4 ms (+-%2%%)", take_milliseconds},
	{"Avg per-thread", "Avg per-thread latency (waking %u/%u threads) in %4 ms (+-%2%%)",
	 take_milliseconds},
	{"# function", "# function '%s' (%*)", take_function},
	{"# Copying", "# Copying %u%w bytes ...", take_size},
	{"# Memory", "# Memory %* %u%w bytes ...", take_size},
	{"*B/sec", "%6 %w/sec", take_bandwidth},
	{"*bytes/sec", "%6 %w/sec", take_bandwidth},
	{"*cycles/byte", "%6 cycles/byte", take_cycles},
	{"main,", "main, %3, %w, %w", take_numa},
	{"Failed", "Failed %s", NULL},
	{0},
};

bool perf_bench_recognise(const char *text, size_t length)
{
	return tool_text_has(text, length, "# Running '%s/%s' benchmark:") ||
	       tool_text_has(text, length, "# Running %s/%s benchmark...") ||
	       tool_text_has(text, length, "# Executed %u %s() calls");
}

int perf_bench_read(const struct import_input *input, struct run_set_list *sets, struct error *err)
{
	_cleanup_(tool_reader_release) struct tool_reader reader = {0};
	struct state state = {0};
	int result;

	if (tool_reader_init(&reader, input, err) < 0)
		return -1;
	result = tool_reader_run(&reader, rules, &state, err);
	if (result == 0 && flush_total(&reader, &state, true, err) < 0)
		result = tool_fail(&reader, err);
	free(state.name);
	strbuf_release(&state.params);
	return result < 0 ? -1 : tool_reader_finish(&reader, sets, err);
}
