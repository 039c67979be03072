/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "reports/wrap.h"

#include <stdbool.h>
#include <string.h>

#include "common/text.h"

/* Where the line being written stands. */
struct line {
	struct strbuf *out;
	size_t column;
	size_t indent;
	size_t width;
	bool empty; /* nothing behind the indent yet */
};

static void break_line(struct line *line)
{
	strbuf_append_char(line->out, '\n');
	strbuf_append_repeat(line->out, ' ', line->indent);
	line->column = line->indent;
	line->empty = true;
}

/* A word longer than a line: as many code points a line as there is room for. */
static void append_long(struct line *line, const char *word, size_t length)
{
	for (size_t i = 0; i < length; i++) {
		bool starts = ((unsigned char)word[i] & 0xc0) != 0x80;

		if (starts && line->column >= line->width)
			break_line(line);
		strbuf_append_char(line->out, word[i]);
		line->column += starts;
	}
	line->empty = false;
}

static void append_word(struct line *line, const char *word, size_t length)
{
	_cleanup_(strbuf_release) struct strbuf copy = STRBUF_INIT;
	size_t columns;

	strbuf_append_bytes(&copy, word, length);
	columns = text_width(strbuf_text(&copy));
	if (!line->empty && line->column + 1 + columns > line->width)
		break_line(line);
	if (!line->empty) {
		strbuf_append_char(line->out, ' ');
		line->column++;
	}
	append_long(line, word, length);
}

void wrap_append(struct strbuf *out, const char *text, size_t used, size_t indent, size_t width)
{
	_cleanup_(strbuf_release) struct strbuf visible = STRBUF_INIT;
	struct line line = {out, used, indent, width > indent ? width : indent + 1, true};
	const char *at;

	text_append_visible(&visible, text);
	for (at = strbuf_text(&visible); *at;) {
		size_t length = strcspn(at, " ");

		if (length)
			append_word(&line, at, length);
		at += length + (at[length] == ' ');
	}
	strbuf_append_char(out, '\n');
}
