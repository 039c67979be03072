/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The output of Go's benchmarks, as golang.org/design/14313-benchmark-format describes it:
 * "BenchmarkName/key=value-8 iterations value unit value unit ...".
 */
#include <ctype.h>
#include <string.h>

#include "collector/import/tool.h"
#include "collector/import/unit.h"

/* "BenchmarkSort/size=4/kind=rev-8": the name, its parts as parameters, and the processors. */
static char *split_name(const char *text, struct strbuf *params)
{
	size_t length = strlen(text);
	size_t digits = 0;
	size_t end;
	char *name;

	while (digits < length && isdigit((unsigned char)text[length - digits - 1]))
		digits++;
	if (digits && digits + 1 < length && text[length - digits - 1] == '-')
		length -= digits + 1;
	else
		digits = 0;
	end = strcspn(text, "/") < length ? strcspn(text, "/") : length;
	name = xstrndup(text, end);
	for (const char *at = text + end; at < text + length; at += end) {
		at++;
		end = strcspn(at, "/");
		if (at + end > text + length)
			end = (size_t)(text + length - at);
		strbuf_printf(params, "%s%.*s", params->length ? "," : "", (int)end, at);
	}
	if (digits)
		tool_param(params, "procs", text + length + 1);
	return name;
}

/* What a unit says besides its own name: "ns/op" is the time, "MB/s" the rate. */
static int add_value(struct tool_reader *reader, const char *name, const char *params,
		     const char *unit, double value, struct error *err)
{
	struct tool_series series = {name, params, unit, unit, BETTER_LOWER};
	struct unit known;

	if (!unit_parse(unit, &known))
		return error_set(err, ERROR_DATA, "'%.40s' is not a unit", unit);
	if (known.known) {
		series.metric = known.metric;
		series.unit = known.name;
		series.better = known.better;
		value *= known.factor;
	}
	return tool_add(reader, &series, value, err);
}

static int take_values(struct tool_reader *reader, const char *name, const char *params, char *at,
		       struct error *err)
{
	while (*at) {
		double value;
		size_t length = line_number_scan(at, &value);
		char *unit = at + length + strspn(at + length, " \t");
		size_t end = strcspn(unit, " \t");

		if (!length || unit == at + length || !end)
			return error_set(err, ERROR_DATA, "a value and its unit were expected");
		at = unit + end + strspn(unit + end, " \t");
		unit[end] = '\0';
		if (add_value(reader, name, params, unit, value, err) < 0)
			return -1;
	}
	return 0;
}

static int take_row(struct tool_reader *reader, void *state, const struct line_match *match,
		    struct error *err)
{
	_cleanup_(strbuf_release) struct strbuf params = STRBUF_INIT;
	_cleanup_free_ char *text = line_capture_text(&match->captures[0]);
	_cleanup_free_ char *values = line_capture_text(&match->captures[2]);
	_cleanup_free_ char *name = split_name(text, &params);

	(void)state;
	return take_values(reader, name, strbuf_text(&params), values, err);
}

static const struct tool_rule rules[] = {
	{"Benchmark", "Benchmark%w %u %s", take_row},
	{"Benchmark", "Benchmark%w", NULL}, /* printed before it runs */
	{0},
};

bool go_benchfmt_recognise(const char *text, size_t length)
{
	return tool_text_has(text, length, "Benchmark%w %u %f %w%*");
}

int go_benchfmt_read(const struct import_input *input, struct run_set_list *sets, struct error *err)
{
	_cleanup_(tool_reader_release) struct tool_reader reader = {0};

	if (tool_reader_init(&reader, input, err) < 0 ||
	    tool_reader_run(&reader, rules, NULL, err) < 0)
		return -1;
	return tool_reader_finish(&reader, sets, err);
}
