/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "common/alloc.h"
#include "common/file.h"

static char *folder;

static int setup(void **state)
{
	_cleanup_(error_clear) struct error err = {0};

	(void)state;
	return folder_make_temporary(&folder, &err);
}

static int teardown(void **state)
{
	_cleanup_(error_clear) struct error err = {0};
	int status = folder_remove(folder, &err);

	(void)state;
	free(folder);
	return status;
}

static void assert_content(const char *path, const char *expected, size_t length)
{
	_cleanup_(strbuf_release) struct strbuf content = STRBUF_INIT;
	_cleanup_(error_clear) struct error err = {0};

	assert_int_equal(file_read(path, &content, &err), 0);
	assert_int_equal(content.length, length);
	assert_memory_equal(strbuf_text(&content), expected, length);
}

static size_t count_entries(const char *path)
{
	DIR *directory = opendir(path);
	size_t entries = 0;

	assert_non_null(directory);
	while (readdir(directory))
		entries++;
	closedir(directory);
	return entries - 2;
}

static void write_then_read_gives_the_bytes(void **state)
{
	_cleanup_free_ char *path = path_below(folder, "data");
	_cleanup_(error_clear) struct error err = {0};
	struct stat st;

	(void)state;
	umask(022);
	assert_int_equal(file_write(path, "a\0b\n", 4, &err), 0);
	assert_content(path, "a\0b\n", 4);
	assert_int_equal(file_write(path, "", 0, &err), 0);
	assert_content(path, "", 0);
	assert_int_equal(stat(path, &st), 0);
	assert_int_equal(st.st_mode & 07777, 0644);
	assert_int_equal(count_entries(folder), 1);
	assert_true(file_exists(path));
}

static void read_appends(void **state)
{
	_cleanup_free_ char *path = path_below(folder, "data");
	_cleanup_(strbuf_release) struct strbuf content = STRBUF_INIT;
	_cleanup_(error_clear) struct error err = {0};

	(void)state;
	assert_int_equal(file_write(path, "two", 3, &err), 0);
	strbuf_append(&content, "one ");
	assert_int_equal(file_read(path, &content, &err), 0);
	assert_string_equal(content.text, "one two");
}

static void read_names_the_path_on_failure(void **state)
{
	_cleanup_free_ char *path = path_below(folder, "absent");
	_cleanup_(strbuf_release) struct strbuf content = STRBUF_INIT;
	_cleanup_(error_clear) struct error err = {0};

	(void)state;
	assert_int_equal(file_read(path, &content, &err), -1);
	assert_int_equal(err.kind, ERROR_IO);
	assert_non_null(strstr(err.message, path));
	assert_non_null(strstr(err.message, strerror(ENOENT)));
	assert_int_equal(file_read(folder, &content, &err), -1);
	assert_non_null(strstr(err.message, strerror(EISDIR)));
}

static void write_into_an_absent_folder_fails(void **state)
{
	_cleanup_free_ char *path = path_below(folder, "absent/data");
	_cleanup_(error_clear) struct error err = {0};

	(void)state;
	assert_int_equal(file_write(path, "x", 1, &err), -1);
	assert_int_equal(err.kind, ERROR_IO);
	assert_non_null(strstr(err.message, path));
	assert_int_equal(count_entries(folder), 0);
}

/* The rename onto a folder fails: that folder stays, and the temporary file goes. */
static void failed_write_leaves_nothing_behind(void **state)
{
	_cleanup_free_ char *path = path_below(folder, "taken");
	_cleanup_(error_clear) struct error err = {0};

	(void)state;
	assert_int_equal(folder_make(path, &err), 0);
	assert_int_equal(file_write(path, "x", 1, &err), -1);
	assert_int_equal(count_entries(folder), 1);
	assert_int_equal(count_entries(path), 0);
}

static void full_device_is_an_error(void **state)
{
	_cleanup_(error_clear) struct error err = {0};

	(void)state;
	if (access("/dev/full", W_OK) < 0)
		skip();
	assert_int_equal(file_write("/dev/full", "x", 1, &err), -1);
	assert_non_null(strstr(err.message, "/dev/full"));
	assert_non_null(strstr(err.message, strerror(ENOSPC)));
}

static void folder_make_makes_parents(void **state)
{
	_cleanup_free_ char *path = path_below(folder, "a//b/c/");
	_cleanup_free_ char *inner = path_below(folder, "a/b/c");
	_cleanup_(error_clear) struct error err = {0};

	(void)state;
	assert_int_equal(folder_make(path, &err), 0);
	assert_true(file_exists(inner));
	assert_int_equal(folder_make(path, &err), 0);
	assert_int_equal(folder_make("/", &err), 0);
	assert_int_equal(folder_make("", &err), -1);
}

static void folder_make_names_what_is_in_the_way(void **state)
{
	_cleanup_free_ char *file = path_below(folder, "file");
	_cleanup_free_ char *below = path_below(folder, "file/sub");
	_cleanup_(error_clear) struct error err = {0};

	(void)state;
	assert_int_equal(file_write(file, "", 0, &err), 0);
	assert_int_equal(folder_make(file, &err), -1);
	assert_non_null(strstr(err.message, "is not a folder"));
	assert_int_equal(folder_make(below, &err), -1);
	assert_non_null(strstr(err.message, below));
}

static void folder_remove_does_not_follow_links(void **state)
{
	_cleanup_free_ char *kept = path_below(folder, "kept");
	_cleanup_free_ char *doomed = path_below(folder, "doomed");
	_cleanup_free_ char *link = path_below(folder, "doomed/link");
	_cleanup_free_ char *file = path_below(folder, "kept/file");
	_cleanup_(error_clear) struct error err = {0};

	(void)state;
	assert_int_equal(folder_make(kept, &err), 0);
	assert_int_equal(folder_make(doomed, &err), 0);
	assert_int_equal(file_write(file, "x", 1, &err), 0);
	assert_int_equal(symlink(kept, link), 0);
	assert_int_equal(folder_remove(doomed, &err), 0);
	assert_false(file_exists(doomed));
	assert_content(file, "x", 1);
	assert_int_equal(folder_remove(doomed, &err), 0);
}

static void path_below_keeps_absolute_paths(void **state)
{
	_cleanup_free_ char *absolute = path_below("/a", "/b/c");
	_cleanup_free_ char *relative = path_below("/a", "b/c");

	(void)state;
	assert_string_equal(absolute, "/b/c");
	assert_string_equal(relative, "/a/b/c");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(write_then_read_gives_the_bytes, setup, teardown),
		cmocka_unit_test_setup_teardown(read_appends, setup, teardown),
		cmocka_unit_test_setup_teardown(read_names_the_path_on_failure, setup, teardown),
		cmocka_unit_test_setup_teardown(write_into_an_absent_folder_fails, setup, teardown),
		cmocka_unit_test_setup_teardown(failed_write_leaves_nothing_behind, setup,
						teardown),
		cmocka_unit_test(full_device_is_an_error),
		cmocka_unit_test_setup_teardown(folder_make_makes_parents, setup, teardown),
		cmocka_unit_test_setup_teardown(folder_make_names_what_is_in_the_way, setup,
						teardown),
		cmocka_unit_test_setup_teardown(folder_remove_does_not_follow_links, setup,
						teardown),
		cmocka_unit_test(path_below_keeps_absolute_paths),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
