/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The log of `git bisect`, written so that `git bisect replay` takes it, and read. */
#ifndef KREGRESS_BISECT_DRIVER_GIT_LOG_H
#define KREGRESS_BISECT_DRIVER_GIT_LOG_H

#include "bisect/driver/bisection.h"
#include "bisect/driver/view.h"
#include "common/strbuf.h"

/*
 * Appends the bisection as git's log. Where values were measured, what they settle is written as
 * marks: the found commit as bad, its parents in the range as good.
 */
int git_log_write(struct strbuf *out, const struct bisection *bisection, const struct view *view,
		  const struct history *history, struct error *err) __must_check;

/* True when the text looks like a log of git, not like a journal. */
bool git_log_recognise(const char *text);

/*
 * Reads a log: terms, paths and options of its start go into *options, which the caller releases
 * with the bisection that owns it; marks are appended to `records`. Lines may end in CR LF.
 * ERROR_DATA with "NAME:LINE: ..." for a line that git would not take.
 */
int git_log_read(const char *name, const char *text, const struct history *history,
		 struct bisect_options *options, json_t *records, struct error *err) __must_check;

/*
 * Terms as git has them: refused when the two are the same, when one is a word of the command line
 * or is no word, or when `good` and `bad` are given each other's sense. Either may be NULL.
 */
int terms_check(const char *bad, const char *good, struct error *err) __must_check;

#endif
