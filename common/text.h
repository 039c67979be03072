/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Properties of text from outside. */
#ifndef KREGRESS_COMMON_TEXT_H
#define KREGRESS_COMMON_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/error.h"
#include "common/strbuf.h"

/*
 * Offset of the first byte that is not well-formed UTF-8 (overlong forms, surrogates and code
 * points above U+10FFFF count as ill-formed), or `length` when all is well.
 */
size_t text_utf8_error(const char *text, size_t length);

/* Refuses ill-formed UTF-8 and NUL bytes, naming the line: "line 3: byte 12 is not UTF-8". */
int text_check_utf8(const char *text, size_t length, struct error *err) __must_check;

/* Appends `text` with control characters and ill-formed bytes written as \xNN. */
void text_append_visible(struct strbuf *buffer, const char *text);

/* Columns that `text` takes on a terminal, one per code point. */
size_t text_width(const char *text);

/* True when `text` matches the shell pattern (`lock.*`), by fnmatch(3). */
bool text_matches(const char *pattern, const char *text);

/* Stable identifier: the first `digits` (at most 40) hex digits of git's hash of the text. */
void text_append_digest(struct strbuf *buffer, const char *text, size_t length, int digits);

/* The last `lines` lines of a text, control characters made visible. Owned by the caller. */
char *text_tail(const char *text, size_t lines);

#endif
