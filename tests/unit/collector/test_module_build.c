/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The cache and the calling of make; make is real, the kernel build tree is a small Makefile. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include <unistd.h>

#include "collector/module_build.h"
#include "collector/paths.h"
#include "common/array.h"
#include "common/file.h"
#include "tests/unit/collector/collector_fixture.h"

/* Counts its runs and makes the module from the sources, as kbuild does below $(M). */
static const char good_makefile[] =
	"modules:\n\techo run >>runs\n\tcat $(M)/Kbuild $(M)/main.c $(M)/a.h >$(M)/kregress.ko\n";
static const char failing_makefile[] = "modules:\n\techo run >>runs\n\tseq 1000 1030\n"
				       "\techo main.c:7: error: no such member >&2\n\texit 1\n";

static char *kdir;
static char *cache;

static void write_file(const char *name, const char *text)
{
	free(fixture_write(name, text, 0644));
}

static int setup(void **state)
{
	_cleanup_free_ char *kmod = NULL;

	if (fixture_setup(state) < 0)
		return -1;
	kdir = path_below(fixture_folder, "kdir");
	cache = path_below(fixture_folder, "cache");
	kmod = path_below(fixture_folder, "kmod");
	write_file("kdir/Makefile", good_makefile);
	write_file("kdir/.config", "CONFIG_PREEMPT=y\n");
	write_file("kdir/Module.symvers", "0x0 printk vmlinux EXPORT_SYMBOL\n");
	write_file("kmod/Kbuild", "obj-m := kregress.o\n");
	write_file("kmod/main.c", "int x;\n");
	write_file("kmod/a.h", "/* a */\n");
	write_file("kmod/README", "not a source\n");
	return setenv("KREGRESS_KMOD", kmod, 1);
}

static int teardown(void **state)
{
	free(kdir);
	free(cache);
	if (chdir("/") < 0 || unsetenv("KREGRESS_KMOD") < 0)
		return -1;
	return fixture_teardown(state);
}

static void assert_runs(size_t expected)
{
	_cleanup_free_ char *path = path_below(kdir, "runs");
	_cleanup_free_ char *runs = fixture_read(path);

	assert_int_equal(strlen(runs), 4 * expected);
}

static char *build(void)
{
	_cleanup_(error_clear) struct error err = {0};
	char *module = NULL;

	assert_success(module_build(kdir, cache, NULL, &module, &err), &err);
	assert_true(file_exists(module));
	return module;
}

static void kdir_must_be_a_build_tree(void **state)
{
	static const char *const members[] = {"Makefile", ".config", "Module.symvers"};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(members); i++) {
		_cleanup_free_ char *member = path_below(kdir, members[i]);
		_cleanup_free_ char *expected =
			xasprintf("%s: no kernel build tree: it has no %s", kdir, members[i]);
		_cleanup_free_ char *content = fixture_read(member);
		_cleanup_(error_clear) struct error err = {0};
		char *module = NULL;

		assert_int_equal(unlink(member), 0);
		assert_refused(module_build(kdir, cache, NULL, &module, &err), &err, ERROR_USAGE,
			       expected);
		assert_contains(err.hint, "linux-headers");
		assert_null(module);
		assert_success(file_write(member, content, strlen(content), &err), &err);
	}
	assert_runs(0);
	assert_false(file_exists(cache));
}

static void it_is_built_once_and_then_found(void **state)
{
	_cleanup_free_ char *first = build();
	_cleanup_free_ char *again = build();
	_cleanup_free_ char *content = fixture_read(first);

	(void)state;
	assert_string_equal(first, again);
	assert_int_equal(strncmp(first, cache, strlen(cache)), 0);
	assert_string_equal(content, "obj-m := kregress.o\nint x;\n/* a */\n");
	assert_runs(1);
}

static void the_source_folder_stays_clean(void **state)
{
	_cleanup_free_ char *kmod = path_below(fixture_folder, "kmod");
	_cleanup_free_ char *names = NULL;

	(void)state;
	free(build());
	names = fixture_names(kmod);
	assert_string_equal(names, "Kbuild README a.h main.c ");
}

static void what_decides_the_module_is_in_the_key(void **state)
{
	static const char *const inputs[] = {"kmod/main.c", "kmod/a.h",	    "kmod/Kbuild",
					     "kmod/new.c",  "kdir/.config", "kdir/Module.symvers"};
	_cleanup_free_ char *before = build();

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(inputs); i++) {
		_cleanup_free_ char *after = NULL;

		write_file(inputs[i], "other\n");
		after = build();
		assert_string_not_equal(before, after);
		assert_runs(i + 2);
		free(before);
		before = take_pointer(after);
	}
	write_file("kmod/README", "other\n");
	free(build());
	assert_runs(ARRAY_SIZE(inputs) + 1);
}

static void a_failed_build_shows_its_end_and_leaves_only_the_log(void **state)
{
	_cleanup_free_ char *root = path_below(cache, "module");
	_cleanup_(error_clear) struct error err = {0};
	_cleanup_free_ char *names = NULL;
	char *module = NULL;

	(void)state;
	write_file("kdir/Makefile", failing_makefile);
	assert_refused(module_build(kdir, cache, NULL, &module, &err), &err, ERROR_HARNESS,
		       "building kregress.ko: make exited with status 2");
	assert_contains(err.message, "main.c:7: error: no such member");
	assert_contains(err.message, "\n1030\n");
	assert_null(strstr(err.message, "\n1000\n"));
	assert_contains(err.hint, root);
	assert_null(module);
	names = fixture_names(root);
	assert_int_equal(strlen(names), 16 + strlen(".log "));
	assert_contains(names, ".log ");
}

static void a_build_that_failed_is_tried_again(void **state)
{
	_cleanup_(error_clear) struct error err = {0};
	char *module = NULL;

	(void)state;
	write_file("kdir/Makefile", failing_makefile);
	assert_int_equal(module_build(kdir, cache, NULL, &module, &err), -1);
	write_file("kdir/Makefile", good_makefile);
	free(build());
	assert_runs(2);
}

/* make is content, but there is no module. */
static void a_build_without_a_module_is_a_failure(void **state)
{
	_cleanup_(error_clear) struct error err = {0};
	char *module = NULL;

	(void)state;
	write_file("kdir/Makefile", "modules:\n\ttrue\n");
	assert_refused(module_build(kdir, cache, NULL, &module, &err), &err, ERROR_HARNESS,
		       "kregress.ko");
	assert_null(module);
	write_file("kdir/Makefile", good_makefile);
	free(build());
}

static void a_module_that_went_missing_is_built_again(void **state)
{
	_cleanup_free_ char *first = build();
	_cleanup_free_ char *again = NULL;

	(void)state;
	assert_int_equal(unlink(first), 0);
	again = build();
	assert_string_equal(first, again);
	assert_runs(2);
}

/* make runs in the build tree: relative paths must not be taken from there. */
static void relative_paths_are_those_of_the_caller(void **state)
{
	_cleanup_(error_clear) struct error err = {0};
	_cleanup_free_ char *module = NULL;
	_cleanup_free_ char *names = NULL;

	(void)state;
	assert_int_equal(chdir(fixture_folder), 0);
	assert_success(module_build("kdir", "./cache", NULL, &module, &err), &err);
	assert_true(file_exists(module));
	names = fixture_names(kdir);
	assert_string_equal(names, ".config Makefile Module.symvers runs ");
}

static void sources_that_are_not_there_are_named(void **state)
{
	_cleanup_(error_clear) struct error err = {0};
	char *module = NULL;

	(void)state;
	assert_int_equal(setenv("KREGRESS_KMOD", "/nonexistent/kmod", 1), 0);
	assert_refused(module_build(kdir, cache, NULL, &module, &err), &err, ERROR_HARNESS,
		       "/nonexistent/kmod");
	assert_runs(0);
}

static void parts_are_found_by_environment_then_by_build(void **state)
{
	_cleanup_(error_clear) struct error err = {0};
	_cleanup_free_ char *named = NULL, *built = NULL, *agent = NULL;
	_cleanup_free_ char *kbuild = NULL;

	(void)state;
	assert_success(paths_kmod(&named, &err), &err);
	assert_string_equal(named, getenv("KREGRESS_KMOD"));
	assert_int_equal(setenv("KREGRESS_KMOD", "", 1), 0);
	assert_success(paths_kmod(&built, &err), &err);
	kbuild = path_below(built, "Kbuild");
	assert_true(file_exists(kbuild));
	assert_int_equal(setenv("KREGRESS_AGENT", "/any/agent", 1), 0);
	assert_success(paths_agent(&agent, &err), &err);
	assert_string_equal(agent, "/any/agent");
	assert_int_equal(unsetenv("KREGRESS_AGENT"), 0);
}

#define folder_test(test) cmocka_unit_test_setup_teardown(test, setup, teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		folder_test(kdir_must_be_a_build_tree),
		folder_test(it_is_built_once_and_then_found),
		folder_test(the_source_folder_stays_clean),
		folder_test(what_decides_the_module_is_in_the_key),
		folder_test(a_failed_build_shows_its_end_and_leaves_only_the_log),
		folder_test(a_build_that_failed_is_tried_again),
		folder_test(a_build_without_a_module_is_a_failure),
		folder_test(a_module_that_went_missing_is_built_again),
		folder_test(relative_paths_are_those_of_the_caller),
		folder_test(sources_that_are_not_there_are_named),
		folder_test(parts_are_found_by_environment_then_by_build),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
