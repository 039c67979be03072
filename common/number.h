/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Numbers as text, the same in every locale: the decimal point is a point.
 */
#ifndef KREGRESS_COMMON_NUMBER_H
#define KREGRESS_COMMON_NUMBER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/error.h"
#include "common/strbuf.h"

/*
 * The finite decimal number that `text` consists of, without anything before or behind it.
 * Refused with ERROR_DATA and the offending text: empty, NaN, infinity, out of range, hex.
 */
int number_parse(const char *text, double *value, struct error *err) __must_check;

/* Decimal unsigned integer, at most `max`. */
int number_parse_uint(const char *text, uint64_t max, uint64_t *value, struct error *err)
	__must_check;

/* "2%" or "0.02" gives 0.02. */
int number_parse_fraction(const char *text, double *fraction, struct error *err) __must_check;

/*
 * A duration in seconds: "90", "1.5s", "250ms", "80us", "12ns", "3m44.842s", "1h2m3s", "2m".
 * Negative values are refused.
 */
int number_parse_duration(const char *text, double *seconds, struct error *err) __must_check;

/*
 * A measured value with an optional unit behind it, as people write it in tables: "1027.96",
 * "3m44.842s", "21.099ns", "335.9 MB/s". `*unit` gets an owned string or NULL when the text has
 * no unit; durations of more than one part come in "s", others keep the unit as written.
 */
int number_parse_quantity(const char *text, double *value, char **unit, struct error *err)
	__must_check;

/* Appends the shortest text that reads back as exactly `value`. */
void number_append_exact(struct strbuf *buffer, double value);

/* Appends `value` with `decimals` places ("%.*f"). */
void number_append_fixed(struct strbuf *buffer, double value, int decimals);

/* Appends `value` with `digits` significant digits and no exponent for 1e-4 <= |value| < 1e15. */
void number_append_significant(struct strbuf *buffer, double value, int digits);

/*
 * Appends a value for people: prefix chosen so that 1 <= number < 1000 where the unit can carry
 * one ("0.000021 s" -> "21.00 us", "1234567 B/s" -> "1.235 MB/s"; "ns/op" climbs to us, ms, s),
 * four significant digits, then the unit. Unknown units are printed as they are.
 */
void number_append_quantity(struct strbuf *buffer, double value, const char *unit);

#endif
