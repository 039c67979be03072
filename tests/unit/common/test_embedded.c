/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#include "common/embedded.h"

#define OPEN  "<html><script type=\"" EMBEDDED_TYPE "\" id=\"d\">"
#define CLOSE "</script></html>"

static bool find(const char *page, const char **text, size_t *size)
{
	size_t start;

	if (!embedded_find(page, strlen(page), &start, size))
		return false;
	*text = page + start;
	return true;
}

static void markup_is_escaped(void **state)
{
	static const char json[] = "{\"a\":\"</script><!--]]>&amp;\"}\n";
	_cleanup_(strbuf_release) struct strbuf out = STRBUF_INIT;

	(void)state;
	embedded_append(&out, json, strlen(json));
	assert_string_equal(strbuf_text(&out), "{\"a\":\"\\u003c/script\\u003e\\u003c!--]]"
					       "\\u003e\\u0026amp;\"}\n");
}

/* U+FFFD may stand; U+FFFE and U+FFFF may not. */
static void noncharacters_are_escaped(void **state)
{
	_cleanup_(strbuf_release) struct strbuf out = STRBUF_INIT;

	(void)state;
	embedded_append(&out, "\xef\xbf\xbd\xef\xbf\xbe\xef\xbf\xbf\xef\xbf", 11);
	assert_string_equal(strbuf_text(&out), "\xef\xbf\xbd\\ufffe\\uffff\xef\xbf");
}

static void plain_text_stays(void **state)
{
	_cleanup_(strbuf_release) struct strbuf out = STRBUF_INIT;

	(void)state;
	embedded_append(&out, "[1.5,2]\n", 8);
	embedded_append(&out, "", 0);
	assert_string_equal(strbuf_text(&out), "[1.5,2]\n");
}

static void block_is_found(void **state)
{
	const char *text = NULL;
	size_t size = 0;

	(void)state;
	assert_true(find(OPEN "\n{}\n" CLOSE, &text, &size));
	assert_int_equal(size, 3);
	assert_memory_equal(text, "{}\n", 3);
	assert_true(find(OPEN CLOSE, &text, &size));
	assert_int_equal(size, 0);
}

static void what_is_no_block_is_refused(void **state)
{
	static const char *const pages[] = {
		"",
		"<script>x</script>",
		OPEN,
		OPEN "{}",
		"<script type=\"" EMBEDDED_TYPE,
		"<script type=\"" EMBEDDED_TYPE "\"</script",
	};
	const char *text;
	size_t size;

	(void)state;
	for (size_t i = 0; i < sizeof(pages) / sizeof(*pages); i++)
		assert_false(find(pages[i], &text, &size));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(markup_is_escaped),
		cmocka_unit_test(noncharacters_are_escaped),
		cmocka_unit_test(plain_text_stays),
		cmocka_unit_test(block_is_found),
		cmocka_unit_test(what_is_no_block_is_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
