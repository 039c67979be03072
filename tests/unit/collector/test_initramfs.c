/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include <archive.h>
#include <archive_entry.h>
#include <errno.h>
#include <unistd.h>

#include "collector/initramfs.h"
#include "common/array.h"
#include "common/file.h"
#include "tests/unit/collector/collector_fixture.h"

static const char plan_text[] = "kregress-plan 1\nbench *\nend\n";

struct expected_entry {
	const char *name;
	unsigned int type;
	unsigned int mode;
	const char *content; /* of a file */
	size_t length;
};

static void assert_entry(struct archive *archive, const struct expected_entry *expected)
{
	struct archive_entry *entry;
	char content[256];

	if (archive_read_next_header(archive, &entry) != ARCHIVE_OK)
		fail_msg("no entry where %s belongs", expected->name);
	assert_string_equal(archive_entry_pathname(entry), expected->name);
	assert_int_equal(archive_entry_filetype(entry), expected->type);
	assert_int_equal(archive_entry_perm(entry), expected->mode);
	assert_int_equal(archive_entry_uid(entry), 0);
	assert_int_equal(archive_entry_gid(entry), 0);
	assert_int_equal(archive_entry_mtime(entry), 0);
	if (expected->type == AE_IFCHR) {
		assert_int_equal(archive_entry_rdevmajor(entry), 5);
		assert_int_equal(archive_entry_rdevminor(entry), 1);
	}
	assert_int_equal(archive_entry_size(entry), expected->length);
	assert_true(expected->length < sizeof(content));
	assert_int_equal(archive_read_data(archive, content, sizeof(content)), expected->length);
	if (expected->length)
		assert_memory_equal(content, expected->content, expected->length);
}

static void assert_archive(const char *path, const struct expected_entry *expected, size_t count)
{
	struct archive *archive = archive_read_new();
	struct archive_entry *entry;

	assert_int_equal(archive_read_support_format_cpio(archive), ARCHIVE_OK);
	assert_int_equal(archive_read_open_filename(archive, path, 10240), ARCHIVE_OK);
	for (size_t i = 0; i < count; i++)
		assert_entry(archive, &expected[i]);
	assert_int_equal(archive_read_next_header(archive, &entry), ARCHIVE_EOF);
	assert_int_equal(archive_format(archive), ARCHIVE_FORMAT_CPIO_SVR4_NOCRC);
	archive_read_free(archive);
}

#define FOLDER(name)                                                                               \
	{                                                                                          \
		name, AE_IFDIR, 0755, NULL, 0                                                      \
	}

static void everything_reads_back(void **state)
{
	_cleanup_free_ char *agent = fixture_write("agent", "#!agent\n", 0644);
	_cleanup_free_ char *module = fixture_write("any.ko",
						    "\x7f"
						    "ELF",
						    0600);
	_cleanup_free_ char *path = path_below(fixture_folder, "initramfs");
	const struct initramfs content = {agent, module, plan_text, NULL};
	_cleanup_(error_clear) struct error err = {0};
	static const struct expected_entry expected[] = {
		FOLDER("dev"),
		FOLDER("proc"),
		FOLDER("sys"),
		FOLDER("tmp"),
		FOLDER("kregress"),
		{"dev/console", AE_IFCHR, 0600, NULL, 0},
		{"init", AE_IFREG, 0755, "#!agent\n", 8},
		{"kregress/kregress.ko", AE_IFREG, 0644,
		 "\x7f"
		 "ELF",
		 4},
		{"kregress/plan", AE_IFREG, 0644, plan_text, sizeof(plan_text) - 1},
	};

	(void)state;
	assert_success(initramfs_write(path, &content, &err), &err);
	assert_archive(path, expected, ARRAY_SIZE(expected));
}

static void without_a_module_there_is_none(void **state)
{
	_cleanup_free_ char *agent = fixture_write("agent", "", 0755);
	_cleanup_free_ char *path = path_below(fixture_folder, "initramfs");
	const struct initramfs content = {agent, NULL, "", NULL};
	_cleanup_(error_clear) struct error err = {0};
	static const struct expected_entry expected[] = {
		FOLDER("dev"),
		FOLDER("proc"),
		FOLDER("sys"),
		FOLDER("tmp"),
		FOLDER("kregress"),
		{"dev/console", AE_IFCHR, 0600, NULL, 0},
		{"init", AE_IFREG, 0755, NULL, 0},
		{"kregress/plan", AE_IFREG, 0644, NULL, 0},
	};

	(void)state;
	assert_success(initramfs_write(path, &content, &err), &err);
	assert_archive(path, expected, ARRAY_SIZE(expected));
}

/* A program with NUL bytes, longer than the archive's blocks. */
static char *write_program(const char *name, size_t length)
{
	_cleanup_free_ char *bytes = xcalloc(length, 1);
	_cleanup_(error_clear) struct error err = {0};
	char *path = path_below(fixture_folder, name);

	for (size_t i = 0; i < length; i++)
		bytes[i] = (char)(i * 31 % 251);
	assert_success(file_write(path, bytes, length, &err), &err);
	return path;
}

static void the_same_content_gives_the_same_bytes(void **state)
{
	_cleanup_free_ char *agent = write_program("agent", 100003);
	_cleanup_free_ char *copy = write_program("copy", 100003);
	_cleanup_free_ char *first = path_below(fixture_folder, "first");
	_cleanup_free_ char *second = path_below(fixture_folder, "second");
	_cleanup_(strbuf_release) struct strbuf one = STRBUF_INIT, two = STRBUF_INIT;
	struct initramfs content = {agent, NULL, plan_text, NULL};
	_cleanup_(error_clear) struct error err = {0};

	(void)state;
	assert_success(initramfs_write(first, &content, &err), &err);
	content.agent = copy;
	assert_success(initramfs_write(second, &content, &err), &err);
	assert_success(file_read(first, &one, &err), &err);
	assert_success(file_read(second, &two, &err), &err);
	assert_true(one.length > 100003);
	assert_int_equal(one.length, two.length);
	assert_memory_equal(one.text, two.text, one.length);
}

static void what_cannot_be_read_is_named(void **state)
{
	_cleanup_free_ char *agent = fixture_write("agent", "x", 0755);
	_cleanup_free_ char *absent = path_below(fixture_folder, "absent");
	_cleanup_free_ char *path = path_below(fixture_folder, "initramfs");
	const struct initramfs no_agent = {absent, NULL, "", NULL};
	const struct initramfs no_module = {agent, fixture_folder, "", NULL};
	_cleanup_(error_clear) struct error err = {0};

	(void)state;
	assert_refused(initramfs_write(path, &no_agent, &err), &err, ERROR_IO, absent);
	assert_contains(err.message, strerror(ENOENT));
	assert_refused(initramfs_write(path, &no_module, &err), &err, ERROR_IO, fixture_folder);
	assert_contains(err.message, strerror(EISDIR));
}

static void what_cannot_be_written_is_named(void **state)
{
	_cleanup_free_ char *small = fixture_write("agent", "x", 0755);
	_cleanup_free_ char *large = write_program("large", 100003);
	_cleanup_free_ char *path = path_below(fixture_folder, "absent/initramfs");
	struct initramfs content = {small, NULL, plan_text, NULL};
	_cleanup_(error_clear) struct error err = {0};

	(void)state;
	assert_refused(initramfs_write(path, &content, &err), &err, ERROR_IO, path);
	if (access("/dev/full", W_OK) < 0)
		skip();
	assert_refused(initramfs_write("/dev/full", &content, &err), &err, ERROR_IO, "/dev/full");
	content.agent = large;
	assert_refused(initramfs_write("/dev/full", &content, &err), &err, ERROR_IO, "/dev/full");
}

#define folder_test(test) cmocka_unit_test_setup_teardown(test, fixture_setup, fixture_teardown)

/* Parents come before what is in them, each once. */
static void further_files_with_their_folders(void **state)
{
	_cleanup_free_ char *agent = fixture_write("agent", "#!agent\n", 0755);
	_cleanup_free_ char *tool = fixture_write("tool", "#!tool\n", 0755);
	_cleanup_free_ char *data = fixture_write("data", "12\n", 0644);
	_cleanup_free_ char *path = path_below(fixture_folder, "initramfs");
	_cleanup_(string_list_release) struct string_list files = {0}, names = {0};
	_cleanup_(error_clear) struct error err = {0};
	const struct initramfs content = {agent, NULL, "", &files};
	struct archive *archive = archive_read_new();
	struct archive_entry *entry;

	(void)state;
	string_list_add(&files, tool);
	string_list_add(&files, data);
	assert_int_equal(initramfs_write(path, &content, &err), 0);
	assert_int_equal(archive_read_support_format_cpio(archive), ARCHIVE_OK);
	assert_int_equal(archive_read_open_filename(archive, path, 10240), ARCHIVE_OK);
	while (archive_read_next_header(archive, &entry) == ARCHIVE_OK) {
		const char *name = archive_entry_pathname(entry);
		_cleanup_free_ char *parent = xstrdup(name);
		char *slash = strrchr(parent, '/');

		assert_false(string_list_contains(&names, name));
		if (slash) {
			*slash = '\0';
			assert_true(string_list_contains(&names, parent));
		}
		string_list_add(&names, name);
	}
	archive_read_free(archive);
	assert_true(string_list_contains(&names, tool + 1));
	assert_true(string_list_contains(&names, data + 1));
	string_list_add(&files, "/nonexistent/file");
	assert_int_equal(initramfs_write(path, &content, &err), -1);
	assert_non_null(strstr(err.message, "/nonexistent/file"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(further_files_with_their_folders),
		folder_test(everything_reads_back),
		folder_test(without_a_module_there_is_none),
		folder_test(the_same_content_gives_the_same_bytes),
		folder_test(what_cannot_be_read_is_named),
		folder_test(what_cannot_be_written_is_named),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
