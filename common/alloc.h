/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Allocation that cannot fail: the process aborts when memory runs out. Release with free(). */
#ifndef KREGRESS_COMMON_ALLOC_H
#define KREGRESS_COMMON_ALLOC_H

#include <stdarg.h>
#include <stddef.h>

#include "common/cleanup.h"

/* Zeroed memory for `count` objects of `size` bytes; a product that overflows aborts. */
void *xcalloc(size_t count, size_t size) __attribute__((malloc, returns_nonnull));

/* As reallocarray(3); new bytes are not cleared. */
void *xreallocarray(void *pointer, size_t count, size_t size) __attribute__((returns_nonnull));

/* A copy of `text`; NULL gives NULL. */
char *xstrdup(const char *text);
char *xstrndup(const char *text, size_t length) __attribute__((returns_nonnull));

char *xasprintf(const char *format, ...) _printf_(1, 2) __attribute__((returns_nonnull));
char *xvasprintf(const char *format, va_list args) _printf_(1, 0) __attribute__((returns_nonnull));

/* Frees what `*slot` held and puts a copy of `text` there. */
void replace_string(char **slot, const char *text);

#endif
