/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <string.h>

#include "reports/html_page.h"
#include "reports/html_style.h"

static char *page_with(const char *text)
{
	_cleanup_(error_clear) struct error err = {0};
	struct strbuf out = STRBUF_INIT;
	struct page page;

	if (page_open(&page, "title", &err) < 0)
		fail_msg("%s", err.message);
	page_start(&page, "p", NULL);
	page_attribute(&page, "title", text);
	page_name(&page, text);
	page_end(&page);
	if (page_close(&page, "test", &out, &err) < 0)
		fail_msg("%s", err.message);
	return strbuf_take(&out);
}

static void assert_paragraph(const char *text, const char *expected)
{
	_cleanup_free_ char *page = page_with(text);

	if (!strstr(page, expected))
		fail_msg("no %s in %s", expected, strstr(page, "<p"));
}

static void markup_is_text(void **state)
{
	(void)state;
	assert_paragraph("</p><script>\"&", "<bdi>&lt;/p&gt;&lt;script&gt;");
	assert_paragraph("a\"b", "title=\"a&quot;b\"");
	assert_paragraph("<!--]]>", "<bdi>&lt;!--]]&gt;</bdi>");
}

static void what_no_page_may_hold_is_shown(void **state)
{
	(void)state;
	assert_paragraph("\033[31m\xff", "<bdi>\\x1b[31m\\xff</bdi>");
	assert_paragraph("x\xef\xbf\xbf", "<bdi>x\\xef\\xbf\\xbf</bdi>");
}

/* U+202E, U+2066 and U+061C turn the text behind them. */
static void writing_keeps_its_direction(void **state)
{
	(void)state;
	assert_paragraph("a\xe2\x80\xae"
			 "b",
			 "<bdi>a\\xe2\\x80\\xaeb</bdi>");
	assert_paragraph("\xe2\x81\xa6", "<bdi>\\xe2\\x81\\xa6</bdi>");
	assert_paragraph("\xd8\x9c", "<bdi>\\xd8\\x9c</bdi>");
	/* Letters of such scripts, and other signs near them, stay. */
	assert_paragraph("\xd7\x90\xd8\xa7\xe2\x82\xac", "<bdi>\xd7\x90\xd8\xa7\xe2\x82\xac</bdi>");
}

static void style_fits_html_and_xml(void **state)
{
	(void)state;
	assert_null(strpbrk(html_style, "<&"));
	assert_null(strstr(html_style, "]]>"));
	assert_null(strstr(html_style, "url("));
	assert_null(strstr(html_style, "@import"));
}

static void coordinates_are_short(void **state)
{
	_cleanup_(strbuf_release) struct strbuf out = STRBUF_INIT;
	_cleanup_(error_clear) struct error err = {0};
	struct page page;

	(void)state;
	assert_int_equal(page_open(&page, "t", &err), 0);
	page_start(&page, "i", NULL);
	page_attribute_number(&page, "a", 12.04);
	page_attribute_number(&page, "b", -0.26);
	page_end(&page);
	assert_int_equal(page_close(&page, "test", &out, &err), 0);
	assert_non_null(strstr(out.text, "<i a=\"12\" b=\"-0.3\"></i>"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(markup_is_text),
		cmocka_unit_test(what_no_page_may_hold_is_shown),
		cmocka_unit_test(writing_keeps_its_direction),
		cmocka_unit_test(style_fits_html_and_xml),
		cmocka_unit_test(coordinates_are_short),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
