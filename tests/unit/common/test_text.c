/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "common/alloc.h"
#include "common/array.h"
#include "common/cleanup.h"
#include "common/text.h"

static void assert_utf8_error(const char *text, size_t length, size_t expected)
{
	assert_int_equal(text_utf8_error(text, length), expected);
}

/* Ill-formed sequences as in table 3-7 of the Unicode standard. */
static void utf8_error_finds_the_first_bad_byte(void **state)
{
	(void)state;
	assert_utf8_error("", 0, 0);
	assert_utf8_error("plain", 5, 5);
	assert_utf8_error("\xc3\xa9\xe2\x82\xac\xf0\x9f\x90\xa7", 9, 9);
	assert_utf8_error("a\x80", 2, 1);	     /* a continuation alone */
	assert_utf8_error("ab\xc0\xaf", 4, 2);	     /* overlong, two bytes */
	assert_utf8_error("\xe0\x9f\xbf", 3, 0);     /* overlong, three bytes */
	assert_utf8_error("\xf0\x8f\xbf\xbf", 4, 0); /* overlong, four bytes */
	assert_utf8_error("\xed\xa0\x80", 3, 0);     /* surrogate */
	assert_utf8_error("\xed\x9f\xbf", 3, 3);     /* U+D7FF, before the surrogates */
	assert_utf8_error("\xf4\x8f\xbf\xbf", 4, 4); /* U+10FFFF */
	assert_utf8_error("\xf4\x90\x80\x80", 4, 0); /* U+110000 */
	assert_utf8_error("\xf5\x80\x80\x80", 4, 0);
	assert_utf8_error("x\xe2\x82", 3, 1); /* cut off */
	assert_utf8_error("x\xe2\x82\x41", 4, 1);
}

static void check_utf8_names_line_and_byte(void **state)
{
	_cleanup_(error_clear) struct error err = {0};

	(void)state;
	assert_int_equal(text_check_utf8("one\ntwo\n", 8, &err), 0);
	assert_int_equal(text_check_utf8("one\ntw\xff\n", 8, &err), -1);
	assert_int_equal(err.kind, ERROR_DATA);
	assert_string_equal(err.message, "line 2: byte 3 (0xff) is not UTF-8 text");
	assert_int_equal(text_check_utf8("a\0b\xff", 4, &err), -1);
	assert_string_equal(err.message, "line 1: byte 2 (0x00) is not UTF-8 text");
}

static void assert_visible(const char *text, const char *expected)
{
	_cleanup_(strbuf_release) struct strbuf visible = STRBUF_INIT;

	text_append_visible(&visible, text);
	assert_string_equal(strbuf_text(&visible), expected);
}

static void append_visible_escapes_controls(void **state)
{
	(void)state;
	assert_visible("", "");
	assert_visible("caf\xc3\xa9", "caf\xc3\xa9");
	assert_visible("a\tb\n", "a\\x09b\\x0a");
	assert_visible("\x1b[31mred", "\\x1b[31mred");
	assert_visible("\x7f", "\\x7f");
	assert_visible("\xff\xc3", "\\xff\\xc3");
	assert_visible("\xc2\x9b"
		       "31m",
		       "\\xc2\\x9b31m"); /* U+009B begins a terminal sequence */
	assert_visible("\xc2\xa0", "\xc2\xa0");
}

static void width_counts_code_points(void **state)
{
	(void)state;
	assert_int_equal(text_width(""), 0);
	assert_int_equal(text_width("abc"), 3);
	assert_int_equal(text_width("\xc2\xb5s \xe2\x89\xa4"), 4);
}

static void matches_shell_patterns(void **state)
{
	(void)state;
	assert_true(text_matches("lock.*", "lock.spin_irqsave"));
	assert_true(text_matches("mm.[fk]*", "mm.fork"));
	assert_true(text_matches("*", ""));
	assert_false(text_matches("lock.*", "mm.fork"));
	assert_false(text_matches("lock", "lock.spin"));
}

/* What `git hash-object` prints for the same bytes. */
static void digest_is_that_of_a_git_blob(void **state)
{
	_cleanup_(strbuf_release) struct strbuf digest = STRBUF_INIT;

	(void)state;
	text_append_digest(&digest, "", 0, 40);
	assert_string_equal(digest.text, "e69de29bb2d1d6434b8b29ae775ad8c2e48c5391");
	strbuf_clear(&digest);
	text_append_digest(&digest, "hello\n", 6, 99);
	assert_string_equal(digest.text, "ce013625030ba8dba906f756967f9e9ca394464a");
	strbuf_clear(&digest);
	strbuf_append(&digest, "KR-");
	text_append_digest(&digest, "hello\n", 6, 12);
	assert_string_equal(digest.text, "KR-ce013625030b");
}

static void the_tail_of_a_text(void **state)
{
	static const struct {
		const char *text;
		size_t lines;
		const char *tail;
	} cases[] = {
		{"", 3, ""},
		{"\n\n", 3, ""},
		{"one", 1, "one"},
		{"one\ntwo\nthree", 2, "two\nthree"},
		{"one\ntwo\nthree\n", 2, "two\nthree"},
		{"one\ntwo\nthree\n\n\r\n", 1, "three"},
		{"one\ntwo", 9, "one\ntwo"},
		{"one\n\ntwo", 2, "\ntwo"},
		{"one\r\ntwo\r\n", 2, "one\ntwo"},
		{"\x1b[1mred\ttab", 1, "\\x1b[1mred\\x09tab"},
		{"\xff\xc3\xa4", 1, "\\xff\xc3\xa4"},
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		_cleanup_free_ char *tail = text_tail(cases[i].text, cases[i].lines);

		assert_string_equal(tail, cases[i].tail);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(utf8_error_finds_the_first_bad_byte),
		cmocka_unit_test(check_utf8_names_line_and_byte),
		cmocka_unit_test(append_visible_escapes_controls),
		cmocka_unit_test(width_counts_code_points),
		cmocka_unit_test(matches_shell_patterns),
		cmocka_unit_test(digest_is_that_of_a_git_blob),
		cmocka_unit_test(the_tail_of_a_text),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
