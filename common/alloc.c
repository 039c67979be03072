/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "common/alloc.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void *xcalloc(size_t count, size_t size)
{
	void *pointer = calloc(count ? count : 1, size ? size : 1);

	if (!pointer)
		abort();
	return pointer;
}

void *xreallocarray(void *pointer, size_t count, size_t size)
{
	void *grown = reallocarray(pointer, count ? count : 1, size ? size : 1);

	if (!grown)
		abort();
	return grown;
}

char *xstrdup(const char *text)
{
	return text ? xstrndup(text, strlen(text)) : NULL;
}

char *xstrndup(const char *text, size_t length)
{
	char *copy = strndup(text, length);

	if (!copy)
		abort();
	return copy;
}

char *xvasprintf(const char *format, va_list args)
{
	char *text = NULL;

	if (vasprintf(&text, format, args) < 0)
		abort();
	return text;
}

char *xasprintf(const char *format, ...)
{
	va_list args;

	va_start(args, format);
	char *text = xvasprintf(format, args);
	va_end(args);
	return text;
}

void replace_string(char **slot, const char *text)
{
	char *copy = xstrdup(text);

	free(*slot);
	*slot = copy;
}
