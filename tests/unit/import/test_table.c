/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tables that are good, in the shapes in which people write them. */
#include "tests/unit/import/import_test.h"

/* The rows of the 2013 mail (facts and source: fixtures), two of them, without any marks. */
static void expect_bare_mail(const char *text)
{
	_cleanup_(run_set_list_release) struct run_set_list sets = read_table(text);

	assert_int_equal(sets.count, 2);
	EXPECT(&sets, "voluntary", "vmark", "", "value", 169808, 155826, 154741);
	EXPECT(&sets, "preempt", "vmark", "", "value", 149354, 124016, 128436);
	EXPECT(&sets, "voluntary", "tbench", "8", "value", 1027.96, 1028.76, 1044.60);
	EXPECT(&sets, "preempt", "tbench", "8", "value", 929.06, 935.01, 928.64);
}

static void test_ratio_columns(void **state)
{
	(void)state;
	expect_bare_mail(
		"vmark\nvoluntary 169808 155826 154741\npreempt 149354 124016 128436\n"
		"tbench 8\nvoluntary 1027.96 1028.76 1044.60\npreempt 929.06 935.01 928.64");
	expect_bare_mail("vmark\nvoluntary 169808 155826 154741 1.000\n"
			 "preempt 149354 124016 128436 .836\n"
			 "tbench 8\nvoluntary 1027.96 1028.76 1044.60 1.000\n"
			 "preempt 929.06 935.01 928.64 .900\n");
	expect_bare_mail("vmark\nvoluntary 169808 155826 154741\n"
			 "preempt 149354 124016 128436 (.836)\n"
			 "tbench 8\nvoluntary 1027.96 1028.76 1044.60 | 1\n"
			 "preempt 929.06 935.01 928.64 ratio .900\n");
	expect_bare_mail("vmark\nvoluntary 169808, 155826, 154741\n"
			 "preempt 149354 124016 128436 ratio=.836 (-16%)\n"
			 "tbench 8\nvoluntary 1027.96 \xc2\xb1 2% 1028.76 1044.60\n"
			 "preempt 929.06 +- 3 935.01(-9%) 928.64 (9% less)\n");
}

static void test_pasted_from_a_mail(void **state)
{
	(void)state;
	expect_bare_mail("\xef\xbb\xbf> > # results\r\n> >\r\n> > vmark\r\n"
			 "> > \tvoluntary\t169808\t155826\t154741\r\n"
			 "> > \tpreempt \xc2\xa0 149354 124016 128436 # second\r\n"
			 ">> -------+-------\r\n\r\n"
			 "> tbench 8\r\n>   voluntary 1027.96 1028.76 1044.60\r\n"
			 ">   preempt 929.06 935.01 928.64");
}

/* A last sample that happens to be near a ratio of the others stays. */
static void test_normalised_samples_stay(void **state)
{
	_cleanup_(run_set_list_release) struct run_set_list sets =
		read_table("fork\na 1.01 0.99 1.00\nb 1.10 1.10 1.10\n");

	(void)state;
	EXPECT(&sets, "a", "fork", "", "value", 1.01, 0.99, 1.00);
	EXPECT(&sets, "b", "fork", "", "value", 1.10, 1.10, 1.10);
}

static void test_samples_of_unlike_size_stay(void **state)
{
	_cleanup_(run_set_list_release) struct run_set_list sets =
		read_table("fork [us]\na 100 101 3.25\nb 100 102 104\n");

	(void)state;
	EXPECT(&sets, "a", "fork", "", "time", 100, 101, 3.25);
	EXPECT(&sets, "b", "fork", "", "time", 100, 102, 104);
}

/* A cold first run is far off the last value, but the second is not. */
static void test_cold_first_run_stays(void **state)
{
	_cleanup_(run_set_list_release) struct run_set_list sets =
		read_table("fork [us]\na 5000 2.30 2.25\nb 6000 2.40 2.35\n");

	(void)state;
	EXPECT(&sets, "b", "fork", "", "time", 6000, 2.40, 2.35);
}

static void test_units_at_values(void **state)
{
	_cleanup_(run_set_list_release) struct run_set_list sets =
		read_table("one:\na 21.099ns 21ns\nb 1 2 ns\n"
			   "two:\na 335.9 MB/s 336 MB/sec\nb 1MB/s\n"
			   "three, s\na 1m0.5s 59s\nb 1m\n"
			   "four [min]\na 2\nb 0.5\n");

	(void)state;
	EXPECT(&sets, "a", "one", "", "time", 21.099, 21);
	assert_string_equal(EXPECT(&sets, "b", "one", "", "time", 1, 2)->unit, "ns");
	EXPECT(&sets, "a", "two", "", "rate", 335.9, 336);
	assert_string_equal(EXPECT(&sets, "b", "two", "", "rate", 1)->unit, "MB/s");
	EXPECT(&sets, "a", "three", "", "time", 60.5, 59);
	assert_string_equal(EXPECT(&sets, "b", "three", "", "time", 60)->unit, "s");
	EXPECT(&sets, "a", "four", "", "time", 120);
	assert_string_equal(EXPECT(&sets, "b", "four", "", "time", 30)->unit, "s");
}

static void test_names_of_several_words(void **state)
{
	_cleanup_(run_set_list_release) struct run_set_list sets =
		read_table("lat_ctx 2 16: [us]\npreempt rt: 1 2\nv6.1+x: 3\n"
			   "sched.hackbench [groups=4] [s]\npreempt_rt 4\nv6.1+x 5\n");

	(void)state;
	EXPECT(&sets, "preempt_rt", "lat_ctx", "2 16", "time", 1, 2);
	EXPECT(&sets, "v6.1+x", "lat_ctx", "2 16", "time", 3);
	EXPECT(&sets, "preempt_rt", "sched.hackbench", "groups=4", "time", 4);
	EXPECT(&sets, "v6.1+x", "sched.hackbench", "groups=4", "time", 5);
}

/* "NAME NUMBER" begins a benchmark where the next line starts the variants over. */
static void test_name_and_number(void **state)
{
	static const char *const tables[] = {
		"vmark\na 1\nb 2\ntbench 8\na 3\nb 4\n",
		"vmark\na 1\nb 2\n\ntbench 8\na 3\nb 4\n",
		"vmark\n a 1\n b 2\ntbench 8\n a 3\n b 4\n",
		"vmark\na 1\nb 2\ntbench 8:\na 3\nb 4\n",
		"vmark\na 1\nb 2\ntbench [8]\na 3\nb 4\n",
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(tables); i++) {
		_cleanup_(run_set_list_release) struct run_set_list sets = read_table(tables[i]);

		assert_int_equal(sets.count, 2);
		EXPECT(&sets, "a", "vmark", "", "value", 1);
		EXPECT(&sets, "b", "vmark", "", "value", 2);
		EXPECT(&sets, "a", "tbench", "8", "value", 3);
		EXPECT(&sets, "b", "tbench", "8", "value", 4);
	}
}

static void expect_columns(const char *text)
{
	_cleanup_(run_set_list_release) struct run_set_list sets = read_table(text);

	assert_int_equal(sets.count, 2);
	EXPECT(&sets, "6.1", "fork", "", "time", 97, 98);
	EXPECT(&sets, "rt", "fork", "", "time", 91, 92);
	EXPECT(&sets, "6.1", "lat_ctx", "2 16", "time", 5);
	assert_null(run_set_find(set_of(&sets, "rt"), "lat_ctx", "2 16", "time"));
}

static void test_columns(void **state)
{
	(void)state;
	expect_columns("benchmark [us] 6.1 rt\nfork 97 91\nlat_ctx 2 16: 5 -\nfork 98 92\n");
	expect_columns("Benchmark 6.1 rt change\nfork [us] 97 91 -6%\nlat_ctx 2 16 [us] 5 n/a -\n"
		       "fork, us 98 92\n");
	expect_columns("test\t6.1\trt\t(%)\nfork 97us 91us (-6%)\nfork 98us (x) 92us (y)\n"
		       "lat_ctx 2 16: 5us - | x\n");
	expect_columns("bench 6.1 rt\nfork 97us 91us\nbench rt 6.1\nfork 92 98 us\n"
		       "lat_ctx 2 16: - 5us\n");
}

static void test_header_without_corner(void **state)
{
	static const char *const tables[] = {
		"vanilla rt ipipe\nx 97us 91us 101us\n",
		"   vanilla rt ipipe\nx [us] 97 91 101\n",
		"[us] vanilla rt ipipe\nx 97 91 101\n",
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(tables); i++) {
		_cleanup_(run_set_list_release) struct run_set_list sets = read_table(tables[i]);

		assert_int_equal(sets.count, 3);
		EXPECT(&sets, "vanilla", "x", "", "time", 97);
		EXPECT(&sets, "rt", "x", "", "time", 91);
		EXPECT(&sets, "ipipe", "x", "", "time", 101);
	}
}

/* Two words above rows of two values: a known benchmark's name says which layout it is. */
static void test_either_layout_by_name(void **state)
{
	_cleanup_(run_set_list_release) struct run_set_list blocks =
		read_table("kbuild vmlinux\nold 224 222\nnew 226 225\n");
	_cleanup_(run_set_list_release) struct run_set_list columns =
		read_table("old new\nkbuild 224 226\nfork 97 91\n");

	(void)state;
	EXPECT(&blocks, "old", "kbuild", "vmlinux", "value", 224, 222);
	EXPECT(&blocks, "new", "kbuild", "vmlinux", "value", 226, 225);
	EXPECT(&columns, "old", "kbuild", "", "value", 224);
	EXPECT(&columns, "new", "fork", "", "value", 91);
}

static void test_samples_add_up(void **state)
{
	_cleanup_(run_set_list_release) struct run_set_list sets =
		read_table("fork\na 1 2\nb 3\nfork\na 4\nb 5 6\n");

	(void)state;
	EXPECT(&sets, "a", "fork", "", "value", 1, 2, 4);
	EXPECT(&sets, "b", "fork", "", "value", 3, 5, 6);
}

static void check_level(enum level level, size_t boots, uint32_t boot, uint32_t invocation,
			uint32_t iteration)
{
	struct import_input input = input_of("fork [us]\na 1 2 3\nb 4 5\n");
	_cleanup_(run_set_list_release) struct run_set_list sets = {0};
	const struct run_set *set;
	const struct sample *last;

	input.level = level;
	sets = read_input("table", &input);
	set = set_of(&sets, "a");
	assert_int_equal(set->level, level);
	assert_int_equal(set->boots.count, boots);
	last = &EXPECT(&sets, "a", "fork", "", "time", 1, 2, 3)->samples.items[2];
	assert_int_equal(last->boot, boot);
	assert_int_equal(last->invocation, invocation);
	assert_int_equal(last->iteration, iteration);
}

static void test_levels(void **state)
{
	(void)state;
	check_level(LEVEL_BOOT, 3, 2, 0, 0);
	check_level(LEVEL_INVOCATION, 1, 0, 2, 0);
	check_level(LEVEL_ITERATION, 1, 0, 0, 2);
}

static void test_heads_of_sets(void **state)
{
	_cleanup_(run_set_list_release) struct run_set_list sets =
		read_table("fork [us]\na 1 2 3\nb 4 5\n");
	const struct run_set *a = set_of(&sets, "a"), *b = set_of(&sets, "b");

	(void)state;
	assert_string_equal(a->target, "import");
	assert_string_equal(a->machine, "box");
	assert_string_equal(a->created_at, "2026-11-30T20:33:07Z");
	assert_string_equal(a->collection, b->collection);
	assert_string_not_equal(a->id, b->id);
	/* No block holds both variants, so nothing is paired; slots are unique. */
	assert_int_equal(a->boots.items[2].block, a->boots.items[0].block);
	assert_int_not_equal(a->boots.items[0].block, b->boots.items[0].block);
	assert_int_equal(a->boots.items[2].slot, 2);
	assert_int_equal(b->boots.items[1].slot, 4);
	assert_int_equal(b->boots.items[1].status, BOOT_OK);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_ratio_columns),
		cmocka_unit_test(test_pasted_from_a_mail),
		cmocka_unit_test(test_normalised_samples_stay),
		cmocka_unit_test(test_samples_of_unlike_size_stay),
		cmocka_unit_test(test_cold_first_run_stays),
		cmocka_unit_test(test_units_at_values),
		cmocka_unit_test(test_names_of_several_words),
		cmocka_unit_test(test_name_and_number),
		cmocka_unit_test(test_columns),
		cmocka_unit_test(test_header_without_corner),
		cmocka_unit_test(test_either_layout_by_name),
		cmocka_unit_test(test_samples_add_up),
		cmocka_unit_test(test_levels),
		cmocka_unit_test(test_heads_of_sets),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
