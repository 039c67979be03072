/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * KTAP, as kernel selftests and KUnit print it. A result is 1 where a test passed and 0 where it
 * did not, in the metric "pass"; one that was skipped has none. A directive "# time=0.12s" gives
 * a time.
 */
#include <string.h>

#include "collector/import/tool.h"

struct state {
	char *parent;	 /* "timers.posix_timers" of "# selftests: timers: posix_timers" */
	double planned;	 /* results that "1..N" of the outermost level announces; 0: unknown */
	double finished; /* of the outermost level */
	size_t planned_line;
	size_t plans; /* with more than one, which results each counts is not known */
};

/* "selftests: timers: posix_timers" becomes "timers.posix_timers". */
static char *test_name(const char *text)
{
	static const char prefix[] = "selftests: ";
	struct strbuf name = STRBUF_INIT;

	if (strncmp(text, prefix, strlen(prefix)) != 0)
		return xstrdup(text);
	text += strlen(prefix);
	for (; *text; text++) {
		if (text[0] == ':' && text[1] == ' ') {
			strbuf_append_char(&name, '.');
			text++;
		} else {
			strbuf_append_char(&name, *text);
		}
	}
	return strbuf_take(&name);
}

static int take_selftest(struct tool_reader *reader, void *data, const struct line_match *match,
			 struct error *err)
{
	struct state *state = data;
	_cleanup_free_ char *text = line_capture_text(&match->captures[0]);

	(void)err;
	free(state->parent);
	state->parent = test_name(text);
	reader->unclosed = reader->line;
	return 0;
}

/* Cuts a directive off: " # SKIP reason", " # time=0.12s". */
static char *cut_directive(char *text)
{
	char *mark = strstr(text, " # ");

	if (!mark)
		return NULL;
	*mark = '\0';
	return mark + 3;
}

static int add_time(struct tool_reader *reader, const char *name, const char *directive,
		    struct error *err)
{
	const char *time = directive ? strstr(directive, "time=") : NULL;
	const struct tool_series series = {name, NULL, "time", "s", BETTER_LOWER};
	double value;
	size_t length;

	if (!time)
		return 0;
	length = line_number_scan(time + 5, &value);
	if (length && !strncmp(time + 5 + length, "ms", 2))
		return tool_add(reader, &series, value / 1000, err);
	if (length && time[5 + length] == 's')
		return tool_add(reader, &series, value, err);
	return error_set(err, ERROR_DATA, "the time of '%.80s' cannot be read", name);
}

static int add_result(struct tool_reader *reader, const char *parent, char *text, bool passed,
		      struct error *err)
{
	char *directive = cut_directive(text);
	_cleanup_free_ char *name = test_name(text + (text[0] == '-' && text[1] == ' ' ? 2 : 0));
	_cleanup_free_ char *benchmark =
		parent ? xasprintf("ktap.%s.%s", parent, name) : xasprintf("ktap.%s", name);
	const struct tool_series pass = {benchmark, NULL, "pass", "", BETTER_HIGHER};
	size_t unclosed = reader->unclosed;

	if (directive && !strncasecmp(directive, "SKIP", 4))
		return 0;
	if (tool_add(reader, &pass, passed, err) < 0 ||
	    add_time(reader, benchmark, directive, err) < 0)
		return -1;
	reader->unclosed = parent ? unclosed : 0;
	return 0;
}

static int take_result(struct tool_reader *reader, struct state *state,
		       const struct line_match *match, bool passed, struct error *err)
{
	_cleanup_free_ char *text = line_capture_text(&match->captures[1]);

	state->finished++;
	if (state->plans == 1 && match->captures[0].value > state->planned)
		return error_set(err, ERROR_DATA, "result %.0f of %.0f", match->captures[0].value,
				 state->planned);
	if (add_result(reader, NULL, text, passed, err) < 0)
		return -1;
	free(state->parent);
	state->parent = NULL;
	reader->unclosed = 0;
	return 0;
}

static int take_ok(struct tool_reader *reader, void *state, const struct line_match *match,
		   struct error *err)
{
	return take_result(reader, state, match, true, err);
}

static int take_not_ok(struct tool_reader *reader, void *state, const struct line_match *match,
		       struct error *err)
{
	return take_result(reader, state, match, false, err);
}

static int take_nested(struct tool_reader *reader, void *data, const struct line_match *match,
		       bool passed, struct error *err)
{
	struct state *state = data;
	_cleanup_free_ char *text = line_capture_text(&match->captures[1]);

	return add_result(reader, state->parent ? state->parent : "nested", text, passed, err);
}

static int take_nested_ok(struct tool_reader *reader, void *state, const struct line_match *match,
			  struct error *err)
{
	return take_nested(reader, state, match, true, err);
}

static int take_nested_not_ok(struct tool_reader *reader, void *state,
			      const struct line_match *match, struct error *err)
{
	return take_nested(reader, state, match, false, err);
}

static int take_plan(struct tool_reader *reader, void *data, const struct line_match *match,
		     struct error *err)
{
	struct state *state = data;

	(void)err;
	state->planned = match->captures[0].value;
	state->planned_line = reader->line;
	state->plans++;
	return 0;
}

static const struct tool_rule rules[] = {
	{"# selftests:", "# %s", take_selftest},
	{"1..", "1..%u", take_plan},
	{"ok ", "ok %u %s", take_ok},
	{"not ok ", "not ok %u %s", take_not_ok},
	{"# ok ", "# ok %u %s", take_nested_ok},
	{"# not ok ", "# not ok %u %s", take_nested_not_ok},
	{0},
};

bool ktap_recognise(const char *text, size_t length)
{
	return tool_text_has(text, length, "TAP version %u") ||
	       tool_text_has(text, length, "KTAP version %u") ||
	       tool_text_has(text, length, "%*ok %u selftests: %*");
}

static int check_plan(struct tool_reader *reader, const struct state *state, struct error *err)
{
	if (state->plans != 1 || state->finished == state->planned)
		return 0;
	reader->line = reader->lines.count;
	error_set(err, ERROR_DATA, "%.0f results, but line %zu announces %.0f", state->finished,
		  state->planned_line, state->planned);
	return tool_fail(reader, err);
}

int ktap_read(const struct import_input *input, struct run_set_list *sets, struct error *err)
{
	_cleanup_(tool_reader_release) struct tool_reader reader = {0};
	struct state state = {0};
	int result;

	if (tool_reader_init(&reader, input, err) < 0)
		return -1;
	reader.strip = kernel_log_text;
	result = tool_reader_run(&reader, rules, &state, err);
	if (result == 0)
		result = check_plan(&reader, &state, err);
	free(state.parent);
	return result < 0 ? -1 : tool_reader_finish(&reader, sets, err);
}
