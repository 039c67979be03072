/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * dmesg lines of time_bench.ko. The cycles per element are printed cut to an integer; they are
 * computed anew from the totals in the line, and must agree with what is printed.
 */
#include <math.h>

#include "collector/import/tool.h"

enum column {
	TYPE,
	CYCLES,
	NANOSECONDS,
	STEP,
	PERIOD_S,
	INTERVAL_NS,
	COUNT,
	INTERVAL_TSC,
};

static int add(struct tool_reader *reader, const char *name, const char *params, const char *metric,
	       const char *unit, double value, struct error *err)
{
	const struct tool_series series = {name, params, metric, unit, BETTER_LOWER};

	return tool_add(reader, &series, value, err);
}

static int take_row(struct tool_reader *reader, void *state, const struct line_match *match,
		    struct error *err)
{
	const struct line_capture *captures = match->captures;
	_cleanup_(strbuf_release) struct strbuf params = STRBUF_INIT;
	_cleanup_free_ char *type = line_capture_text(&captures[TYPE]);
	_cleanup_free_ char *name = xasprintf("time_bench.%s", type);
	double count = captures[COUNT].value;
	double cycles = captures[INTERVAL_TSC].value / count;
	double ns = captures[INTERVAL_NS].value / count;

	(void)state;
	if (count < 1 || fabs(cycles - captures[CYCLES].value) > 1 ||
	    fabs(ns - captures[NANOSECONDS].value) > 0.002)
		return error_set(err, ERROR_DATA,
				 "the totals give %g cycles and %g ns, not %g and %g", cycles, ns,
				 captures[CYCLES].value, captures[NANOSECONDS].value);
	if (captures[STEP].value != 0)
		tool_param_capture(&params, "step", &captures[STEP]);
	if (add(reader, name, strbuf_text(&params), "cycles", "cycles/op", cycles, err) < 0)
		return -1;
	return add(reader, name, strbuf_text(&params), "time", "ns/op", ns, err);
}

static const struct tool_rule rules[] = {
	{"time_bench: Type",
	 "time_bench: Type:%s Per elem: %u cycles(tsc) %3 ns (step:%u) - (measurement period "
	 "time:%9 sec time_interval:%u) - (invoke count:%u tsc_interval:%u)",
	 take_row},
	{0},
};

bool time_bench_recognise(const char *text, size_t length)
{
	return tool_text_holds(text, length, "time_bench: Type:");
}

int time_bench_read(const struct import_input *input, struct run_set_list *sets, struct error *err)
{
	_cleanup_(tool_reader_release) struct tool_reader reader = {0};

	if (tool_reader_init(&reader, input, err) < 0)
		return -1;
	reader.strip = kernel_log_text;
	if (tool_reader_run(&reader, rules, NULL, err) < 0)
		return -1;
	return tool_reader_finish(&reader, sets, err);
}
