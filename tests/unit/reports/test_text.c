/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "common/file.h"
#include "common/text.h"
#include "reports/format.h"
#include "reports/table.h"
#include "tests/unit/reports/sets.h"

static struct report build_pair(const struct run_set *base, const struct run_set *variant)
{
	struct report_options options = default_options();

	return build(base, &variant, 1, &options);
}

static void table_of_2013_is_the_fixture(void **state)
{
	_cleanup_(strbuf_release) struct strbuf expected = STRBUF_INIT;
	_cleanup_(error_clear) struct error err = {0};
	_cleanup_free_ char *text = NULL;
	struct run_set base, variant;
	struct report report;

	(void)state;
	if (file_read(REPORT_FIXTURES "/table_2013.txt", &expected, &err) < 0)
		fail_msg("%s", err.message);
	sets_2013(&base, &variant);
	report = build_pair(&base, &variant);
	text = write_report(&report, "text");
	assert_string_equal(text, strbuf_text(&expected));
	report_release(&report);
	run_set_release(&base);
	run_set_release(&variant);
}

/* The ratio is the last word of its row. */
static void assert_row(const char *text, const char *start, const char *ratio)
{
	const char *row = strstr(text, start);
	_cleanup_free_ char *line = NULL;

	if (!row)
		fail_msg("no row '%s' in\n%s", start, text);
	line = xstrndup(row, strcspn(row, "\n"));
	assert_true(strlen(line) > strlen(ratio) + 1);
	assert_string_equal(line + strlen(line) - strlen(ratio), ratio);
}

static void three_variants_share_a_table(void **state)
{
	struct report_options options = default_options();
	struct run_set sets[3];
	const struct run_set *const variants[] = {&sets[1], &sets[2]};
	_cleanup_free_ char *text = NULL;
	struct report report;

	(void)state;
	sets_2005(&sets[0], &sets[1], &sets[2]);
	report = build(&sets[0], variants, 2, &options);
	text = write_report(&report, "text");
	/* 91/97, 101/97, 629/776 and 794/776. */
	assert_row(text, "fork       time, us  lower        97  preempt_rt     91 ", " 0.938");
	assert_row(text, "   ipipe         101 ", " 1.041");
	assert_row(text, "mmap       time, us  lower       776  preempt_rt    629 ", " 0.810");
	assert_row(text, "   ipipe         794 ", " 1.023");
	assert_non_null(strstr(text, "fork time, ipipe: inconclusive: +4.1%"));
	report_release(&report);
	for (size_t i = 0; i < ARRAY_SIZE(sets); i++)
		run_set_release(&sets[i]);
}

static void many_boots_show_mean_and_deviation(void **state)
{
	static const double old[] = {21000, 21100, 20900, 21050}, new[] = {21500, 21600, 21450};
	struct run_set base, variant;
	_cleanup_free_ char *text = NULL;
	struct report report;

	(void)state;
	set_init(&base, "base", 4);
	set_init(&variant, "new", 3);
	set_add(&base, "mm.fork", "", "time", "ns/op", BETTER_LOWER, old, 4);
	set_add(&variant, "mm.fork", "", "time", "ns/op", BETTER_LOWER, new, 3);
	report = build_pair(&base, &variant);
	text = write_report(&report, "text");
	assert_row(text, "mm.fork    time, us/op  lower   21.012 ± 0.085 n=4  21.50 21.60 21.45 ",
		   " 1.023");
	report_release(&report);
	run_set_release(&base);
	run_set_release(&variant);
}

static void assert_safe_for_a_terminal(const char *text)
{
	assert_int_equal(text_utf8_error(text, strlen(text)), strlen(text));
	for (const char *byte = text; *byte; byte++)
		if ((*byte >= 0 && *byte < 0x20 && *byte != '\n') || *byte == 0x7f)
			fail_msg("byte 0x%02x", *byte);
	assert_null(strstr(text, "\xc2\x9b"));
}

static void hostile_text_is_made_visible(void **state)
{
	struct run_set base, variant;
	struct report report;

	(void)state;
	sets_hostile(&base, &variant);
	report = build_pair(&base, &variant);
	for (const char *const *format = (const char *const[]){"text", "markdown", NULL}; *format;
	     format++) {
		_cleanup_free_ char *text = write_report(&report, *format);

		assert_safe_for_a_terminal(text);
		assert_true(strlen(text) < 100000);
		assert_non_null(strstr(text, "esc."));
	}
	report_release(&report);
	run_set_release(&base);
	run_set_release(&variant);
}

static void failed_boots_show_the_end_of_the_console(void **state)
{
	struct run_set base, variant;
	_cleanup_free_ char *text = NULL;
	struct report report;

	(void)state;
	sets_hostile(&base, &variant);
	report = build_pair(&base, &variant);
	text = write_report(&report, "text");
	assert_non_null(strstr(text, "boot 3 (slot 6): panic: \\x1b[31m]]> \\xff<&\"'> not "
				     "syncing\n    ["));
	assert_non_null(strstr(text, " bytes left out]\n"));
	assert_non_null(strstr(text, "\n    ---[ end Kernel panic ]---\n"));
	report_release(&report);
	run_set_release(&base);
	run_set_release(&variant);
}

static void context_is_counted_not_shown(void **state)
{
	static const double values[] = {1, 1.1, 1.05};
	struct run_set base, variant;
	_cleanup_free_ char *text = NULL;
	struct report report;

	(void)state;
	sets_2013(&base, &variant);
	set_add(&base, "loop.empty", "for=x", "time", "ns/op", BETTER_LOWER, values, 3);
	set_add(&variant, "loop.empty", "for=x", "time", "ns/op", BETTER_LOWER, values, 3);
	report = build_pair(&base, &variant);
	text = write_report(&report, "text");
	assert_null(strstr(text, "loop.empty"));
	assert_non_null(strstr(text, "note: 1 series of the harness's own empty loop"));
	report_release(&report);
	run_set_release(&base);
	run_set_release(&variant);
}

/* No markup of a name is markup of the comment, and nobody is called by it. */
static void markdown_escapes(void **state)
{
	struct run_set base, variant;
	_cleanup_free_ char *text = NULL;
	struct report report;

	(void)state;
	sets_hostile(&base, &variant);
	report = build_pair(&base, &variant);
	text = write_report(&report, "markdown");
	assert_null(strchr(text, '@'));
	for (const char *tag = strchr(text, '<'); tag; tag = strchr(tag + 1, '<'))
		assert_true(!strncmp(tag, "<details><summary>", 18) ||
			    !strncmp(tag, "<summary>", 9) || !strncmp(tag, "</summary>", 10) ||
			    !strncmp(tag, "</details>\n", 11));
	assert_non_null(strstr(text, "### kregress: performance regression\n"));
	for (char *row = text; row; row = strchr(row + 1, '\n')) {
		size_t bars = 0;

		if (strncmp(row, "\n| ", 3) != 0)
			continue;
		for (const char *byte = row + 1; *byte && *byte != '\n'; byte++)
			bars += *byte == '|' && byte[-1] != '\\';
		assert_int_equal(bars, 7);
	}
	report_release(&report);
	run_set_release(&base);
	run_set_release(&variant);
}

static void markdown_folds_the_details(void **state)
{
	struct run_set base, variant;
	_cleanup_free_ char *text = NULL;
	struct report report;
	const char *table, *fold;

	(void)state;
	sets_2013(&base, &variant);
	report = build_pair(&base, &variant);
	text = write_report(&report, "markdown");
	assert_int_equal(strncmp(text, "### kregress: performance regression\n", 37), 0);
	table = strstr(text, "| tbench \\[8\\] rate | preempt | -10.0% |");
	fold = strstr(text, "<details>");
	assert_true(table && fold && table < fold);
	/* What is undecided and what is equivalent needs nobody's eye at once. */
	assert_null(strstr(text, "| vmark"));
	assert_true(strstr(text, "- vmark rate: inconclusive") > fold);
	assert_null(strstr(text, "kbuild"));
	report_release(&report);
	run_set_release(&base);
	run_set_release(&variant);
}

static size_t widest_row(const char *text)
{
	size_t widest = 0;

	while (*text) {
		size_t length = strcspn(text, "\n");
		_cleanup_free_ char *line = xstrndup(text, length);

		widest = text_width(line) > widest ? text_width(line) : widest;
		text += length + (text[length] == '\n');
	}
	return widest;
}

static void text_fits_a_terminal(void **state)
{
	static const size_t widths[] = {60, 80, 100, 200};
	struct run_set base, variant;
	struct report report;

	(void)state;
	sets_2013(&base, &variant);
	report = build_pair(&base, &variant);
	for (size_t i = 0; i < ARRAY_SIZE(widths); i++) {
		_cleanup_free_ char *text = NULL;

		report.presentation.columns = widths[i];
		text = write_report(&report, "text");
		/* Verdict and values stay, whatever the width. */
		assert_non_null(strstr(text, "  regressed"));
		assert_non_null(strstr(text, widths[i] >= 200 ? "1027.96 1028.76 1044.60"
							      : "1033.8 ± 9.4 n=3"));
		if (widths[i] >= 80)
			assert_in_range(widest_row(text), 1, widths[i]);
	}
	report_release(&report);
	run_set_release(&base);
	run_set_release(&variant);
}

static void colour_is_on_request(void **state)
{
	struct run_set base, variant;
	struct report report;
	_cleanup_free_ char *plain = NULL, *coloured = NULL;

	(void)state;
	sets_2013(&base, &variant);
	report = build_pair(&base, &variant);
	plain = write_report(&report, "text");
	assert_null(strchr(plain, '\033'));
	report.presentation.colour = true;
	coloured = write_report(&report, "text");
	assert_non_null(strstr(coloured, "\033[1;31mregressed\033[0m"));
	assert_non_null(strstr(coloured, "\033[33minconclusive\033[0m"));
	report_release(&report);
	run_set_release(&base);
	run_set_release(&variant);
}

static void markdown_is_bounded(void **state)
{
	static const double fast[] = {10, 10.1, 10.05}, slow[] = {12, 12.1, 12.05};
	struct run_set base, variant;
	_cleanup_free_ char *text = NULL;
	struct report report;

	(void)state;
	set_init(&base, "base", 3);
	set_init(&variant, "new", 3);
	for (int i = 0; i < 60; i++) {
		_cleanup_free_ char *params = xasprintf("n=%d", i);

		set_add(&base, "mm.a", params, "time", "ns/op", BETTER_LOWER, fast, 3);
		set_add(&variant, "mm.a", params, "time", "ns/op", BETTER_LOWER, slow, 3);
	}
	report = build_pair(&base, &variant);
	text = write_report(&report, "markdown");
	/* GitHub refuses comments of more characters. */
	assert_true(strlen(text) < 65536);
	assert_non_null(strstr(text, "\n20 more findings are left out here.\n"));
	report_release(&report);
	run_set_release(&base);
	run_set_release(&variant);
}

static void expect_ratio(double ratio, const char *expected)
{
	_cleanup_(strbuf_release) struct strbuf text = STRBUF_INIT;

	format_ratio(&text, ratio);
	assert_string_equal(strbuf_text(&text), expected);
}

static void expect_change(double ratio, const char *expected)
{
	_cleanup_(strbuf_release) struct strbuf text = STRBUF_INIT;

	format_change(&text, ratio);
	assert_string_equal(strbuf_text(&text), expected);
}

static void numbers_are_readable(void **state)
{
	struct scale scale;

	(void)state;
	expect_ratio(1.0717554, "1.071");
	expect_ratio(0.9, "0.900");
	expect_ratio(1.001, "1.001");
	expect_ratio(2, "2.000");
	expect_ratio(1e-5, "1e-05");
	expect_ratio(0, "0.000");
	expect_change(1, "+0.0%");
	expect_change(1.0717554, "+7.2%");
	expect_change(0.81, "-19.0%");
	expect_change(1.0003, "+0.030%");
	scale = scale_for(12500, "ns/op");
	assert_string_equal(scale.unit, "us/op");
	assert_true(scale.factor > 0.000999 && scale.factor < 0.001001);
	scale_release(&scale);
	scale = scale_for(1027.96, "MB/s");
	assert_string_equal(scale.unit, "MB/s");
	assert_true(scale.factor == 1);
	scale_release(&scale);
	scale = scale_for(0, "s");
	assert_string_equal(scale.unit, "s");
	scale_release(&scale);
}

static void tails_begin_with_a_line(void **state)
{
	_cleanup_(strbuf_release) struct strbuf text = STRBUF_INIT;

	(void)state;
	format_tail(&text, "first\nsecond\nthird\n", 9);
	assert_string_equal(strbuf_text(&text), "[13 bytes left out]\nthird\n");
	strbuf_clear(&text);
	format_tail(&text, "whole\n", 6);
	assert_string_equal(strbuf_text(&text), "whole\n");
	strbuf_clear(&text);
	format_tail(&text, "aa\xc3\xa4\xc3\xa4", 3);
	assert_string_equal(strbuf_text(&text), "[4 bytes left out]\n\xc3\xa4");
	strbuf_clear(&text);
	format_head(&text, "a\xc3\xa4z", 2);
	assert_string_equal(strbuf_text(&text), "a...");
}

static void columns_are_aligned(void **state)
{
	static const char *const cells[] = {"\xc3\xa4", "1", "", "long", "", "x", "bb", "22", "y"};
	_cleanup_(strbuf_release) struct strbuf text = STRBUF_INIT;
	struct table table = {.columns = 3, .align_right = {false, true, false}};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(cells); i++)
		table_add(&table, cells[i]);
	table_append(&table, &text);
	assert_string_equal(strbuf_text(&text), "\xc3\xa4      1\nlong      x\nbb    22  y\n");
	table_release(&table);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(table_of_2013_is_the_fixture),
		cmocka_unit_test(three_variants_share_a_table),
		cmocka_unit_test(many_boots_show_mean_and_deviation),
		cmocka_unit_test(hostile_text_is_made_visible),
		cmocka_unit_test(failed_boots_show_the_end_of_the_console),
		cmocka_unit_test(context_is_counted_not_shown),
		cmocka_unit_test(markdown_escapes),
		cmocka_unit_test(markdown_folds_the_details),
		cmocka_unit_test(text_fits_a_terminal),
		cmocka_unit_test(colour_is_on_request),
		cmocka_unit_test(markdown_is_bounded),
		cmocka_unit_test(numbers_are_readable),
		cmocka_unit_test(tails_begin_with_a_line),
		cmocka_unit_test(columns_are_aligned),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
