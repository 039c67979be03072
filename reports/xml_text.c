/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "reports/xml_text.h"

#include <stdbool.h>
#include <string.h>

#include "common/text.h"

/* Bytes of the well-formed sequence at `text`, 0 when there is none. */
static size_t sequence_length(const char *text, size_t length)
{
	unsigned char first = (unsigned char)*text;
	size_t need = first < 0x80 ? 1 : first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4;

	if (need > length || text_utf8_error(text, need) < need)
		return 0;
	return need;
}

/* U+0000 to U+001F, U+007F to U+009F, U+FFFE and U+FFFF; a terminal obeys some of them. */
static bool is_forbidden(const char *sequence, size_t length)
{
	const unsigned char *byte = (const unsigned char *)sequence;

	if (length == 1)
		return byte[0] < 0x20 || byte[0] == 0x7f;
	if (length == 2)
		return byte[0] == 0xc2 && byte[1] < 0xa0;
	return length == 3 && byte[0] == 0xef && byte[1] == 0xbf && byte[2] >= 0xbe;
}

static void append_clean(struct strbuf *out, const char *text, bool line)
{
	size_t length = strlen(text);

	for (size_t at = 0; at < length;) {
		size_t step = sequence_length(text + at, length - at);
		char byte = text[at];

		if (byte == '\r' && text[at + 1] == '\n') {
			at++;
			continue;
		}
		if (byte == '\n' || byte == '\t') {
			strbuf_append_char(out, line ? ' ' : byte);
		} else if (step && !is_forbidden(text + at, step)) {
			strbuf_append_bytes(out, text + at, step);
		} else {
			step = step ? step : 1;
			for (size_t i = 0; i < step; i++)
				strbuf_printf(out, "\\x%02x", (unsigned char)text[at + i]);
		}
		at += step;
	}
}

void xml_append_text(struct strbuf *out, const char *text)
{
	append_clean(out, text, false);
}

void xml_append_line(struct strbuf *out, const char *text)
{
	append_clean(out, text, true);
}
