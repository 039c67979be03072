/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Patterns for one line of a tool's output. They are strict on purpose: a number with a letter in
 * it matches nothing, and a value that a cut could have shortened is told apart from a whole one.
 */
#ifndef KREGRESS_COLLECTOR_IMPORT_LINE_PATTERN_H
#define KREGRESS_COLLECTOR_IMPORT_LINE_PATTERN_H

#include <stdbool.h>
#include <stddef.h>

#define LINE_CAPTURES_MAX 16

struct line_capture {
	const char *text; /* into the line; not ended by NUL */
	size_t length;
	double value; /* of a number */
};

struct line_match {
	struct line_capture captures[LINE_CAPTURES_MAX];
	size_t count;
};

/*
 * Matches the whole of `line`, blanks at its ends left out. In the pattern
 *   blank   one blank or more, also none at the ends of the line
 *   %f      a decimal number: digits, perhaps a sign before and a point within; no exponent
 *   %1..%9  one with exactly that many digits behind the point
 *   %u      digits
 *   %w      a word: anything but blanks
 *   %s      any text, as short as may be; at the end of the pattern the rest of the line
 *   %*      as %s, may be empty, not captured
 *   %%      a percent sign
 * and every other character stands for itself.
 */
bool line_match(const char *pattern, const char *line, struct line_match *match);

/* True when a line that matches could be the front of a longer one that matches, too. */
bool line_pattern_is_open(const char *pattern);

/* The captured text. Owned by the caller. */
char *line_capture_text(const struct line_capture *capture);

bool line_capture_is(const struct line_capture *capture, const char *text);

/* The number that `text` begins with, as %f; returns its length, 0 for none. */
size_t line_number_scan(const char *text, double *value);

#endif
