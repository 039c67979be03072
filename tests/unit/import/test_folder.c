/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Files and folders of results. */
#include "tests/unit/import/import_test.h"

#include "collector/import/source.h"
#include "common/file.h"

static char *folder;

static int make_folder(void **state)
{
	struct error err = {0};

	(void)state;
	return folder_make_temporary(&folder, &err);
}

static int remove_folder(void **state)
{
	struct error err = {0};
	int result = folder_remove(folder, &err);

	(void)state;
	free(folder);
	return result;
}

static void write_text(const char *name, const char *text)
{
	_cleanup_free_ char *path = path_below(folder, name);
	struct error err = {0};

	if (file_write(path, text, strlen(text), &err) < 0)
		fail_msg("%s", err.message);
}

static int import(const char *format, const char *variant, const char *name,
		  struct run_set_list *sets, struct error *err)
{
	_cleanup_free_ char *path = path_below(folder, name);
	struct import_input input = input_of("");

	input.variant = variant;
	return import_path(format, &input, path, sets, err);
}

static void import_well(const char *format, const char *variant, const char *name,
			struct run_set_list *sets)
{
	struct error err = {0};

	if (import(format, variant, name, sets, &err) < 0)
		fail_msg("%s", err.message);
}

static void test_files_of_one_variant_follow_one_another(void **state)
{
	_cleanup_(run_set_list_release) struct run_set_list sets = {0};

	(void)state;
	write_text("one", "Time: 1.000\n");
	write_text("two", "Time: 2.000\nTime: 3.000\n");
	import_well("auto", "base", "one", &sets);
	import_well("auto", "base", "two", &sets);
	assert_int_equal(sets.count, 1);
	EXPECT(&sets, "base", "hackbench", "", "time", 1, 2, 3);
	assert_int_equal(sets.items[0]->boots.count, 3);
}

static void test_files_are_variants_by_default(void **state)
{
	_cleanup_(run_set_list_release) struct run_set_list sets = {0};

	(void)state;
	write_text("old.txt", "Time: 1.000\n");
	write_text("new.txt", "Time: 2.000\n");
	import_well("auto", NULL, "old.txt", &sets);
	import_well("auto", NULL, "new.txt", &sets);
	EXPECT(&sets, "old", "hackbench", "", "time", 1);
	EXPECT(&sets, "new", "hackbench", "", "time", 2);
}

static void test_folder_of_results(void **state)
{
	_cleanup_(run_set_list_release) struct run_set_list sets = {0};
	_cleanup_(error_clear) struct error err = {0};

	(void)state;
	assert_int_equal(folder_make(folder, &err), 0);
	write_text("hackbench", "Time: 1.500\n");
	write_text("time.1", "real 1.00\nuser 2.00\nsys 3.00\n");
	write_text("time.2", "real 4.00\nuser 5.00\nsys 6.00\n");
	write_text("job.yaml", "suite: hackbench\n");
	write_text("stats.json", "{\n  \"hackbench.throughput\": 7\n}\n");
	import_well("auto", "base", "", &sets);
	assert_int_equal(sets.count, 1);
	EXPECT(&sets, "base", "hackbench", "", "time", 1.5);
	EXPECT(&sets, "base", "command", "instance=1", "time", 1);
	EXPECT(&sets, "base", "command", "instance=2", "time", 4);
	assert_null(run_set_find(sets.items[0], "hackbench", "", "throughput"));
}

static void test_statistics_stand_in_for_raw_output(void **state)
{
	_cleanup_(run_set_list_release) struct run_set_list sets = {0};

	(void)state;
	write_text("stats.json", "{\n  \"hackbench.throughput\": 7\n}\n");
	import_well("auto", "base", "", &sets);
	EXPECT(&sets, "base", "hackbench", "", "throughput", 7);
}

static void test_folder_without_results(void **state)
{
	_cleanup_(run_set_list_release) struct run_set_list sets = {0};
	_cleanup_(error_clear) struct error err = {0};

	(void)state;
	write_text("job.yaml", "suite: hackbench\n");
	assert_int_equal(import("auto", "base", "", &sets, &err), -1);
	assert_non_null(strstr(err.message, "no file of the folder"));
	assert_non_null(err.hint);
}

static void test_units_must_agree(void **state)
{
	_cleanup_(run_set_list_release) struct run_set_list sets = {0};
	_cleanup_(error_clear) struct error err = {0};

	(void)state;
	write_text("a.csv", "benchmark,value,unit\nfork,1,us\n");
	write_text("b.csv", "benchmark,value,unit\nfork,1,ms\n");
	import_well("csv", "base", "a.csv", &sets);
	assert_int_equal(import("csv", "base", "b.csv", &sets, &err), -1);
	assert_non_null(strstr(err.message, "another unit"));
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, make_folder, remove_folder)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(test_files_of_one_variant_follow_one_another),
		TEST(test_files_are_variants_by_default),
		TEST(test_folder_of_results),
		TEST(test_statistics_stand_in_for_raw_output),
		TEST(test_folder_without_results),
		TEST(test_units_must_agree),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
