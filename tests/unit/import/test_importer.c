/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/unit/import/import_test.h"

#include "common/strbuf.h"
#include "store/exchange.h"

static const char table[] = "fork [us]\na 1 2 3\nb 4 5\n";

static void test_find(void **state)
{
	(void)state;
	for (const struct importer *importer = importers; importer->name; importer++) {
		assert_ptr_equal(importer_find(importer->name), importer);
		assert_true(*importer->summary);
	}
	assert_null(importer_find("auto"));
	assert_null(importer_find(""));
}

static void expect_format(const char *text, const char *name)
{
	const struct importer *importer = importer_recognise(text, strlen(text));

	assert_string_equal(importer ? importer->name : "none", name);
}

static void test_recognise(void **state)
{
	(void)state;
	expect_format(table, "table");
	expect_format("> tbench 8\n> a 1\n> b 2\n", "table");
	expect_format("benchmark a b\nfork 1 2\n", "table");
	expect_format("a b\nfork 1us 2us\nmmap 3us", "table");
	expect_format("{\"type\":\"header\",\"format\":\"kregress-1\"}\n", "kregress-1");
	expect_format("{\"type\":\"header\",\"format\":\"kregress-9\"}", "kregress-1");
	expect_format("{\"format\":\"other\"}\n{\"value\": \"kregress-1\"}\n", "none");
	expect_format("", "none");
	expect_format("# only this\n", "none");
	expect_format("Time: 2.010\n", "hackbench");
	expect_format("Time: 2\n", "none");
	expect_format("2.010\n", "none");
	expect_format("real 0.10\nuser 0.05\nsys 0.01\n", "time");
	expect_format("a 1 2\nb 3 4\n", "none");
	expect_format("Running in process mode with 10 groups using 40 descriptors each\n"
		      "Each sender will pass 100 messages of 100 bytes\nTime: 2.010\n",
		      "hackbench");
}

/* Recognising looks at the front only, so that a late mistake is reported with its line. */
static void test_recognise_ignores_the_tail(void **state)
{
	_cleanup_(strbuf_release) struct strbuf text = STRBUF_INIT;
	struct import_input input;

	(void)state;
	strbuf_append(&text, "benchmark [us] a\n");
	for (int i = 0; i < 20000; i++)
		strbuf_append(&text, "fork 1\n");
	strbuf_append(&text, "fork \xff\n");
	input = input_of(strbuf_text(&text));
	refuse_input("auto", &input, "t:20002: ", "not UTF-8");
}

static void test_unknown_formats(void **state)
{
	_cleanup_(error_clear) struct error err = {0};
	struct import_input input = input_of("no table\n");
	struct run_set_list sets = {0};

	(void)state;
	assert_int_equal(importer_read("xls", &input, &sets, &err), -1);
	assert_int_equal(err.kind, ERROR_USAGE);
	assert_string_equal(err.message, "there is no import format 'xls'");
	assert_non_null(strstr(err.hint, "formats: auto, "));
	assert_non_null(strstr(err.hint, ", kregress-1, "));
	assert_non_null(strstr(err.hint, ", table"));
	assert_int_equal(importer_read("auto", &input, &sets, &err), -1);
	assert_int_equal(err.kind, ERROR_DATA);
	assert_non_null(strstr(err.message, "t:1: the text is in none of the formats "));
	assert_non_null(strstr(err.message, ", hackbench, "));
	assert_int_equal(sets.count, 0);
}

static void test_exchange_and_back(void **state)
{
	_cleanup_(run_set_list_release) struct run_set_list first = read_table(table);
	_cleanup_(run_set_list_release) struct run_set_list second = {0};
	_cleanup_(strbuf_release) struct strbuf text = STRBUF_INIT;
	struct import_input input;

	(void)state;
	exchange_write(&text, &first);
	input = input_of(strbuf_text(&text));
	second = read_input("auto", &input);
	assert_int_equal(second.count, 2);
	assert_string_equal(second.items[0]->id, first.items[0]->id);
	assert_string_equal(second.items[0]->machine, "box");
	EXPECT(&second, "a", "fork", "", "time", 1, 2, 3);
	EXPECT(&second, "b", "fork", "", "time", 4, 5);
	input.length -= 10;
	refuse_input("kregress-1", &input, "t:", "");
}

/* A refused table leaves what the list held before. */
static void test_sets_are_appended(void **state)
{
	_cleanup_(run_set_list_release) struct run_set_list sets = read_table(table);
	_cleanup_(error_clear) struct error err = {0};
	struct import_input bad = input_of("fork [us]\nc 1\nd nan\n");
	struct import_input good = input_of("vmark\nc 1\n");

	(void)state;
	assert_int_equal(importer_read("table", &bad, &sets, &err), -1);
	assert_int_equal(sets.count, 2);
	error_clear(&err);
	assert_int_equal(importer_read("table", &good, &sets, &err), 0);
	assert_int_equal(sets.count, 3);
	EXPECT(&sets, "c", "vmark", "", "value", 1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_find),
		cmocka_unit_test(test_recognise),
		cmocka_unit_test(test_recognise_ignores_the_tail),
		cmocka_unit_test(test_unknown_formats),
		cmocka_unit_test(test_exchange_and_back),
		cmocka_unit_test(test_sets_are_appended),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
