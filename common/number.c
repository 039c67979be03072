/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "common/number.h"

#include <errno.h>
#include <float.h>
#include <locale.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "common/alloc.h"
#include "common/array.h"

/* The "C" locale, made once; never freed, as every thread may use it until the end. */
static locale_t number_locale(void)
{
	static locale_t locale;

	if (!locale)
		locale = newlocale(LC_ALL_MASK, "C", (locale_t)0);
	return locale;
}

static bool is_digit(char character)
{
	return character >= '0' && character <= '9';
}

/* Reads a plain decimal number at *cursor and moves it behind; NULL-free, no "inf", no hex. */
static bool scan_decimal(const char **cursor, double *value)
{
	const char *start = *cursor;
	const char *digits = start + (*start == '-' || *start == '+');
	char *end;

	if (!is_digit(*digits) && !(*digits == '.' && is_digit(digits[1])))
		return false;
	if (digits[0] == '0' && (digits[1] == 'x' || digits[1] == 'X'))
		return false;
	errno = 0;
	*value = strtod_l(start, &end, number_locale());
	if (!isfinite(*value))
		return false;
	*cursor = end;
	return true;
}

int number_parse(const char *text, double *value, struct error *err)
{
	const char *cursor = text;

	if (!*text)
		return error_set(err, ERROR_DATA, "empty text where a number belongs");
	if (!scan_decimal(&cursor, value) || *cursor)
		return error_set(err, ERROR_DATA, "'%s' is not a finite decimal number", text);
	return 0;
}

int number_parse_uint(const char *text, uint64_t max, uint64_t *value, struct error *err)
{
	char *end;

	errno = 0;
	*value = strtoull(text, &end, 10);
	if (!is_digit(*text) || *end || errno == ERANGE || *value > max)
		return error_set(err, ERROR_DATA, "'%s' is not a whole number from 0 to %llu", text,
				 (unsigned long long)max);
	return 0;
}

int number_parse_fraction(const char *text, double *fraction, struct error *err)
{
	const char *cursor = text;

	if (scan_decimal(&cursor, fraction)) {
		if (!strcmp(cursor, "%")) {
			*fraction /= 100;
			return 0;
		}
		if (!*cursor)
			return 0;
	}
	return error_set(err, ERROR_DATA, "'%s' is not a fraction like 2%% or 0.02", text);
}

static const struct {
	const char *name;
	double seconds;
} duration_units[] = {
	{"ns", 1e-9}, {"us", 1e-6}, {"ms", 1e-3}, {"s", 1}, {"m", 60}, {"h", 3600},
};

/* Length of the duration unit at `text`, its size in *seconds; 0 when there is none. */
static size_t scan_duration_unit(const char *text, double *seconds)
{
	size_t length = strspn(text, "nmush");

	for (size_t i = 0; i < ARRAY_SIZE(duration_units); i++) {
		if (strlen(duration_units[i].name) == length &&
		    !strncmp(duration_units[i].name, text, length)) {
			*seconds = duration_units[i].seconds;
			return length;
		}
	}
	return 0;
}

/* Reads "3m44.842s"; units must fall, each part at least 0. Counts the parts. */
static bool scan_duration(const char *text, double *total_s, int *parts)
{
	double last_unit_s = INFINITY;

	*total_s = 0;
	*parts = 0;
	while (*text) {
		double value, unit_s;
		size_t length;

		if (!is_digit(*text) || !scan_decimal(&text, &value))
			return false;
		length = scan_duration_unit(text, &unit_s);
		if (!length || unit_s >= last_unit_s)
			return false;
		*total_s += value * unit_s;
		last_unit_s = unit_s;
		text += length;
		++*parts;
	}
	return *parts > 0 && isfinite(*total_s);
}

int number_parse_duration(const char *text, double *seconds, struct error *err)
{
	const char *cursor = text;
	int parts;

	if (is_digit(*text) && scan_decimal(&cursor, seconds) && !*cursor)
		return 0;
	if (scan_duration(text, seconds, &parts))
		return 0;
	return error_set(err, ERROR_DATA, "'%s' is not a duration like 90, 250ms or 3m44.842s",
			 text);
}

int number_parse_quantity(const char *text, double *value, char **unit, struct error *err)
{
	const char *cursor = text;
	int parts;

	*unit = NULL;
	if (scan_duration(text, value, &parts) && parts > 1) {
		*unit = xstrdup("s");
		return 0;
	}
	if (!*text)
		return error_set(err, ERROR_DATA, "empty text where a value belongs");
	if (!scan_decimal(&cursor, value))
		return error_set(err, ERROR_DATA, "'%s' is not a finite number", text);
	cursor += strspn(cursor, " ");
	if (*cursor)
		*unit = xstrdup(cursor);
	return 0;
}

/* Appends "%.*f" (fixed) or "%.*g" with a decimal point, whatever the locale. */
static void append_in_c_locale(struct strbuf *buffer, bool fixed, int digits, double value)
{
	locale_t before = uselocale(number_locale());
	char text[400];

	if (fixed)
		snprintf(text, sizeof(text), "%.*f", digits, value);
	else
		snprintf(text, sizeof(text), "%.*g", digits, value);
	uselocale(before);
	strbuf_append(buffer, text);
}

void number_append_exact(struct strbuf *buffer, double value)
{
	size_t start = buffer->length;

	/* Normal numbers always keep 15 digits; those next to zero have fewer to keep. */
	for (int digits = fabs(value) < DBL_MIN ? 1 : 15; digits <= 17; digits++) {
		const char *cursor;
		double back;

		if (buffer->text)
			buffer->text[start] = '\0';
		buffer->length = start;
		append_in_c_locale(buffer, false, digits, value);
		cursor = buffer->text + start;
		if (scan_decimal(&cursor, &back) && back == value)
			return;
	}
}

void number_append_fixed(struct strbuf *buffer, double value, int decimals)
{
	append_in_c_locale(buffer, true, decimals, value);
}

/* The power of ten of the first digit of `value` rounded to `digits`. */
static int rounded_exponent(double value, int digits)
{
	char text[64];

	snprintf(text, sizeof(text), "%.*e", digits - 1, value);
	return atoi(strchr(text, 'e') + 1);
}

void number_append_significant(struct strbuf *buffer, double value, int digits)
{
	double magnitude = fabs(value);
	int decimals;

	if (!isfinite(value) || magnitude >= 1e15 || (magnitude != 0 && magnitude < 1e-4)) {
		append_in_c_locale(buffer, false, digits, value);
		return;
	}
	decimals = digits - 1 - rounded_exponent(value, digits);
	number_append_fixed(buffer, value, decimals > 0 ? decimals : 0);
}

/* Units that climb or fall by thousands, smallest first; `suffix` is what may follow them. */
static const char *const time_ladder[] = {"ns", "us", "ms", "s", NULL};
static const char *const byte_ladder[] = {"B/s", "KB/s", "MB/s", "GB/s", "TB/s", NULL};
static const char *const *const ladders[] = {time_ladder, byte_ladder};

static const char *const *ladder_find(const char *unit, size_t *rung, const char **suffix)
{
	for (size_t l = 0; l < ARRAY_SIZE(ladders); l++) {
		for (size_t i = 0; ladders[l][i]; i++) {
			size_t length = strlen(ladders[l][i]);

			if (strncmp(unit, ladders[l][i], length))
				continue;
			if (unit[length] && strcmp(unit + length, "/op"))
				continue;
			*rung = i;
			*suffix = unit + length;
			return ladders[l];
		}
	}
	return NULL;
}

void number_append_quantity(struct strbuf *buffer, double value, const char *unit)
{
	const char *suffix = "";
	size_t rung = 0;
	const char *const *ladder = ladder_find(unit, &rung, &suffix);

	if (ladder) {
		/* The limits are those of what four digits show: 999.95 is printed as 1000. */
		for (; fabs(value) >= 999.95 && ladder[rung + 1]; rung++)
			value /= 1000;
		for (; value != 0 && fabs(value) < 0.99995 && rung > 0; rung--)
			value *= 1000;
		unit = ladder[rung];
	}
	number_append_significant(buffer, value, 4);
	if (*unit)
		strbuf_printf(buffer, " %s%s", unit, suffix);
}
