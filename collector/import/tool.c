/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "collector/import/tool.h"

#include <stdlib.h>
#include <string.h>

#include "common/text.h"

/* As many bytes of a damaged line as a message shows. */
#define SHOWN_BYTES 80

/* Recognising looks at the front of long texts only. */
#define RECOGNISE_BYTES (1 << 20)

/* "results/voluntary.txt" is a result of "voluntary". */
char *tool_variant(const struct import_input *input)
{
	const char *slash = strrchr(input->name, '/');
	const char *base = slash && slash[1] ? slash + 1 : input->name;
	const char *dot = strrchr(base, '.');
	char *name;

	if (input->variant)
		return xstrdup(input->variant);
	name = import_clean_name(base, dot && dot != base ? (size_t)(dot - base) : strlen(base));
	if (*name)
		return name;
	free(name);
	return xstrdup("imported");
}

/* Where a line was rewritten in place on a terminal, what stood there last. */
static char *last_of_terminal_line(char *line)
{
	size_t length = strlen(line);
	char *carriage;

	while (length && strchr(" \t\r", line[length - 1]))
		line[--length] = '\0';
	carriage = strrchr(line, '\r');
	line = carriage ? carriage + 1 : line;
	return line + strspn(line, " \t");
}

static void split_lines(struct tool_reader *reader)
{
	char *at = reader->text;

	while (*at) {
		char *newline = strchr(at, '\n');
		struct tool_line *line = array_append(&reader->lines);

		line->complete = newline != NULL;
		if (newline)
			*newline = '\0';
		line->text = last_of_terminal_line(at);
		if (!newline)
			break;
		at = newline + 1;
	}
}

/* The number of the line that holds byte `offset`. */
static size_t line_of(const char *text, size_t offset)
{
	size_t line = 1;

	for (size_t i = 0; i < offset; i++)
		line += text[i] == '\n';
	return line;
}

int tool_reader_init(struct tool_reader *reader, const struct import_input *input,
		     struct error *err)
{
	const char *text = input->length ? input->text : "";
	size_t bad = text_utf8_error(text, input->length);
	const char *nul = memchr(text, '\0', input->length);

	*reader = (struct tool_reader){.input = input};
	if (nul && (size_t)(nul - text) < bad)
		bad = (size_t)(nul - text);
	if (bad < input->length) {
		error_set(err, ERROR_DATA, "%s:%zu: byte 0x%02x is not UTF-8 text", input->name,
			  line_of(text, bad), (unsigned char)text[bad]);
		return error_hint(err, "give the tool's output as it is, or convert it with iconv");
	}
	import_builder_init(&reader->builder, input);
	reader->variant = tool_variant(input);
	replace_string(&reader->instance, input->instance);
	reader->text = xstrndup(text, input->length);
	split_lines(reader);
	return 0;
}

void tool_reader_release(struct tool_reader *reader)
{
	import_builder_release(&reader->builder);
	array_release(&reader->lines);
	free(reader->variant);
	free(reader->instance);
	free(reader->text);
	*reader = (struct tool_reader){0};
}

int tool_fail(struct tool_reader *reader, struct error *err)
{
	error_wrap(err, "%s:%zu", reader->input->name, reader->line ? reader->line : 1);
	return error_hint(err, "the output is damaged or not complete: run the tool again");
}

int tool_out_of_place(struct error *err)
{
	return error_set(err, ERROR_DATA, "a value without the line that it belongs to");
}

static bool is_anchored(const struct tool_rule *rule, const char *line)
{
	if (*rule->anchor == '*')
		return strstr(line, rule->anchor + 1) != NULL;
	return !strncmp(line, rule->anchor, strlen(rule->anchor));
}

static int damaged_line(const char *line, struct error *err)
{
	_cleanup_(strbuf_release) struct strbuf shown = STRBUF_INIT;

	text_append_visible(&shown, line);
	return error_set(err, ERROR_DATA, "the line '%.*s' cannot be read", SHOWN_BYTES,
			 strbuf_text(&shown));
}

static int cut_line(struct error *err)
{
	error_set(err, ERROR_DATA, "the file ends within this line");
	return error_hint(err, "if the value is whole, end the line; else run the tool again");
}

static int read_line(struct tool_reader *reader, const struct tool_rule *rules, void *state,
		     const struct tool_line *line, struct error *err)
{
	const char *text = reader->strip ? reader->strip(line->text) : line->text;
	struct line_match match;
	bool anchored = false;

	for (const struct tool_rule *rule = rules; rule->anchor; rule++) {
		if (!is_anchored(rule, text))
			continue;
		anchored = true;
		if (!line_match(rule->pattern, text, &match))
			continue;
		if (!rule->take)
			return 0;
		if (!line->complete && line_pattern_is_open(rule->pattern))
			return cut_line(err);
		return rule->take(reader, state, &match, err);
	}
	return anchored ? damaged_line(line->text, err) : 0;
}

int tool_reader_run(struct tool_reader *reader, const struct tool_rule *rules, void *state,
		    struct error *err)
{
	for (size_t i = 0; i < reader->lines.count; i++) {
		reader->line = i + 1;
		if (read_line(reader, rules, state, &reader->lines.items[i], err) < 0)
			return tool_fail(reader, err);
	}
	return 0;
}

/* A series as the builder wants it. */
struct described {
	struct import_label label;
	struct import_measure measure;
};

static void describe(struct tool_reader *reader, const struct tool_series *series,
		     struct described *described)
{
	struct strbuf params = STRBUF_INIT;

	strbuf_append(&params, series->params ? series->params : "");
	if (reader->instance)
		tool_param(&params, "instance", reader->instance);
	*described = (struct described){
		.label = {.written = xstrdup(series->benchmark),
			  .benchmark =
				  import_clean_name(series->benchmark, strlen(series->benchmark)),
			  .params = strbuf_take(&params)},
		.measure = {.metric = import_clean_name(series->metric, strlen(series->metric)),
			    .unit = xstrdup(series->unit),
			    .better = series->better,
			    .factor = 1,
			    .never_negative = true},
	};
}

int tool_add(struct tool_reader *reader, const struct tool_series *series, double value,
	     struct error *err)
{
	struct described described;
	int result;

	describe(reader, series, &described);
	if (!*described.label.benchmark || !*described.measure.metric)
		result = error_set(err, ERROR_DATA, "a name without letters or digits");
	else if (strlen(described.label.benchmark) + strlen(described.label.params) >
		 IMPORT_LABEL_MAX)
		result = error_set(err, ERROR_DATA, "a name of more than %d bytes",
				   IMPORT_LABEL_MAX);
	else
		result = import_builder_add(&reader->builder, reader->variant, &described.label,
					    &described.measure, &value, 1, err);
	import_label_release(&described.label);
	import_measure_release(&described.measure);
	reader->values += result == 0;
	if (result == 0)
		reader->unclosed = 0;
	return result;
}

int tool_reader_finish(struct tool_reader *reader, struct run_set_list *sets, struct error *err)
{
	if (reader->unclosed) {
		reader->line = reader->unclosed;
		error_set(err, ERROR_DATA, "what begins here has no result");
		return tool_fail(reader, err);
	}
	if (!reader->values) {
		reader->line = reader->lines.count;
		error_set(err, ERROR_DATA, "there is no result in the %zu lines",
			  reader->lines.count);
		return tool_fail(reader, err);
	}
	import_builder_finish(&reader->builder, sets);
	return 0;
}

const char *kernel_log_text(const char *line)
{
	const char *at = line;
	double number;
	size_t length;

	if (*at == '<' && (length = line_number_scan(at + 1, &number)) && at[1 + length] == '>')
		at += length + 2;
	if (*at != '[')
		return at;
	length = 1 + strspn(at + 1, " ");
	length += line_number_scan(at + length, &number);
	if (at[length] != ']')
		return line;
	at += length + 1;
	return at + strspn(at, " \t");
}

/* Commas, brackets and control characters have a meaning where parameters are written. */
void tool_param(struct strbuf *params, const char *key, const char *value)
{
	strbuf_printf(params, "%s%s=", params->length ? "," : "", key);
	for (; *value; value++)
		strbuf_append_char(params, (unsigned char)*value < 0x20 || strchr(",[]\x7f", *value)
						   ? '_'
						   : *value);
}

void tool_param_capture(struct strbuf *params, const char *key, const struct line_capture *capture)
{
	_cleanup_free_ char *value = line_capture_text(capture);

	tool_param(params, key, value);
}

static bool line_has(const char *text, size_t length, const char *pattern)
{
	_cleanup_free_ char *line = xstrndup(text, length);
	struct line_match match;

	length = strlen(line);
	while (length && strchr(" \t\r", line[length - 1]))
		line[--length] = '\0';
	return line_match(pattern, line, &match);
}

bool tool_text_has(const char *text, size_t length, const char *pattern)
{
	const char *end = text + (length < RECOGNISE_BYTES ? length : RECOGNISE_BYTES);

	while (length && text < end) {
		const char *newline = memchr(text, '\n', (size_t)(end - text));
		const char *stop = newline ? newline : end;

		if (line_has(text, (size_t)(stop - text), pattern))
			return true;
		text = stop + 1;
	}
	return false;
}

bool tool_text_holds(const char *text, size_t length, const char *word)
{
	return length && memmem(text, length < RECOGNISE_BYTES ? length : RECOGNISE_BYTES, word,
				strlen(word)) != NULL;
}
