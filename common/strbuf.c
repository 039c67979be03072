/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "common/strbuf.h"

#include <stdlib.h>
#include <string.h>

#include "common/alloc.h"

static void strbuf_reserve(struct strbuf *buffer, size_t more)
{
	size_t wanted = buffer->length + more + 1;

	if (wanted <= buffer->capacity)
		return;
	buffer->capacity = wanted < 2 * buffer->capacity ? 2 * buffer->capacity : wanted + 32;
	buffer->text = xreallocarray(buffer->text, buffer->capacity, 1);
}

void strbuf_append_bytes(struct strbuf *buffer, const void *bytes, size_t length)
{
	strbuf_reserve(buffer, length);
	if (length)
		memcpy(buffer->text + buffer->length, bytes, length);
	buffer->length += length;
	buffer->text[buffer->length] = '\0';
}

void strbuf_append(struct strbuf *buffer, const char *text)
{
	strbuf_append_bytes(buffer, text, strlen(text));
}

void strbuf_append_char(struct strbuf *buffer, char character)
{
	strbuf_append_bytes(buffer, &character, 1);
}

void strbuf_append_repeat(struct strbuf *buffer, char character, size_t count)
{
	strbuf_reserve(buffer, count);
	memset(buffer->text + buffer->length, character, count);
	buffer->length += count;
	buffer->text[buffer->length] = '\0';
}

void strbuf_vprintf(struct strbuf *buffer, const char *format, va_list args)
{
	_cleanup_free_ char *text = xvasprintf(format, args);

	strbuf_append(buffer, text);
}

void strbuf_printf(struct strbuf *buffer, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	strbuf_vprintf(buffer, format, args);
	va_end(args);
}

const char *strbuf_text(const struct strbuf *buffer)
{
	return buffer->text ? buffer->text : "";
}

char *strbuf_take(struct strbuf *buffer)
{
	char *text = buffer->text ? buffer->text : xstrdup("");

	*buffer = (struct strbuf)STRBUF_INIT;
	return text;
}

void strbuf_clear(struct strbuf *buffer)
{
	buffer->length = 0;
	if (buffer->text)
		buffer->text[0] = '\0';
}

void strbuf_release(struct strbuf *buffer)
{
	free(buffer->text);
	*buffer = (struct strbuf)STRBUF_INIT;
}
