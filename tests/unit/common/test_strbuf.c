/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "common/strbuf.h"

static void empty_buffer_has_text(void **state)
{
	struct strbuf buffer = STRBUF_INIT;
	char *taken;

	(void)state;
	assert_string_equal(strbuf_text(&buffer), "");
	strbuf_clear(&buffer);
	taken = strbuf_take(&buffer);
	assert_string_equal(taken, "");
	free(taken);
	strbuf_release(&buffer);
}

static void appends_of_all_kinds_add_up(void **state)
{
	_cleanup_(strbuf_release) struct strbuf buffer = STRBUF_INIT;

	(void)state;
	strbuf_append(&buffer, "ab");
	strbuf_append_char(&buffer, 'c');
	strbuf_append_repeat(&buffer, '-', 3);
	strbuf_append_repeat(&buffer, '+', 0);
	strbuf_printf(&buffer, "%d%%", 42);
	strbuf_append_bytes(&buffer, "x\0y", 3);
	assert_int_equal(buffer.length, 12);
	assert_memory_equal(buffer.text, "abc---42%x\0y", 13);
}

static void long_text_grows_the_buffer(void **state)
{
	_cleanup_(strbuf_release) struct strbuf buffer = STRBUF_INIT;

	(void)state;
	for (int i = 0; i < 10000; i++) {
		strbuf_append_char(&buffer, (char)('a' + i % 26));
		assert_true(buffer.capacity > buffer.length);
	}
	assert_int_equal(strlen(buffer.text), 10000);
	for (int i = 0; i < 10000; i++)
		assert_int_equal(buffer.text[i], 'a' + i % 26);
}

static void take_leaves_an_empty_buffer(void **state)
{
	struct strbuf buffer = STRBUF_INIT;
	char *taken;

	(void)state;
	strbuf_append(&buffer, "text");
	taken = strbuf_take(&buffer);
	assert_string_equal(taken, "text");
	assert_null(buffer.text);
	assert_int_equal(buffer.length, 0);
	free(taken);
}

static void clear_keeps_the_storage(void **state)
{
	_cleanup_(strbuf_release) struct strbuf buffer = STRBUF_INIT;
	size_t capacity;

	(void)state;
	strbuf_append(&buffer, "text");
	capacity = buffer.capacity;
	strbuf_clear(&buffer);
	assert_string_equal(strbuf_text(&buffer), "");
	assert_int_equal(buffer.capacity, capacity);
	strbuf_append(&buffer, "new");
	assert_string_equal(buffer.text, "new");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(empty_buffer_has_text),
		cmocka_unit_test(appends_of_all_kinds_add_up),
		cmocka_unit_test(long_text_grows_the_buffer),
		cmocka_unit_test(take_leaves_an_empty_buffer),
		cmocka_unit_test(clear_keeps_the_storage),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
