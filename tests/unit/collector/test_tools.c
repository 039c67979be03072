/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Other people's benchmarks: the table, the agent's plan, the files for a guest, their output. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "collector/import/importer.h"
#include "collector/shared_libraries.h"
#include "collector/tool_output.h"
#include "collector/tool_tree.h"
#include "collector/tools.h"
#include "common/file.h"

static void every_row_is_whole(void **state)
{
	(void)state;
	for (const struct tool *tool = tools; tool->name; tool++) {
		bool timed = !strcmp(tool->capture, "time");

		assert_int_equal(strncmp(tool->name, "tool.", 5), 0);
		assert_non_null(tool->package);
		assert_ptr_equal(tool_find(tool->name, tool->params), tool);
		assert_true(timed || !strcmp(tool->capture, "stdout") ||
			    !strcmp(tool->capture, "stderr"));
		if (timed)
			assert_null(tool->format);
		else
			assert_non_null(importer_find(tool->format));
	}
	assert_null(tool_find("tool.none", NULL));
}

static char *plan_lines(const char *pattern, const char *tree, bool guest)
{
	_cleanup_(string_list_release) struct string_list patterns = {0};
	const struct tool_place place = {.guest_cpus = guest ? 3 : 0, .kbuild_tree = tree};
	struct strbuf text = STRBUF_INIT;

	string_list_add(&patterns, pattern);
	tools_append_plan(&text, &patterns, &place);
	return strbuf_take(&text);
}

static void assert_plan(const char *pattern, const char *tree, bool guest, const char *expected)
{
	_cleanup_free_ char *text = plan_lines(pattern, tree, guest);

	assert_string_equal(text, expected);
}

static void plans_name_what_is_asked_for(void **state)
{
	(void)state;
	assert_plan("*", NULL, false, "");
	assert_plan("*hackbench*", NULL, false, "");
	assert_plan("tool.none", NULL, false, "");
	assert_plan("tool.hackbench[groups=4,loops=100]", NULL, true,
		    "tool tool.hackbench[groups=4,loops=100] stdout hackbench -g 4 -l 100\n"
		    "tool-package rt-tests\n");
	assert_plan("tool.tbench[clients=2]", NULL, false,
		    "tool tool.tbench[clients=2] stdout tbench -t 5 -c "
		    "/usr/share/dbench/client.txt 2 127.0.0.1\n"
		    "tool-beside tbench_srv\ntool-package dbench\n");
}

static void kbuild_needs_a_tree(void **state)
{
	_cleanup_free_ char *given = plan_lines("tool.kbuild", "/src/linux", false);
	_cleanup_free_ char *missing = plan_lines("tool.kbuild", NULL, false);
	_cleanup_free_ char *blank = plan_lines("tool.kbuild", "/src/my linux", false);
	_cleanup_free_ char *guest = plan_lines("tool.kbuild", "/src/linux", true);

	(void)state;
	assert_non_null(strstr(given, " time make -s -C /src/linux -j "));
	assert_non_null(strstr(given, "tool-before make -s -C /src/linux clean\n"));
	assert_null(strstr(given, "tool-lacks"));
	assert_non_null(strstr(missing, "tool-lacks no source tree"));
	assert_non_null(strstr(blank, "tool-lacks the path"));
	assert_non_null(strstr(guest, "make -s -C /src/linux -j 3\n"));
	assert_null(strstr(guest, "tool-lacks"));
}

static bool has_library(const struct string_list *paths, const char *part)
{
	array_for_each (path, paths)
		if (strstr(*path, part))
			return true;
	return false;
}

/* What a guest needs to build `tree`; -1 with its error. */
static int list_tree(const char *tree, const char *more, struct string_list *paths,
		     struct error *err)
{
	_cleanup_(string_list_release) struct string_list patterns = {0}, files = {0};
	const struct tool_place place = {1, tree, &files};

	string_list_add(&patterns, "tool.kbuild");
	string_list_split(&files, more, " ");
	return tools_list_files(&patterns, &place, paths, err);
}

static void write_text(const char *folder, const char *name, const char *text)
{
	_cleanup_free_ char *path = path_below(folder, name);
	_cleanup_(error_clear) struct error err = {0};

	assert_int_equal(file_write(path, text, strlen(text), &err), 0);
}

static void a_guest_gets_tree_and_compiler(void **state)
{
	_cleanup_(string_list_release) struct string_list paths = {0};
	_cleanup_(error_clear) struct error err = {0};
	_cleanup_free_ char *folder = NULL, *source = NULL, *git = NULL, *link = NULL;

	(void)state;
	assert_int_equal(folder_make_temporary(&folder, &err), 0);
	source = path_below(folder, "sub");
	git = path_below(folder, ".git");
	link = path_below(source, "up");
	assert_int_equal(folder_make(source, &err), 0);
	assert_int_equal(folder_make(git, &err), 0);
	write_text(source, "a.c", "int a;\n");
	write_text(git, "HEAD", "ref\n");
	assert_int_equal(symlink("..", link), 0);
	assert_int_equal(list_tree(folder, "env /etc/passwd", &paths, &err), 0);
	assert_true(has_library(&paths, "/sub/a.c"));
	assert_false(has_library(&paths, "/.git/"));
	assert_false(has_library(&paths, "/up/"));
	assert_true(has_library(&paths, "/cc1"));
	assert_true(has_library(&paths, "/stddef.h"));
	assert_true(has_library(&paths, "/bin/sh"));
	assert_true(has_library(&paths, "/env"));
	assert_true(string_list_contains(&paths, "/etc/passwd"));
	assert_int_equal(list_tree(folder, "no-such-program", &paths, &err), -1);
	assert_int_equal(err.kind, ERROR_USAGE);
	assert_non_null(strstr(err.message, "no-such-program"));
	error_clear(&err);
	assert_int_equal(folder_remove(folder, &err), 0);
	assert_int_equal(list_tree(folder, "", &paths, &err), -1);
	assert_non_null(strstr(err.message, folder));
}

static void larger_trees_are_refused(void **state)
{
	_cleanup_(string_list_release) struct string_list paths = {0};
	_cleanup_(error_clear) struct error err = {0};
	_cleanup_free_ char *folder = NULL, *large = NULL;

	(void)state;
	assert_int_equal(folder_make_temporary(&folder, &err), 0);
	write_text(folder, "large", "");
	large = path_below(folder, "large");
	assert_int_equal(truncate(large, (off_t)TOOL_TREE_MAX_MIB << 20), 0);
	assert_int_equal(list_tree(folder, "", &paths, &err), 0);
	write_text(folder, "more", "x");
	assert_int_equal(list_tree(folder, "", &paths, &err), -1);
	assert_non_null(strstr(err.message, "too large for a guest"));
	error_clear(&err);
	assert_int_equal(folder_remove(folder, &err), 0);
}

static void programs_come_with_loader_and_libraries(void **state)
{
	_cleanup_(string_list_release) struct string_list paths = {0};
	_cleanup_(error_clear) struct error err = {0};

	(void)state;
	assert_int_equal(shared_libraries_add_program("/usr/bin/env", &paths, &err), 0);
	assert_true(string_list_contains(&paths, "/usr/bin/env"));
	assert_true(has_library(&paths, "/ld-linux"));
	assert_true(has_library(&paths, "/libc.so"));
	size_t count = paths.count;

	array_for_each (path, &paths)
		assert_true(file_exists(*path));
	/* Once is enough. */
	assert_int_equal(shared_libraries_add_program("env", &paths, &err), 0);
	assert_int_equal(paths.count, count);
	assert_int_equal(shared_libraries_add_program("no-such-program", &paths, &err), 0);
	assert_int_equal(paths.count, count);
}

static void scripts_and_damaged_programs_are_refused(void **state)
{
	_cleanup_(strbuf_release) struct strbuf program = STRBUF_INIT;
	_cleanup_(error_clear) struct error err = {0};
	_cleanup_free_ char *folder = NULL, *loader = NULL, *path = NULL;

	(void)state;
	assert_int_equal(folder_make_temporary(&folder, &err), 0);
	path = xasprintf("%s/program", folder);
	assert_int_equal(file_write(path, "#!/bin/sh\n", 10, &err), 0);
	assert_int_equal(shared_libraries_find_loader(path, &loader, &err), -1);
	assert_non_null(strstr(err.message, "not a program"));
	error_clear(&err);
	assert_int_equal(file_read("/usr/bin/env", &program, &err), 0);
	/* Every cut in the headers: an error or no loader, never a wrong one. */
	for (size_t length = 0; length < 1024; length++) {
		assert_int_equal(file_write(path, program.text, length, &err), 0);
		if (shared_libraries_find_loader(path, &loader, &err) == 0 && loader)
			assert_int_equal(strncmp(loader, "/lib", 4), 0);
		free(loader);
		loader = NULL;
		error_clear(&err);
	}
	assert_int_equal(folder_remove(folder, &err), 0);
}

#define HACKBENCH                                                                                  \
	"Running in process mode with 4 groups using 40 file descriptors each (== 160 tasks)\n"    \
	"Each sender will pass 100 messages of 100 bytes\nTime: "

static int add(struct run_set *set, const char *benchmark, uint32_t invocation, const char *text,
	       struct error *err)
{
	struct tool_output output = {.benchmark = benchmark,
				     .params = "groups=4,loops=100,load=net",
				     .invocation = invocation,
				     .text = text,
				     .length = strlen(text)};

	return tool_output_add(set, &output, err);
}

static void output_becomes_samples_of_the_tool(void **state)
{
	_cleanup_(run_set_release) struct run_set set = {0};
	_cleanup_(error_clear) struct error err = {0};
	const struct series *series;

	(void)state;
	run_set_init(&set, "v");
	run_set_add_boot(&set);
	assert_int_equal(add(&set, "tool.hackbench", 0, HACKBENCH "0.500\n", &err), 0);
	assert_int_equal(add(&set, "tool.hackbench", 1, HACKBENCH "0.750\n", &err), 0);
	assert_int_equal(set.series.count, 1);
	series = &set.series.items[0];
	assert_string_equal(series->benchmark, "tool.hackbench");
	assert_int_equal(strncmp(series->params, "groups=4,loops=100,load=net", 27), 0);
	/* The importer's own "groups=4" is not said twice. */
	assert_null(strstr(series->params + 8, "groups="));
	assert_string_equal(series->metric, "time");
	assert_int_equal(series->samples.count, 2);
	assert_true(series->samples.items[1].value == 0.75);
	assert_int_equal(series->samples.items[1].invocation, 1);
}

static void output_without_a_result_adds_nothing(void **state)
{
	_cleanup_(run_set_release) struct run_set set = {0};

	(void)state;
	run_set_init(&set, "v");
	run_set_add_boot(&set);
	for (size_t i = 0; i < 3; i++) {
		static const char *const texts[] = {"", "Time: many\n", HACKBENCH "0.x5\n"};
		_cleanup_(error_clear) struct error err = {0};

		assert_int_equal(add(&set, "tool.hackbench", 0, texts[i], &err), -1);
		assert_int_equal(err.kind, ERROR_DATA);
	}
	for (size_t i = 0; i < 2; i++) {
		static const char *const names[] = {"tool.kbuild", "tool.none"};
		_cleanup_(error_clear) struct error err = {0};

		assert_int_equal(add(&set, names[i], 0, HACKBENCH "0.500\n", &err), -1);
	}
	assert_int_equal(set.series.count, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_row_is_whole),
		cmocka_unit_test(plans_name_what_is_asked_for),
		cmocka_unit_test(kbuild_needs_a_tree),
		cmocka_unit_test(a_guest_gets_tree_and_compiler),
		cmocka_unit_test(larger_trees_are_refused),
		cmocka_unit_test(programs_come_with_loader_and_libraries),
		cmocka_unit_test(scripts_and_damaged_programs_are_refused),
		cmocka_unit_test(output_becomes_samples_of_the_tool),
		cmocka_unit_test(output_without_a_result_adds_nothing),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
