/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * fio's normal output. It is rounded: "IOPS=29.3k", "BW=115MiB/s (120MB/s)". What fio writes as
 * JSON has all digits.
 */
#include <string.h>

#include "collector/import/tool.h"

struct state {
	struct strbuf params;
	char *benchmark; /* "fio.read" */
};

static int take_job(struct tool_reader *reader, void *data, const struct line_match *match,
		    struct error *err)
{
	struct state *state = data;

	if (match->captures[1].value != 0 && reader->unclosed)
		return error_set(err, ERROR_DATA, "the job before it has no result");
	if (match->captures[3].value != 0)
		return error_set(err, ERROR_DATA, "the job failed with error %.0f",
				 match->captures[3].value);
	strbuf_clear(&state->params);
	tool_param_capture(&state->params, "job", &match->captures[0]);
	tool_param_capture(&state->params, "numjobs", &match->captures[2]);
	reader->unclosed = reader->line;
	return 0;
}

static int add(struct tool_reader *reader, const struct state *state, const char *metric,
	       const char *unit, enum better better, double value, struct error *err)
{
	const struct tool_series series = {state->benchmark, strbuf_text(&state->params), metric,
					   unit, better};

	if (!state->benchmark)
		return tool_out_of_place(err);
	return tool_add(reader, &series, value, err);
}

/* "29.3k", "1024", "12.1M" of operations. */
static bool parse_count(const struct line_capture *capture, double *value)
{
	_cleanup_free_ char *text = line_capture_text(capture);
	size_t length = line_number_scan(text, value);

	if (text[length] == 'k')
		*value *= 1e3;
	else if (text[length] == 'M')
		*value *= 1e6;
	else
		return length && !text[length];
	return length && !text[length + 1];
}

/* "115MiB" in bytes. */
static bool parse_bytes(const struct line_capture *capture, double *value)
{
	static const struct {
		const char *unit;
		double factor;
	} units[] = {{"B", 1}, {"KiB", 1024}, {"MiB", 1048576}, {"GiB", 1073741824}};
	_cleanup_free_ char *text = line_capture_text(capture);
	size_t length = line_number_scan(text, value);

	for (size_t i = 0; length && i < ARRAY_SIZE(units); i++)
		if (!strcmp(text + length, units[i].unit)) {
			*value *= units[i].factor;
			return true;
		}
	return false;
}

static int take_rates(struct tool_reader *reader, void *data, const struct line_match *match,
		      struct error *err)
{
	struct state *state = data;
	double iops, bandwidth;

	if (!parse_count(&match->captures[1], &iops) ||
	    !parse_bytes(&match->captures[2], &bandwidth))
		return error_set(err, ERROR_DATA, "the rates cannot be read");
	free(state->benchmark);
	state->benchmark =
		xasprintf("fio.%.*s", (int)match->captures[0].length, match->captures[0].text);
	if (add(reader, state, "bandwidth", "B/s", BETTER_HIGHER, bandwidth, err) < 0)
		return -1;
	return add(reader, state, "rate", "IO/s", BETTER_HIGHER, iops, err);
}

static int take_latency(struct tool_reader *reader, void *data, const struct line_match *match,
			struct error *err)
{
	const struct line_capture *unit = &match->captures[0];
	_cleanup_free_ char *text = line_capture_text(&match->captures[1]);
	double factor = line_capture_is(unit, "nsec")	? 1
			: line_capture_is(unit, "usec") ? 1e3
							: 1e6;
	double value;

	if (!line_number_scan(text, &value) || (factor == 1e6 && !line_capture_is(unit, "msec")))
		return error_set(err, ERROR_DATA, "the latency cannot be read");
	return add(reader, data, "latency-avg", "ns", BETTER_LOWER, value * factor, err);
}

static const struct tool_rule rules[] = {
	{"*groupid=", "%s: (groupid=%u, jobs=%u): err=%u: %*", take_job},
	{"*groupid=", "%s: (groupid=%u, jobs=%u): err= %u: %*", take_job},
	{"*IOPS=", "%w: IOPS=%w, BW=%w/s (%*)%*", take_rates},
	{"clat (", "clat (%w): min=%*, max=%*, avg=%f, stdev=%*", take_latency},
	{0},
};

bool fio_recognise(const char *text, size_t length)
{
	return tool_text_has(text, length, "%s: (groupid=%u, jobs=%u): err=%*") ||
	       tool_text_has(text, length, "%w: IOPS=%w BW=%w (%*)%*");
}

int fio_read(const struct import_input *input, struct run_set_list *sets, struct error *err)
{
	_cleanup_(tool_reader_release) struct tool_reader reader = {0};
	struct state state = {0};
	int result;

	if (tool_reader_init(&reader, input, err) < 0)
		return -1;
	result = tool_reader_run(&reader, rules, &state, err);
	free(state.benchmark);
	strbuf_release(&state.params);
	return result < 0 ? -1 : tool_reader_finish(&reader, sets, err);
}
