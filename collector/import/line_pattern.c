/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "collector/import/line_pattern.h"

#include <string.h>

#include "common/alloc.h"
#include "common/error.h"
#include "common/number.h"

static bool is_blank(char character)
{
	return character == ' ' || character == '\t';
}

static bool is_digit(char character)
{
	return character >= '0' && character <= '9';
}

static size_t count_digits(const char *text)
{
	return strspn(text, "0123456789");
}

/* The length of a decimal number at `text`; 0 for none. `*decimals`: behind the point. */
static size_t scan_decimal(const char *text, size_t *decimals)
{
	size_t sign = *text == '-' || *text == '+';
	size_t whole = count_digits(text + sign);
	size_t length = sign + whole;

	*decimals = 0;
	if (!whole)
		return 0;
	if (text[length] == '.' && is_digit(text[length + 1])) {
		*decimals = count_digits(text + length + 1);
		length += 1 + *decimals;
	}
	return text[length] == '.' && is_digit(text[length + 1]) ? 0 : length;
}

static bool read_number(const char *text, size_t length, double *value)
{
	_cleanup_(error_clear) struct error ignored = {0};
	_cleanup_free_ char *number = xstrndup(text + (*text == '+'), length - (*text == '+'));

	return number_parse(number, value, &ignored) == 0;
}

size_t line_number_scan(const char *text, double *value)
{
	size_t decimals;
	size_t length = scan_decimal(text, &decimals);

	return length && read_number(text, length, value) ? length : 0;
}

static bool match_here(const char *pattern, const char *line, struct line_match *match);

/* Notes the capture, goes on behind it, and takes it back when that fails. */
static bool capture(const char *pattern, const char *line, size_t length, double value,
		    struct line_match *match)
{
	if (match->count == LINE_CAPTURES_MAX)
		return false;
	match->captures[match->count++] =
		(struct line_capture){.text = line, .length = length, .value = value};
	if (match_here(pattern, line + length, match))
		return true;
	match->count--;
	return false;
}

static bool match_number(char kind, const char *pattern, const char *line, struct line_match *match)
{
	size_t decimals;
	size_t length = scan_decimal(line, &decimals);
	double value;

	if (kind == 'u' && (length != count_digits(line) || line[length] == '.'))
		return false;
	if (is_digit(kind) && decimals != (size_t)(kind - '0'))
		return false;
	return length && read_number(line, length, &value) &&
	       capture(pattern, line, length, value, match);
}

static bool match_word(const char *pattern, const char *line, struct line_match *match)
{
	for (size_t length = strcspn(line, " \t"); length; length--)
		if (capture(pattern, line, length, 0, match))
			return true;
	return false;
}

static bool match_text(const char *pattern, const char *line, struct line_match *match)
{
	size_t end = strlen(line);

	if (!*pattern)
		return capture(pattern, line, end, 0, match);
	for (size_t length = 1; length <= end; length++)
		if (capture(pattern, line, length, 0, match))
			return true;
	return false;
}

static bool match_any(const char *pattern, const char *line, struct line_match *match)
{
	if (!*pattern)
		return true;
	for (;; line++) {
		if (match_here(pattern, line, match))
			return true;
		if (!*line)
			return false;
	}
}

static bool match_directive(const char *pattern, const char *line, struct line_match *match)
{
	char kind = pattern[1];

	if (kind == '%')
		return *line == '%' && match_here(pattern + 2, line + 1, match);
	if (kind == 'w')
		return match_word(pattern + 2, line, match);
	if (kind == 's')
		return match_text(pattern + 2, line, match);
	if (kind == '*')
		return match_any(pattern + 2, line, match);
	return match_number(kind, pattern + 2, line, match);
}

static bool match_here(const char *pattern, const char *line, struct line_match *match)
{
	for (; *pattern; pattern++, line++) {
		if (*pattern == '%')
			return match_directive(pattern, line, match);
		if (is_blank(*pattern)) {
			size_t blanks = strspn(line, " \t");

			if (!blanks && *line)
				return false;
			pattern += strspn(pattern, " \t") - 1;
			line += blanks;
			line--;
		} else if (*pattern != *line) {
			return false;
		}
	}
	return !line[strspn(line, " \t")];
}

bool line_match(const char *pattern, const char *line, struct line_match *match)
{
	*match = (struct line_match){0};
	return match_here(pattern, line + strspn(line, " \t"), match);
}

bool line_pattern_is_open(const char *pattern)
{
	size_t length = strlen(pattern);

	return length >= 2 && pattern[length - 2] == '%' && strchr("fuws", pattern[length - 1]);
}

char *line_capture_text(const struct line_capture *capture)
{
	return xstrndup(capture->text, capture->length);
}

bool line_capture_is(const struct line_capture *capture, const char *text)
{
	return capture->length == strlen(text) && !memcmp(capture->text, text, capture->length);
}
