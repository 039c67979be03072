/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A regression mail of the kernel test robot: two commits, a row a statistic. Each commit becomes a
 * variant with one value, the mean that the mail prints; the number of runs behind it is not told.
 * The change that a row prints must agree with its values.
 */
#include <math.h>
#include <string.h>

#include "collector/import/lkp.h"
#include "collector/import/tool.h"
#include "common/number.h"

#define WORDS_MAX 12

struct state {
	struct string_list keys; /* of the parameters, from "compiler/.../testcase:" */
	char *testcase;
	struct strbuf params;
	char *variants[2];
	bool in_table;
};

static void clear(struct state *state)
{
	string_list_release(&state->keys);
	free(state->testcase);
	strbuf_release(&state->params);
	free(state->variants[0]);
	free(state->variants[1]);
	*state = (struct state){0};
}

/* A number as the mail prints it, and half a unit of its last digit. */
struct printed {
	double value, rounding;
};

static bool parse_printed(const char *word, struct printed *printed)
{
	_cleanup_(error_clear) struct error ignored = {0};
	const char *point = strchr(word, '.');
	const char *exponent = strchr(word, 'e');
	size_t decimals = point ? strspn(point + 1, "0123456789") : 0;
	double scale = 0;

	if (number_parse(word, &printed->value, &ignored) < 0 ||
	    (exponent && exponent[1] != '+' && exponent[1] != '-'))
		return false;
	if (exponent && number_parse(exponent + 1 + (exponent[1] == '+'), &scale, &ignored) < 0)
		return false;
	printed->rounding = 0.5 * pow(10, scale - (double)decimals);
	return true;
}

/* "+16.5%" is relative, "-0.1" is a difference. */
static bool change_agrees(const struct printed *old, const struct printed *new, const char *word)
{
	char text[64];
	size_t length = strlen(word);
	bool relative = length && word[length - 1] == '%';
	struct printed change;
	double expected, slack;

	if ((*word != '+' && *word != '-') || length >= sizeof(text))
		return false;
	snprintf(text, sizeof(text), "%.*s", (int)(length - relative - (*word == '+')),
		 word + (*word == '+'));
	if (!parse_printed(text, &change))
		return false;
	if (relative && old->value == 0)
		return true;
	expected = new->value - old->value;
	slack = new->rounding + old->rounding;
	if (relative) {
		expected *= 100 / old->value;
		slack *= 100 / fabs(old->value) * (1 + fabs(new->value / old->value));
	}
	return fabs(expected - change.value) <= 1.01 * (slack + change.rounding);
}

static bool is_spread(const char *word)
{
	return !strncmp(word, "\xc2\xb1", 2) ||
	       (*word >= '0' && *word <= '9' && word[strlen(word) - 1] == '%');
}

static int add_values(struct tool_reader *reader, const struct state *state, const char *name,
		      const double values[2], struct error *err)
{
	const char *metric = name + strlen(state->testcase) + 1;
	struct tool_series series = {state->testcase, strbuf_text(&state->params), metric, "", 0};

	if (!lkp_direction(name, &series.better))
		return 0;
	for (size_t i = 0; i < 2; i++) {
		replace_string(&reader->variant, state->variants[i]);
		if (tool_add(reader, &series, values[i], err) < 0)
			return -1;
	}
	return 0;
}

/* OLD [± n%] CHANGE NEW [± n%] NAME */
static int read_row(struct tool_reader *reader, const struct state *state,
		    const struct string_list *words, struct error *err)
{
	const char *kept[WORDS_MAX];
	struct printed old, new;
	size_t count = 0;

	for (size_t i = 0; i < words->count && count < WORDS_MAX; i++)
		if (!is_spread(words->items[i]))
			kept[count++] = words->items[i];
	if (count != 4 || !parse_printed(kept[0], &old) || !parse_printed(kept[2], &new))
		return error_set(err, ERROR_DATA, "the row of '%.80s' cannot be read",
				 words->items[words->count - 1]);
	if (!change_agrees(&old, &new, kept[1]))
		return error_set(err, ERROR_DATA, "from %g to %g is no change of %.20s", old.value,
				 new.value, kept[1]);
	return add_values(reader, state, kept[3], (const double[]){old.value, new.value}, err);
}

static bool is_of_testcase(const struct state *state, const char *name)
{
	size_t length = state->testcase ? strlen(state->testcase) : 0;

	return length && !strncmp(name, state->testcase, length) && name[length] == '.';
}

static int take_line(struct tool_reader *reader, void *data, const struct line_match *match,
		     struct error *err)
{
	struct state *state = data;
	_cleanup_(string_list_release) struct string_list words = {0};
	const struct tool_line *line = &reader->lines.items[reader->line - 1];

	(void)match;
	if (!state->in_table)
		return 0;
	string_list_split(&words, line->text, " \t");
	if (!line->complete)
		return error_set(err, ERROR_DATA, "the file ends within this line");
	if (words.count < 4 || !is_of_testcase(state, words.items[words.count - 1]))
		return 0;
	return read_row(reader, state, &words, err);
}

/* "compiler/cpufreq_governor/.../testcase:", the names of what the next line holds. */
static int take_keys(struct tool_reader *reader, void *data, const struct line_match *match,
		     struct error *err)
{
	struct state *state = data;
	_cleanup_free_ char *text = line_capture_text(&match->captures[0]);

	(void)reader;
	(void)err;
	clear(state);
	string_list_split(&state->keys, text, "/");
	string_list_add(&state->keys, "testcase");
	return 0;
}

static bool is_of_machine(const char *key)
{
	static const char *const keys[] = {"compiler", "kconfig", "rootfs", "tbox_group"};

	for (size_t i = 0; i < ARRAY_SIZE(keys); i++)
		if (!strcmp(key, keys[i]))
			return true;
	return false;
}

static int take_values(struct tool_reader *reader, void *data, const struct line_match *match,
		       struct error *err)
{
	struct state *state = data;
	_cleanup_(string_list_release) struct string_list values = {0};
	_cleanup_free_ char *text = line_capture_text(&match->captures[0]);

	(void)reader;
	if (!state->keys.count || state->testcase)
		return 0;
	string_list_split(&values, text, "/");
	if (values.count != state->keys.count)
		return error_set(err, ERROR_DATA, "%zu values for %zu parameters", values.count,
				 state->keys.count);
	for (size_t i = 0; i + 1 < values.count; i++)
		if (!is_of_machine(state->keys.items[i]))
			tool_param(&state->params, state->keys.items[i], values.items[i]);
	state->testcase = xstrdup(values.items[values.count - 1]);
	return 0;
}

static bool is_commit(const struct line_capture *capture)
{
	return capture->length >= 8 && capture->length <= 40 &&
	       strspn(capture->text, "0123456789abcdef") >= capture->length;
}

static int take_commits(struct tool_reader *reader, void *data, const struct line_match *match,
			struct error *err)
{
	struct state *state = data;

	(void)reader;
	(void)err;
	if (!state->testcase || !is_commit(&match->captures[0]) || !is_commit(&match->captures[1]))
		return take_line(reader, data, match, err);
	for (size_t i = 0; i < 2; i++) {
		free(state->variants[i]);
		state->variants[i] = xstrndup(match->captures[i].text, 10);
	}
	return 0;
}

static int take_table(struct tool_reader *reader, void *data, const struct line_match *match,
		      struct error *err)
{
	struct state *state = data;

	(void)reader;
	(void)match;
	if (!state->variants[0])
		return error_set(err, ERROR_DATA, "a table without its two commits");
	state->in_table = true;
	return 0;
}

static const struct tool_rule rules[] = {
	{"*/testcase:", "%s/testcase:", take_keys},
	{"%stddev", "%%stddev %%change %%stddev", take_table},
	{"", "", NULL},
	{"", "%w %w", take_commits},
	{"", "%w", take_values},
	{"", "%s", take_line},
	{0},
};

bool lkp_mail_recognise(const char *text, size_t length)
{
	return tool_text_has(text, length, "%%stddev %%change %%stddev") &&
	       tool_text_holds(text, length, "/testcase:");
}

int lkp_mail_read(const struct import_input *input, struct run_set_list *sets, struct error *err)
{
	_cleanup_(tool_reader_release) struct tool_reader reader = {0};
	struct state state = {0};
	int result;

	if (tool_reader_init(&reader, input, err) < 0)
		return -1;
	result = tool_reader_run(&reader, rules, &state, err);
	clear(&state);
	return result < 0 ? -1 : tool_reader_finish(&reader, sets, err);
}
