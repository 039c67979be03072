/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include <float.h>
#include <locale.h>
#include <math.h>

#include "common/array.h"
#include "common/number.h"

static void number_parse_takes_decimal_numbers(void **state)
{
	static const struct {
		const char *text;
		double value;
	} cases[] = {
		{"0", 0},	 {"-0.5", -0.5},
		{"+7", 7},	 {".25", 0.25},
		{"1e3", 1000},	 {"1E-2", 0.01},
		{"12.5e1", 125}, {"5.", 5},
		{"0.1", 0.1},	 {"9007199254740993", 9007199254740992.0},
		{"1e-400", 0},	 {"1.7976931348623157e308", DBL_MAX},
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		_cleanup_(error_clear) struct error err = {0};
		double value = NAN;

		assert_int_equal(number_parse(cases[i].text, &value, &err), 0);
		assert_true(value == cases[i].value);
		assert_null(err.message);
	}
}

static void number_parse_refuses_the_rest(void **state)
{
	static const char *const cases[] = {
		"",	" ",	" 1",  "1 ",	"nan", "NaN", "inf", "-inf", "infinity", "1e309",
		"0x10", "-0X1", "1,5", "1.2.3", "--1", "+-1", ".",   "e5",   "1e",	 "12ns",
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		_cleanup_(error_clear) struct error err = {0};
		double value;

		assert_int_equal(number_parse(cases[i], &value, &err), -1);
		assert_int_equal(err.kind, ERROR_DATA);
		assert_non_null(strstr(err.message, cases[i]));
	}
}

static void number_parse_uint_keeps_the_limit(void **state)
{
	_cleanup_(error_clear) struct error err = {0};
	uint64_t value;

	(void)state;
	assert_int_equal(number_parse_uint("18446744073709551615", UINT64_MAX, &value, &err), 0);
	assert_true(value == UINT64_MAX);
	assert_int_equal(number_parse_uint("255", 255, &value, &err), 0);
	assert_int_equal(value, 255);
	assert_int_equal(number_parse_uint("007", 255, &value, &err), 0);
	assert_int_equal(value, 7);
	assert_int_equal(number_parse_uint("256", 255, &value, &err), -1);
	assert_string_equal(err.message, "'256' is not a whole number from 0 to 255");
	assert_int_equal(number_parse_uint("18446744073709551616", UINT64_MAX, &value, &err), -1);
}

static void number_parse_uint_refuses_other_text(void **state)
{
	static const char *const cases[] = {"", "-1", "+1", " 1", "1 ", "1.0", "0x1", "1e2", "a"};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		_cleanup_(error_clear) struct error err = {0};
		uint64_t value;

		assert_int_equal(number_parse_uint(cases[i], UINT64_MAX, &value, &err), -1);
		assert_int_equal(err.kind, ERROR_DATA);
	}
}

static void number_parse_fraction_takes_both_ways(void **state)
{
	_cleanup_(error_clear) struct error err = {0};
	double fraction;

	(void)state;
	assert_int_equal(number_parse_fraction("2%", &fraction, &err), 0);
	assert_true(fraction == 0.02);
	assert_int_equal(number_parse_fraction("0.02", &fraction, &err), 0);
	assert_true(fraction == 0.02);
	assert_int_equal(number_parse_fraction("0", &fraction, &err), 0);
	assert_true(fraction == 0);
	assert_int_equal(number_parse_fraction("2%%", &fraction, &err), -1);
	assert_int_equal(number_parse_fraction("%", &fraction, &err), -1);
	assert_int_equal(number_parse_fraction("two", &fraction, &err), -1);
	assert_string_equal(err.message, "'two' is not a fraction like 2% or 0.02");
}

static void number_parse_duration_adds_the_parts(void **state)
{
	static const struct {
		const char *text;
		double seconds;
	} cases[] = {
		{"90", 90},	 {"1.5s", 1.5},		 {"250ms", 0.25},  {"80us", 80e-6},
		{"12ns", 12e-9}, {"3m44.842s", 224.842}, {"1h2m3s", 3723}, {"2m", 120},
		{"0", 0},	 {"1s500ms", 1.5},
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		_cleanup_(error_clear) struct error err = {0};
		double seconds = NAN;

		assert_int_equal(number_parse_duration(cases[i].text, &seconds, &err), 0);
		assert_true(fabs(seconds - cases[i].seconds) <= 1e-15 * cases[i].seconds);
	}
}

static void number_parse_duration_refuses_the_rest(void **state)
{
	static const char *const cases[] = {
		"",    "-1",  "-1s", "s",      "1x",  "3s2m",  "1s1s",
		"1 s", "1s ", "nan", "1e999s", "1hs", "1msec", "0x1s",
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		_cleanup_(error_clear) struct error err = {0};
		double seconds;

		assert_int_equal(number_parse_duration(cases[i], &seconds, &err), -1);
		assert_int_equal(err.kind, ERROR_DATA);
	}
}

static void number_parse_quantity_splits_off_the_unit(void **state)
{
	static const struct {
		const char *text;
		double value;
		const char *unit;
	} cases[] = {
		{"1027.96", 1027.96, NULL},
		{"3m44.842s", 224.842, "s"},
		{"21.099ns", 21.099, "ns"},
		{"335.9 MB/s", 335.9, "MB/s"},
		{"-4 degrees", -4, "degrees"},
		{"5m", 5, "m"},
		{"12%", 12, "%"},
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		_cleanup_(error_clear) struct error err = {0};
		_cleanup_free_ char *unit = NULL;
		double value = NAN;

		assert_int_equal(number_parse_quantity(cases[i].text, &value, &unit, &err), 0);
		assert_true(fabs(value - cases[i].value) <= 1e-15 * fabs(cases[i].value));
		if (cases[i].unit)
			assert_string_equal(unit, cases[i].unit);
		else
			assert_null(unit);
	}
}

static void number_parse_quantity_refuses_what_has_no_value(void **state)
{
	static const char *const cases[] = {"", "ns", "nan ns", "inf", "-", "1e999 s"};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		_cleanup_(error_clear) struct error err = {0};
		char *unit = NULL;
		double value;

		assert_int_equal(number_parse_quantity(cases[i], &value, &unit, &err), -1);
		assert_null(unit);
		assert_int_equal(err.kind, ERROR_DATA);
	}
}

static void assert_exact(double value, const char *expected)
{
	_cleanup_(strbuf_release) struct strbuf text = STRBUF_INIT;

	strbuf_append(&text, "x=");
	number_append_exact(&text, value);
	assert_string_equal(strbuf_text(&text) + 2, expected);
	assert_int_equal(text.length, strlen(expected) + 2);
}

static void number_append_exact_is_the_shortest(void **state)
{
	(void)state;
	assert_exact(0, "0");
	assert_exact(0.1, "0.1");
	assert_exact(0.1 + 0.2, "0.30000000000000004");
	assert_exact(21.099, "21.099");
	assert_exact(1.0 / 3, "0.3333333333333333");
	assert_exact(1e22, "1e+22");
	assert_exact(5e-324, "5e-324");
	assert_exact(DBL_MIN, "2.2250738585072014e-308");
	assert_exact(-DBL_MAX, "-1.7976931348623157e+308");
}

/* Bit patterns from a linear congruential sequence (Knuth's MMIX constants), finite ones only. */
static void number_append_exact_reads_back(void **state)
{
	uint64_t bits = 1;

	(void)state;
	for (int i = 0; i < 20000; i++) {
		_cleanup_(strbuf_release) struct strbuf text = STRBUF_INIT;
		_cleanup_(error_clear) struct error err = {0};
		double value, back = NAN;

		bits = bits * 6364136223846793005u + 1442695040888963407u;
		memcpy(&value, &bits, sizeof(value));
		if (!isfinite(value))
			continue;
		number_append_exact(&text, value);
		assert_int_equal(number_parse(text.text, &back, &err), 0);
		assert_memory_equal(&back, &value, sizeof(value));
	}
}

static void assert_significant(double value, int digits, const char *expected)
{
	_cleanup_(strbuf_release) struct strbuf text = STRBUF_INIT;

	number_append_significant(&text, value, digits);
	assert_string_equal(strbuf_text(&text), expected);
}

static void number_append_significant_keeps_the_digits(void **state)
{
	(void)state;
	assert_significant(0, 4, "0.000");
	assert_significant(1, 4, "1.000");
	assert_significant(-12.3456, 4, "-12.35");
	assert_significant(123456, 4, "123456");
	assert_significant(999.96, 4, "1000");
	assert_significant(0.99996, 4, "1.000");
	assert_significant(0.099996, 4, "0.1000");
	assert_significant(0.00012345, 3, "0.000123");
	assert_significant(1000, 4, "1000");
	assert_significant(0.00001, 3, "1e-05");
	assert_significant(1.5e15, 3, "1.5e+15");
	assert_significant(INFINITY, 3, "inf");
}

static void assert_quantity(double value, const char *unit, const char *expected)
{
	_cleanup_(strbuf_release) struct strbuf text = STRBUF_INIT;

	number_append_quantity(&text, value, unit);
	assert_string_equal(strbuf_text(&text), expected);
}

static void number_append_quantity_chooses_the_prefix(void **state)
{
	(void)state;
	assert_quantity(0.000021, "s", "21.00 us");
	assert_quantity(1234567, "B/s", "1.235 MB/s");
	assert_quantity(21.099, "ns/op", "21.10 ns/op");
	assert_quantity(1234567, "ns/op", "1.235 ms/op");
	assert_quantity(-1500, "ns", "-1.500 us");
	assert_quantity(0, "ns/op", "0.000 ns/op");
	assert_quantity(0, "us", "0.000 us");
	assert_quantity(999.96, "ns", "1.000 us");
	assert_quantity(0.99996, "us", "1.000 us");
	assert_quantity(0.5, "ns/op", "0.5000 ns/op");
	assert_quantity(5000, "s", "5000 s");
	assert_quantity(123456, "insn/op", "123456 insn/op");
	assert_quantity(3.5, "", "3.500");
	assert_quantity(12345, "nsomething", "12345 nsomething");
}

static void number_append_fixed_keeps_decimals(void **state)
{
	_cleanup_(strbuf_release) struct strbuf text = STRBUF_INIT;

	(void)state;
	number_append_fixed(&text, 2.345, 1);
	strbuf_append_char(&text, ' ');
	number_append_fixed(&text, -7, 3);
	assert_string_equal(text.text, "2.3 -7.000");
}

/* A locale with a decimal comma must change neither reading nor writing. */
static void numbers_ignore_the_locale(void **state)
{
	static const char *const names[] = {"de_DE.UTF-8", "de_DE.utf8", "fr_FR.UTF-8", "de_DE"};
	_cleanup_(strbuf_release) struct strbuf text = STRBUF_INIT;
	_cleanup_(error_clear) struct error err = {0};
	const char *chosen = NULL;
	double value = 0;

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(names) && !chosen; i++)
		chosen = setlocale(LC_ALL, names[i]);
	if (!chosen)
		skip();
	assert_int_equal(number_parse("1.5", &value, &err), 0);
	number_append_exact(&text, 2.5);
	setlocale(LC_ALL, "C");
	assert_true(value == 1.5);
	assert_string_equal(text.text, "2.5");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(number_parse_takes_decimal_numbers),
		cmocka_unit_test(number_parse_refuses_the_rest),
		cmocka_unit_test(number_parse_uint_keeps_the_limit),
		cmocka_unit_test(number_parse_uint_refuses_other_text),
		cmocka_unit_test(number_parse_fraction_takes_both_ways),
		cmocka_unit_test(number_parse_duration_adds_the_parts),
		cmocka_unit_test(number_parse_duration_refuses_the_rest),
		cmocka_unit_test(number_parse_quantity_splits_off_the_unit),
		cmocka_unit_test(number_parse_quantity_refuses_what_has_no_value),
		cmocka_unit_test(number_append_exact_is_the_shortest),
		cmocka_unit_test(number_append_exact_reads_back),
		cmocka_unit_test(number_append_significant_keeps_the_digits),
		cmocka_unit_test(number_append_quantity_chooses_the_prefix),
		cmocka_unit_test(number_append_fixed_keeps_decimals),
		cmocka_unit_test(numbers_ignore_the_locale),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
