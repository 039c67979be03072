/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * lmbench: sentences such as "Pipe latency: 122.3345 microseconds", and blocks of two columns below
 * a title that begins with a quote. Two columns without a title mean nothing unless a command line
 * before them is that of bw_mem.
 */
#include <string.h>

#include "collector/import/tool.h"

/* What the columns below a title are. */
struct block {
	const char *title; /* its front, without the quote */
	const char *benchmark;
	const char *key; /* of the first column */
	const char *unit;
	const char *metric;
	enum better better;
};

static const struct block blocks[] = {
	{"mappings", "lmbench.mmap", "size", "us", "time", BETTER_LOWER},
	{"size=", "lmbench.context_switch", "processes", "us", "time", BETTER_LOWER},
	{"stride=", "lmbench.memory_read", "size", "ns", "time", BETTER_LOWER},
	{"Mmap read bandwidth", "lmbench.mmap_read", "size", "MB/s", "rate", BETTER_HIGHER},
	{"Mmap read open2close", "lmbench.mmap_read_open2close", "size", "MB/s", "rate",
	 BETTER_HIGHER},
	{"read bandwidth", "lmbench.read", "size", "MB/s", "rate", BETTER_HIGHER},
	{"read open2close", "lmbench.read_open2close", "size", "MB/s", "rate", BETTER_HIGHER},
	{"Memory ", "lmbench.memory", "size", "MB/s", "rate", BETTER_HIGHER},
	{"libc bcopy", "lmbench.libc_bcopy", "size", "MB/s", "rate", BETTER_HIGHER},
	{"unrolled bcopy", "lmbench.unrolled_bcopy", "size", "MB/s", "rate", BETTER_HIGHER},
};

static const struct block bw_mem = {NULL, "lmbench.bw_mem", "size", "MB/s", "rate", BETTER_HIGHER};

struct state {
	const struct block *block; /* NULL: columns mean nothing */
	struct strbuf params;	   /* of the block */
};

static int take_title(struct tool_reader *reader, void *data, const struct line_match *match,
		      struct error *err)
{
	struct state *state = data;
	_cleanup_free_ char *title = line_capture_text(&match->captures[0]);

	(void)reader;
	(void)err;
	state->block = NULL;
	strbuf_clear(&state->params);
	for (size_t i = 0; i < ARRAY_SIZE(blocks) && !state->block; i++)
		if (!strncmp(title, blocks[i].title, strlen(blocks[i].title)))
			state->block = &blocks[i];
	title[strcspn(title, " ")] = '\0';
	if (strchr(title, '='))
		tool_param(&state->params, "", title);
	return 0;
}

static int take_bw_mem(struct tool_reader *reader, void *data, const struct line_match *match,
		       struct error *err)
{
	struct state *state = data;

	state->block = &bw_mem;
	strbuf_clear(&state->params);
	tool_param_capture(&state->params, "operation", &match->captures[match->count - 1]);
	(void)err;
	reader->unclosed = reader->line;
	return 0;
}

static int take_pair(struct tool_reader *reader, void *data, const struct line_match *match,
		     struct error *err)
{
	const struct state *state = data;
	_cleanup_(strbuf_release) struct strbuf params = STRBUF_INIT;
	struct tool_series series;

	if (!state->block)
		return 0;
	/* "=size=32k" of a title becomes "size=32k". */
	strbuf_append(&params, strbuf_text(&state->params) + (*strbuf_text(&state->params) == '='));
	tool_param_capture(&params, state->block->key, &match->captures[0]);
	series = (struct tool_series){state->block->benchmark, strbuf_text(&params),
				      state->block->metric, state->block->unit,
				      state->block->better};
	return tool_add(reader, &series, match->captures[1].value, err);
}

static int add_sentence(struct tool_reader *reader, const struct line_match *match,
			const char *metric, const char *unit, enum better better, struct error *err)
{
	_cleanup_free_ char *what = line_capture_text(&match->captures[0]);
	_cleanup_free_ char *benchmark = xasprintf("lmbench.%s", what);
	const struct tool_series series = {benchmark, NULL, metric, unit, better};

	return tool_add(reader, &series, match->captures[1].value, err);
}

static int take_us(struct tool_reader *reader, void *data, const struct line_match *match,
		   struct error *err)
{
	(void)data;
	return add_sentence(reader, match, "time", "us", BETTER_LOWER, err);
}

static int take_ns(struct tool_reader *reader, void *data, const struct line_match *match,
		   struct error *err)
{
	(void)data;
	return add_sentence(reader, match, "time", "ns", BETTER_LOWER, err);
}

static int take_mb(struct tool_reader *reader, void *data, const struct line_match *match,
		   struct error *err)
{
	(void)data;
	return add_sentence(reader, match, "rate", "MB/s", BETTER_HIGHER, err);
}

static int take_kb(struct tool_reader *reader, void *data, const struct line_match *match,
		   struct error *err)
{
	(void)data;
	return add_sentence(reader, match, "rate", "KB/s", BETTER_HIGHER, err);
}

static int take_blank(struct tool_reader *reader, void *data, const struct line_match *match,
		      struct error *err)
{
	struct state *state = data;

	(void)reader;
	(void)match;
	(void)err;
	state->block = NULL;
	return 0;
}

static int take_other(struct tool_reader *reader, void *data, const struct line_match *match,
		      struct error *err)
{
	const struct state *state = data;
	const char *text = match->captures[0].text;

	(void)reader;
	if (!state->block || *text < '0' || *text > '9' || !strchr(text, ' '))
		return 0;
	return error_set(err, ERROR_DATA, "two numbers were expected");
}

static const struct tool_rule rules[] = {
	{"\"", "\"%s", take_title},
	{"*gcc ", "%*", NULL},
	{"*bw_mem ", "%*bw_mem %* %u %w", take_bw_mem},
	{"*bw_mem ", "%*bw_mem %w %w", NULL},
	{"*microseconds", "%s: %f microseconds", take_us},
	{"*nanoseconds", "%s: %f nanoseconds", take_ns},
	{"*bandwidth", "%s bandwidth%*: %f MB/sec", take_mb},
	{"*bandwidth", "%s bandwidth:%f KB/sec", take_kb},
	{"*bandwidth", "%s bandwidth:%f MB/sec", take_mb},
	{"", "%f %f", take_pair},
	{"", "", take_blank},
	{"", "%s", take_other},
	{0},
};

bool lmbench_recognise(const char *text, size_t length)
{
	static const char *const marks[] = {
		"Simple syscall: %*",
		"Simple read: %*",
		"Pipe latency: %*",
		"Process fork+%*",
		"Signal handler %*:%*",
		"Select on %u %*fd's: %*",
		"\"mappings",
		"\"Mmap read bandwidth%*",
		"\"size=%* ovr=%*",
		"%*/bw_mem %*",
		"Protection fault: %*",
		"Pagefaults on %*: %*",
		"AF_UNIX sock stream %*",
		"Pipe bandwidth: %*",
		"\"stride=%*",
	};

	for (size_t i = 0; i < ARRAY_SIZE(marks); i++)
		if (tool_text_has(text, length, marks[i]))
			return true;
	return false;
}

int lmbench_read(const struct import_input *input, struct run_set_list *sets, struct error *err)
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
