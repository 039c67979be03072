/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bisect/git_error.h"

#include <git2.h>
#include <stdarg.h>

#include "common/alloc.h"

const char *git_error_text(void)
{
	const git_error *last = git_error_last();

	return last && last->message ? last->message : "no reason given";
}

int git_error_into(struct error *err, enum error_kind kind, const char *format, ...)
{
	_cleanup_free_ char *reason = xstrdup(git_error_text());
	_cleanup_free_ char *where = NULL;
	va_list args;

	va_start(args, format);
	where = xvasprintf(format, args);
	va_end(args);
	return error_set(err, kind, "%s: %s", where, reason);
}
