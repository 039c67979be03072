/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "common/text.h"

#include <fnmatch.h>
#include <string.h>

#include <git2.h>

#include "common/alloc.h"
#include "common/cleanup.h"

/* Length of the well-formed UTF-8 sequence at `text`, 0 when there is none. */
static size_t utf8_sequence(const unsigned char *text, size_t length)
{
	size_t need = text[0] < 0x80   ? 1
		      : text[0] < 0xc2 ? 0
		      : text[0] < 0xe0 ? 2
		      : text[0] < 0xf0 ? 3
		      : text[0] < 0xf5 ? 4
				       : 0;

	if (!need || need > length)
		return 0;
	for (size_t i = 1; i < need; i++)
		if ((text[i] & 0xc0) != 0x80)
			return 0;
	if ((text[0] == 0xe0 && text[1] < 0xa0) || (text[0] == 0xed && text[1] > 0x9f))
		return 0;
	if ((text[0] == 0xf0 && text[1] < 0x90) || (text[0] == 0xf4 && text[1] > 0x8f))
		return 0;
	return need;
}

size_t text_utf8_error(const char *text, size_t length)
{
	size_t at = 0;

	while (at < length) {
		size_t step = utf8_sequence((const unsigned char *)text + at, length - at);

		if (!step)
			return at;
		at += step;
	}
	return length;
}

int text_check_utf8(const char *text, size_t length, struct error *err)
{
	size_t bad = text_utf8_error(text, length);
	const char *nul = memchr(text, '\0', length);
	size_t line = 1, start = 0;

	if (nul && (size_t)(nul - text) < bad)
		bad = (size_t)(nul - text);
	if (bad == length)
		return 0;
	for (size_t i = 0; i < bad; i++) {
		if (text[i] == '\n') {
			line++;
			start = i + 1;
		}
	}
	return error_set(err, ERROR_DATA, "line %zu: byte %zu (0x%02x) is not UTF-8 text", line,
			 bad - start + 1, (unsigned char)text[bad]);
}

/* C0 controls, DEL, and the two-byte C1 controls U+0080 to U+009F. */
static bool is_control(const unsigned char *sequence)
{
	return sequence[0] < 0x20 || sequence[0] == 0x7f ||
	       (sequence[0] == 0xc2 && sequence[1] < 0xa0);
}

void text_append_visible(struct strbuf *buffer, const char *text)
{
	size_t length = strlen(text);

	for (size_t at = 0; at < length;) {
		const unsigned char *byte = (const unsigned char *)text + at;
		size_t step = utf8_sequence(byte, length - at);

		if (step && !is_control(byte)) {
			strbuf_append_bytes(buffer, byte, step);
			at += step;
			continue;
		}
		for (size_t i = 0; i < (step ? step : 1); i++)
			strbuf_printf(buffer, "\\x%02x", byte[i]);
		at += step ? step : 1;
	}
}

size_t text_width(const char *text)
{
	size_t width = 0;

	for (; *text; text++)
		width += ((unsigned char)*text & 0xc0) != 0x80;
	return width;
}

bool text_matches(const char *pattern, const char *text)
{
	return fnmatch(pattern, text, 0) == 0;
}

void text_append_digest(struct strbuf *buffer, const char *text, size_t length, int digits)
{
	char hex[GIT_OID_HEXSZ + 1];
	git_oid id;

	git_libgit2_init();
	git_odb_hash(&id, text, length, GIT_OBJECT_BLOB);
	git_oid_tostr(hex, sizeof(hex), &id);
	git_libgit2_shutdown();
	strbuf_append_bytes(buffer, hex,
			    (size_t)digits < sizeof(hex) - 1 ? (size_t)digits : sizeof(hex) - 1);
}

char *text_tail(const char *text, size_t lines)
{
	const char *end = text + strlen(text);
	const char *start;
	struct strbuf tail = STRBUF_INIT;
	bool first = true;

	while (end > text && (end[-1] == '\n' || end[-1] == '\r'))
		end--;
	for (start = end; start > text; start--)
		if (start[-1] == '\n' && lines-- <= 1)
			break;
	while (start < end) {
		size_t length = strcspn(start, "\n");
		_cleanup_free_ char *line = NULL;

		if (start + length > end)
			length = (size_t)(end - start);
		line = xstrndup(start, length && start[length - 1] == '\r' ? length - 1 : length);
		if (!first)
			strbuf_append_char(&tail, '\n');
		first = false;
		text_append_visible(&tail, line);
		start += length + 1;
	}
	return strbuf_take(&tail);
}
