/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "common/embedded.h"

#include <string.h>

/* Bytes at `text` that a document may not hold as they are, 0 for others; their code point. */
static size_t needs_escape(const char *text, size_t length, unsigned int *code)
{
	const unsigned char *byte = (const unsigned char *)text;

	*code = byte[0];
	if (byte[0] == '<' || byte[0] == '>' || byte[0] == '&' || byte[0] == 0x7f)
		return 1;
	if (length < 3 || byte[0] != 0xef || byte[1] != 0xbf || byte[2] < 0xbe)
		return 0;
	*code = 0xff00u | (byte[2] + 0x40u);
	return 3;
}

void embedded_append(struct strbuf *out, const char *json, size_t length)
{
	size_t kept = 0;

	for (size_t i = 0; i < length;) {
		unsigned int code;
		size_t bytes = needs_escape(json + i, length - i, &code);

		if (bytes) {
			strbuf_append_bytes(out, json + kept, i - kept);
			strbuf_printf(out, "\\u%04x", code);
			kept = i + bytes;
		}
		i += bytes ? bytes : 1;
	}
	strbuf_append_bytes(out, json + kept, length - kept);
}

/* Offset behind `needle` in text[from..length), or 0 when it is not there. */
static size_t behind(const char *text, size_t length, size_t from, const char *needle)
{
	const char *found =
		from < length ? memmem(text + from, length - from, needle, strlen(needle)) : NULL;

	return found ? (size_t)(found - text) + strlen(needle) : 0;
}

bool embedded_find(const char *page, size_t length, size_t *start, size_t *size)
{
	size_t type = behind(page, length, 0, "<script type=\"" EMBEDDED_TYPE "\"");
	size_t open = type ? behind(page, length, type, ">") : 0;
	size_t end = open ? behind(page, length, open, "</script>") : 0;

	if (!end)
		return false;
	/* The content begins on a line of its own. */
	*start = page[open] == '\n' ? open + 1 : open;
	*size = end - strlen("</script>") - *start;
	return true;
}
