/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A growing, NUL-terminated string. `STRBUF_INIT` or all zero is empty; `text` is NULL until the
 * first append: read it through strbuf_text(), which gives "" then.
 */
#ifndef KREGRESS_COMMON_STRBUF_H
#define KREGRESS_COMMON_STRBUF_H

#include <stdarg.h>
#include <stddef.h>

#include "common/cleanup.h"

struct strbuf {
	char *text;
	size_t length;
	size_t capacity;
};

#define STRBUF_INIT                                                                                \
	{                                                                                          \
		NULL, 0, 0                                                                         \
	}

void strbuf_append(struct strbuf *buffer, const char *text);
void strbuf_append_bytes(struct strbuf *buffer, const void *bytes, size_t length);
void strbuf_append_char(struct strbuf *buffer, char character);
/* `count` times `character`. */
void strbuf_append_repeat(struct strbuf *buffer, char character, size_t count);
void strbuf_printf(struct strbuf *buffer, const char *format, ...) _printf_(2, 3);
void strbuf_vprintf(struct strbuf *buffer, const char *format, va_list args) _printf_(2, 0);

/* The text; never NULL; holds until the next append. */
const char *strbuf_text(const struct strbuf *buffer);

/* Hands the text to the caller, who frees it, and leaves the buffer empty. Never NULL. */
char *strbuf_take(struct strbuf *buffer);

/* Empties, keeps the storage. */
void strbuf_clear(struct strbuf *buffer);
void strbuf_release(struct strbuf *buffer);

#endif
