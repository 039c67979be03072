/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "collector/import/lines.h"

#include <string.h>
#include <strings.h>

#include "common/strbuf.h"
#include "common/text.h"

static const char no_break_space[] = "\xc2\xa0";
static const char byte_order_mark[] = "\xef\xbb\xbf";

static void line_release(struct table_line *line)
{
	string_list_release(&line->words);
	free(line->brackets);
}

void table_lines_release(struct table_lines *lines)
{
	array_for_each (line, lines)
		line_release(line);
	array_release(lines);
}

int table_line_fail(const struct import_input *input, const struct table_line *line,
		    struct error *err)
{
	error_wrap(err, "%s:%zu", input->name, line->number);
	return error_hint(err,
			  "a table is a line 'BENCHMARK [UNIT]' and lines 'VARIANT VALUE ...', "
			  "or a line 'benchmark VARIANT ...' and lines 'BENCHMARK VALUE ...'");
}

char *table_line_join(const struct table_line *line, size_t first, size_t end, char separator)
{
	struct strbuf text = STRBUF_INIT;

	for (size_t i = first; i < end; i++) {
		if (i > first)
			strbuf_append_char(&text, separator);
		strbuf_append(&text, line->words.items[i]);
	}
	return strbuf_take(&text);
}

static bool is_digit(char character)
{
	return character >= '0' && character <= '9';
}

bool word_is_numeric(const char *word)
{
	static const char *const specials[] = {"nan", "inf", "infinity"};
	size_t length;

	word += *word == '-' || *word == '+';
	if (is_digit(*word) || (*word == '.' && is_digit(word[1])))
		return true;
	length = strcspn(word, ",;");
	for (size_t i = 0; i < ARRAY_SIZE(specials); i++)
		if (strlen(specials[i]) == length && !strncasecmp(word, specials[i], length))
			return true;
	return false;
}

static int check_bytes(const char *text, size_t length, struct error *err)
{
	size_t bad;

	if (length > TABLE_LINE_MAX) {
		error_set(err, ERROR_DATA, "a line of %zu bytes, more than %d", length,
			  TABLE_LINE_MAX);
		return error_hint(err, "is this a text table?");
	}
	bad = text_utf8_error(text, length);
	if (bad < length) {
		error_set(err, ERROR_DATA, "byte %zu (0x%02x) is not UTF-8 text", bad + 1,
			  (unsigned char)text[bad]);
		return error_hint(err, "convert the file to UTF-8 with iconv");
	}
	for (size_t i = 0; i < length; i++) {
		unsigned char byte = (unsigned char)text[i];

		if ((byte < 0x20 && byte != '\t') || byte == 0x7f) {
			error_set(err, ERROR_DATA, "byte %zu (0x%02x) is a control character",
				  i + 1, byte);
			return error_hint(err, "give plain text, without colours or NUL bytes");
		}
	}
	return 0;
}

/* "-----", "==+==": drawn, not written. */
static bool is_rule(const char *text)
{
	size_t length = strspn(text, "-=+_| \t");

	return !text[length] && length >= 3;
}

static const char *skip_quote_marks(const char *text)
{
	for (;;) {
		const char *mark = text + strspn(text, " \t");

		if (*mark != '>')
			return text;
		text = mark + 1 + (mark[1] == ' ');
	}
}

static const char *skip_indent(const char *text, size_t *columns)
{
	for (*columns = 0; *text == ' ' || *text == '\t'; text++)
		*columns = *text == '\t' ? (*columns / 8 + 1) * 8 : *columns + 1;
	return text;
}

static void add_brackets(struct table_line *line, const char *text, size_t length)
{
	struct strbuf joined = STRBUF_INIT;

	if (!line->brackets)
		line->brackets_at = line->words.count;
	else
		strbuf_printf(&joined, "%s,", line->brackets);
	strbuf_append_bytes(&joined, text, length);
	free(line->brackets);
	line->brackets = strbuf_take(&joined);
}

/* Reads "[...]" or "(...)" at *cursor. */
static int scan_group(struct table_line *line, const char **cursor, struct error *err)
{
	const char *start = *cursor;
	const char *end = strchr(start, *start == '[' ? ']' : ')');
	_cleanup_free_ char *group = NULL;

	if (!end) {
		error_set(err, ERROR_DATA, "'%c' without its end", *start);
		return error_hint(err, "close it on the same line");
	}
	if (*start == '[') {
		add_brackets(line, start + 1, (size_t)(end - start - 1));
	} else {
		group = xstrndup(start, (size_t)(end - start + 1));
		string_list_add(&line->words, group);
	}
	*cursor = end + 1;
	return 0;
}

/* A word ends at white space, at "[", and, when it is a number, at "(". */
static void scan_word(struct table_line *line, const char **cursor)
{
	size_t length = strcspn(*cursor, word_is_numeric(*cursor) ? " \t[(" : " \t[");
	_cleanup_free_ char *word = xstrndup(*cursor, length);

	*cursor += length;
	if (word[length - 1] == ':' && !line->colon) {
		word[length - 1] = '\0';
		line->colon = line->words.count + (length > 1);
	}
	if (*word)
		string_list_add(&line->words, word);
}

static int check_word(size_t length, struct error *err)
{
	if (length <= TABLE_WORD_MAX)
		return 0;
	error_set(err, ERROR_DATA, "a word of %zu bytes, more than %d", length, TABLE_WORD_MAX);
	return error_hint(err, "is this a text table?");
}

static int scan_words(struct table_line *line, const char *text, struct error *err)
{
	while (*text && *text != '#') {
		const char *start = text;

		if (*text == '[' || *text == '(') {
			if (scan_group(line, &text, err) < 0)
				return -1;
		} else {
			scan_word(line, &text);
		}
		if (check_word((size_t)(text - start), err) < 0)
			return -1;
		text += strspn(text, " \t");
	}
	if (line->brackets && !line->words.count)
		return error_set(err, ERROR_DATA, "nothing but brackets");
	return 0;
}

static void spaces_for_no_break_spaces(char *text)
{
	char *at = text;

	while ((at = strstr(at, no_break_space)) != NULL) {
		memset(at, ' ', 2);
		at += 2;
	}
}

/* Reads one line of `length` bytes; `line` has no words when it holds nothing. */
static int read_line(struct table_line *line, const char *bytes, size_t length, struct error *err)
{
	_cleanup_free_ char *text = NULL;
	const char *content;

	if (length && bytes[length - 1] == '\r')
		length--;
	if (check_bytes(bytes, length, err) < 0)
		return -1;
	text = xstrndup(bytes, length);
	spaces_for_no_break_spaces(text);
	content = skip_indent(skip_quote_marks(text), &line->indent);
	if (is_rule(content))
		return 0;
	if (*content == '|') {
		error_set(err, ERROR_DATA, "the line begins with '|'");
		return error_hint(err, "remove the frame, and begin lines with a name");
	}
	return scan_words(line, content, err);
}

static int no_lines(const struct import_input *input, struct error *err)
{
	const struct table_line first = {.number = 1};

	error_set(err, ERROR_DATA, "no table: %s",
		  input->length ? "only comments and blank lines" : "the file is empty");
	return table_line_fail(input, &first, err);
}

static int read_lines(struct table_lines *lines, const struct import_input *input, const char *text,
		      const char *end, struct error *err)
{
	bool after_blank = false;

	for (size_t number = 1; text < end; number++) {
		const char *newline = memchr(text, '\n', (size_t)(end - text));
		const char *stop = newline ? newline : end;
		struct table_line line = {.number = number, .after_blank = after_blank};

		if (read_line(&line, text, (size_t)(stop - text), err) < 0) {
			table_line_fail(input, &line, err);
			line_release(&line);
			return -1;
		}
		after_blank = !line.words.count;
		if (line.words.count)
			*array_append(lines) = line;
		text = newline ? newline + 1 : end;
	}
	return 0;
}

int table_lines_read(struct table_lines *lines, const struct import_input *input, struct error *err)
{
	const char *text = input->length ? input->text : "";
	const char *end = text + input->length;
	size_t mark = strlen(byte_order_mark);

	*lines = (struct table_lines){0};
	if (input->length >= mark && !memcmp(text, byte_order_mark, mark))
		text += mark;
	if (read_lines(lines, input, text, end, err) < 0 ||
	    (!lines->count && no_lines(input, err) < 0)) {
		table_lines_release(lines);
		return -1;
	}
	return 0;
}
