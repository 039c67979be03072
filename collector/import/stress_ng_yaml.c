/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * stress-ng --yaml. The tool writes one plain shape of it: "- stressor: NAME" and below it lines
 * "KEY: VALUE", so that lines are read and no YAML.
 */
#include <string.h>

#include "collector/import/stress_ng.h"

struct state {
	char *stressor;
	double cpu_rate;
	bool has_cpu_rate;
	bool in_metrics;
};

static int take_metrics(struct tool_reader *reader, void *data, const struct line_match *match,
			struct error *err)
{
	struct state *state = data;

	(void)match;
	(void)err;
	state->in_metrics = true;
	reader->unclosed = reader->line;
	return 0;
}

/* Other sections ("times:") hold the same keys for the whole run. */
static int take_section(struct tool_reader *reader, void *data, const struct line_match *match,
			struct error *err)
{
	struct state *state = data;

	(void)reader;
	(void)match;
	(void)err;
	state->in_metrics = false;
	return 0;
}

static int take_stressor(struct tool_reader *reader, void *data, const struct line_match *match,
			 struct error *err)
{
	struct state *state = data;

	if (state->stressor && reader->unclosed)
		return error_set(err, ERROR_DATA, "'%s' before it has no rate", state->stressor);
	free(state->stressor);
	state->stressor = line_capture_text(&match->captures[0]);
	state->has_cpu_rate = false;
	reader->unclosed = reader->line;
	return 0;
}

static int take_cpu_rate(struct tool_reader *reader, void *data, const struct line_match *match,
			 struct error *err)
{
	struct state *state = data;

	(void)reader;
	(void)err;
	state->cpu_rate = match->captures[0].value;
	state->has_cpu_rate = true;
	return 0;
}

static int take_rate(struct tool_reader *reader, void *data, const struct line_match *match,
		     struct error *err)
{
	struct state *state = data;

	if (!state->stressor || !state->has_cpu_rate)
		return tool_out_of_place(err);
	return stress_ng_add_rates(reader, state->stressor, match->captures[0].value,
				   state->cpu_rate, err);
}

static int take_other(struct tool_reader *reader, void *data, const struct line_match *match,
		      struct error *err)
{
	struct state *state = data;
	_cleanup_free_ char *what = line_capture_text(&match->captures[0]);

	if (!state->in_metrics)
		return 0;
	if (!state->stressor)
		return tool_out_of_place(err);
	return stress_ng_add_other(reader, state->stressor, what, match->captures[1].value, err);
}

static const struct tool_rule rules[] = {
	{"metrics:", "metrics:", take_metrics},
	{"times:", "times:", take_section},
	{"- stressor:", "- stressor: %w", take_stressor},
	{"bogo-ops-per-second-usr-sys-time:", "bogo-ops-per-second-usr-sys-time: %6",
	 take_cpu_rate},
	{"bogo-ops-per-second-real-time:", "bogo-ops-per-second-real-time: %6", take_rate},
	{"*-per-", "%w: %6", take_other},
	{"*-per-", "%w: %u", take_other},
	{0},
};

bool stress_ng_yaml_recognise(const char *text, size_t length)
{
	return tool_text_has(text, length, "- stressor: %w") ||
	       tool_text_has(text, length, "stress-ng-version: %w");
}

int stress_ng_yaml_read(const struct import_input *input, struct run_set_list *sets,
			struct error *err)
{
	_cleanup_(tool_reader_release) struct tool_reader reader = {0};
	struct state state = {0};
	int result;

	if (tool_reader_init(&reader, input, err) < 0)
		return -1;
	result = tool_reader_run(&reader, rules, &state, err);
	free(state.stressor);
	return result < 0 ? -1 : tool_reader_finish(&reader, sets, err);
}
