/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tables that are refused: the message names file, line and cause, a hint says what to do. */
#include "tests/unit/import/import_test.h"

#include "common/strbuf.h"

struct bad_table {
	const char *text, *where, *what;
};

static void refuse_all(const struct bad_table *tables, size_t count)
{
	for (size_t i = 0; i < count; i++)
		refuse_table(tables[i].text, tables[i].where, tables[i].what);
}

static void test_nothing_there(void **state)
{
	static const struct bad_table tables[] = {
		{"", "t:1: ", "the file is empty"},
		{"# a\n\n> # b\n", "t:1: ", "only comments"},
		{"\n----\n[us]\n", "t:3: ", "nothing but brackets"},
		{"vmark\n", "t:1: ", "no values below 'vmark'"},
		{"vmark\na 1\ntbench:\n", "t:3: ", "no values below 'tbench'"},
		{"vmark\na 1\ntbench:\nfork\na 2\n", "t:3: ", "no values below 'tbench'"},
		{"benchmark a b\n", "t:1: ", "no values below the header"},
		{"benchmark a b\nfork 1 2\nfork\n", "t:3: ", "'fork' has no values"},
		{"benchmark ratio\nfork 1\n", "t:1: ", "names no variant"},
	};

	(void)state;
	refuse_all(tables, ARRAY_SIZE(tables));
}

static void test_bad_values(void **state)
{
	static const struct bad_table tables[] = {
		{"fork [us]\na 1 2\nb 1 nan 3\n", "t:3: ", "'nan' is not a value"},
		{"fork [us]\na inf\n", "t:2: ", "'inf' is not a value"},
		{"fork [us]\na 1\nb -Infinity,\n", "t:3: ", "'-Infinity' is not a value"},
		{"fork [us]\n\n# c\na 1e999\n", "t:4: ", "'1e999' is not a value"},
		{"fork [h]\na 1e306\n", "t:2: ", "out of range"},
		{"fork\na 1e306h\n", "t:2: ", "'1e306h' is not a value"},
		{"fork [us]\na 0x10\n", "t:2: ", "'0x10' is not a value"},
		{"fork [us]\na 169,808\n", "t:2: ", "'169,808' is not a value"},
		{"fork [us]\na 1.2.3\n", "t:2: ", "'1.2.3' is not a value"},
		{"fork [us]\na 1\nb 3O361\n", "t:3: ", "'3O361' is not a value"},
		{"fork [us]\na 1\nb -2\n", "t:3: ", "negative"},
		{"kbuild\na 1s\nb -2s\n", "t:3: ", "negative"},
		{"benchmark a b\nfork 1ns -1ns\n", "t:2: ", "negative"},
		{"benchmark a b\nfork 1 nan\n", "t:2: ", "'nan' is not a value"},
		{"fork [us]\na 1 about 2\n", "t:2: ", "'about' is neither a value nor a unit"},
		{"fork [us]\na: about 2\n", "t:2: ", "'about' is neither"},
	};

	(void)state;
	refuse_all(tables, ARRAY_SIZE(tables));
}

static void test_bad_shape(void **state)
{
	static const struct bad_table tables[] = {
		{"benchmark a b c\nfork 1 2 3\nmmap 1 2\n", "t:3: ", "too few values: 2 for 3"},
		{"benchmark a b c\nfork 1 2 3\nmmap 1 2 3 4\n", "t:3: ", "too many values: 4"},
		{"vanilla rt ipipe\nfork 97 91\nmmap 776 629 794\n", "t:2: ", "too few values"},
		{"benchmark a b a\nfork 1 2 3\n", "t:1: ", "variant 'a' is twice"},
		{"fork\na 1\nb 2\na 3\nb 4\n", "t:4: ", "variant 'a' is twice in 'fork' of line 1"},
		{"fork\na 1\nb 2\nb 3\n", "t:4: ", "variant 'b' is twice"},
		{"fork\na 1\nb 2\nc 3\na 4\nb 5\nc 6\n",
		 "t:4: ", "can be a benchmark or a variant"},
		{"a 1 2 3\nb 4 5 6\n", "t:1: ", "no benchmark above"},
		{"a: 1 2\nb: 4 5\n", "t:1: ", "no benchmark above"},
		{"fork\nvanilla 97\npreempt rt 91\nipipe 101\n", "t:3: ", "no variant in common"},
		{"fork\na 1\nb x 3 4\n", "t:3: ", "no values below 'b'"},
		{"fork\na@1 1\n", "t:2: ", "'a@1' cannot be the name"},
		{"benchmark a b@\nfork 1 2\n", "t:1: ", "'b@' cannot be the name"},
		{"fork\na: 1 [us] 2\n", "t:2: ", "brackets among the values"},
		{"| fork | 1 |\n", "t:1: ", "begins with '|'"},
		{"fork [us\na 1\n", "t:1: ", "'[' without its end"},
		{"fork\na 1 (2\n", "t:2: ", "'(' without its end"},
		{"+*:\na 1\n", "t:1: ", "without letters"},
		{"fork+x [us]\na 1\nfork*x [us]\na 2\n",
		 "t:4: ", "both become the benchmark 'fork_x'"},
		{"benchmark [x=1] a b\nfork 1 2\n", "t:1: ", "no unit and no direction"},
		{"fork\na 1.00 3000 2000 1.000\nb 3000 2000 1000 1.21\n", "t:3: ", "far off"},
	};

	(void)state;
	refuse_all(tables, ARRAY_SIZE(tables));
}

static void test_bad_units(void **state)
{
	static const struct bad_table tables[] = {
		{"x\na 1\nb 2\n", "t:2: ", "'x' has neither a unit nor a direction"},
		{"x [bogons]\na 1\n", "t:2: ", "'bogons', a unit that does not tell"},
		{"benchmark a b\nfork 1 2\nx 1 2\n", "t:3: ", "'x' has neither a unit"},
		{"fork\na 1us 2ms\n", "t:2: ", "mixed units in one row: 'us' and 'ms'"},
		{"fork\na 1\nb 1us 2\n", "t:3: ", "mixed units in one row: 'us' and none"},
		{"benchmark a b\nfork 1us 2ms\n", "t:2: ", "mixed units in one row"},
		{"fork\na 1us\nb 2ms\n", "t:3: ", "mixed units in one benchmark: 'us' and 'ms'"},
		{"fork\na 1us\nb 2\n", "t:3: ", "mixed units in one benchmark: 'us' and 'none'"},
		{"fork [us]\na 1\nb 2ms\n", "t:3: ", "mixed units: values in 'ms'"},
		{"fork [us]\na 1\nfork [ms]\na 1\n", "t:4: ", "mixed units: 'fork'"},
		{"x [lower]\na 1\nx [higher]\na 1\n", "t:4: ", "better lower and better higher"},
		{"x [us, ms]\na 1\n", "t:1: ", "two units"},
		{"fork\na 3m44s 9.9 (x)\n", "t:2: ", "mixed units in one row: 's' and none"},
	};

	(void)state;
	refuse_all(tables, ARRAY_SIZE(tables));
}

static void test_missing_direction_hint(void **state)
{
	_cleanup_(error_clear) struct error err = {0};
	struct import_input input = input_of("x\na 1\nb 2\n");
	struct run_set_list sets = {0};

	(void)state;
	assert_int_equal(importer_read("table", &input, &sets, &err), -1);
	assert_non_null(strstr(err.hint, "--unit"));
	assert_non_null(strstr(err.hint, "--better"));
	input.unit = "us";
	sets = read_input("table", &input);
	EXPECT(&sets, "b", "x", "", "time", 2);
	run_set_list_release(&sets);
}

static void test_bad_bytes(void **state)
{
	static const struct bad_table tables[] = {
		{"fork [us]\na 1\nb\xff 2\n", "t:3: ", "byte 2 (0xff) is not UTF-8"},
		{"fork [us]\na 1\xc3\n", "t:2: ", "byte 4 (0xc3) is not UTF-8"},
		{"fork [us]\n\x1b[1ma 1\n", "t:2: ", "byte 1 (0x1b) is a control character"},
		{"fork [us]\ra 1\n", "t:1: ", "byte 10 (0x0d) is a control character"},
	};
	struct import_input input = input_of("fork [us]\na 1\nb .2\n");
	char text[] = "fork [us]\na 1\nb .2\n";

	(void)state;
	refuse_all(tables, ARRAY_SIZE(tables));
	text[16] = '\0';
	input.text = text;
	refuse_input("table", &input, "t:3: ", "byte 3 (0x00) is a control character");
}

static void refuse_padded(char padding, size_t count, const char *what)
{
	_cleanup_(strbuf_release) struct strbuf text = STRBUF_INIT;

	strbuf_append(&text, "fork [us]\na 1\nb");
	strbuf_append_repeat(&text, padding, count);
	strbuf_append(&text, " 2\n");
	refuse_table(strbuf_text(&text), "t:3: ", what);
}

static void test_too_much(void **state)
{
	_cleanup_(strbuf_release) struct strbuf text = STRBUF_INIT;

	(void)state;
	refuse_padded(' ', 1 << 20, "a line of 1048579 bytes");
	refuse_padded('x', 300, "a word of 301 bytes");
	strbuf_append(&text, "fork [us]\n");
	for (int i = 0; i < 257; i++)
		strbuf_printf(&text, "v%d 1\n", i);
	refuse_table(strbuf_text(&text), "t:258: ", "more than 256 variants");
	strbuf_clear(&text);
	strbuf_append(&text, "benchmark [us] a\n");
	for (int i = 0; i < 4097; i++)
		strbuf_printf(&text, "b%d 1\n", i);
	refuse_table(strbuf_text(&text), "t:4098: ", "more than 4096 benchmarks");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_nothing_there),
		cmocka_unit_test(test_bad_values),
		cmocka_unit_test(test_bad_shape),
		cmocka_unit_test(test_bad_units),
		cmocka_unit_test(test_missing_direction_hint),
		cmocka_unit_test(test_bad_bytes),
		cmocka_unit_test(test_too_much),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
