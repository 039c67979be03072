/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "common/error.h"

#include <stdarg.h>
#include <string.h>

#include "common/alloc.h"

static void error_replace(struct error *err, enum error_kind kind, char *message)
{
	error_clear(err);
	err->kind = kind;
	err->message = message;
}

int error_set(struct error *err, enum error_kind kind, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	error_replace(err, kind, xvasprintf(format, args));
	va_end(args);
	return -1;
}

int error_set_errno(struct error *err, enum error_kind kind, int errno_value, const char *format,
		    ...)
{
	_cleanup_free_ char *what = NULL;
	va_list args;

	va_start(args, format);
	what = xvasprintf(format, args);
	va_end(args);
	error_replace(err, kind, xasprintf("%s: %s", what, strerror(errno_value)));
	return -1;
}

int error_wrap(struct error *err, const char *format, ...)
{
	_cleanup_free_ char *where = NULL;
	_cleanup_free_ char *inner = err->message;
	va_list args;

	va_start(args, format);
	where = xvasprintf(format, args);
	va_end(args);
	err->message = xasprintf("%s: %s", where, inner ? inner : "");
	return -1;
}

int error_hint(struct error *err, const char *format, ...)
{
	va_list args;

	if (err->hint)
		return -1;
	va_start(args, format);
	err->hint = xvasprintf(format, args);
	va_end(args);
	return -1;
}

void error_clear(struct error *err)
{
	free(err->message);
	free(err->hint);
	*err = (struct error){0};
}
