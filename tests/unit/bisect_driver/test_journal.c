/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/unit/bisect/unit.h"

#include <string.h>
#include <unistd.h>

#include "bisect/driver/journal.h"
#include "common/alloc.h"
#include "common/file.h"

struct fixture {
	char *folder;
	char *path;
};

static int set_up(void **state)
{
	struct fixture *fixture = xcalloc(1, sizeof(*fixture));
	_cleanup_(error_clear) struct error err = {0};

	assert_int_equal(folder_make_temporary(&fixture->folder, &err), 0);
	fixture->path = xasprintf("%s/journal", fixture->folder);
	*state = fixture;
	return 0;
}

static int tear_down(void **state)
{
	struct fixture *fixture = *state;
	_cleanup_(error_clear) struct error err = {0};

	assert_int_equal(folder_remove(fixture->folder, &err), 0);
	free(fixture->folder);
	free(fixture->path);
	free(fixture);
	return 0;
}

static json_t *numbered(int number)
{
	return json_pack("{s:s, s:i, s:f}", "type", "note", "number", number, "value", 0.1);
}

/* Writes a journal of three records. */
static void write_three(const char *path)
{
	_cleanup_(error_clear) struct error err = {0};
	json_t *records = json_array();

	for (int i = 0; i < 3; i++)
		json_array_append_new(records, numbered(i));
	assert_int_equal(journal_write(path, records, &err), 0);
	json_decref(records);
}

static size_t count_records(const char *path)
{
	_cleanup_(journal_close) struct journal journal = JOURNAL_INIT;
	_cleanup_(error_clear) struct error err = {0};
	json_t *records = NULL;
	size_t count;

	assert_int_equal(journal_open(&journal, path, false, &records, &err), 1);
	count = json_array_size(records);
	json_decref(records);
	return count;
}

static char *read_text(const char *path)
{
	struct strbuf text = STRBUF_INIT;
	_cleanup_(error_clear) struct error err = {0};

	assert_int_equal(file_read(path, &text, &err), 0);
	return strbuf_take(&text);
}

static void write_text(const char *path, const char *text, size_t length)
{
	_cleanup_(error_clear) struct error err = {0};

	assert_int_equal(file_write(path, text, length, &err), 0);
}

static void append(const char *path, int number)
{
	_cleanup_(journal_close) struct journal journal = JOURNAL_INIT;
	_cleanup_(error_clear) struct error err = {0};
	json_t *records = NULL;
	json_t *record = numbered(number);

	assert_int_equal(journal_open(&journal, path, true, &records, &err), 1);
	assert_int_equal(journal_append(&journal, record, &err), 0);
	json_decref(record);
	json_decref(records);
}

static void test_records_come_back(void **state)
{
	const struct fixture *fixture = *state;
	_cleanup_(journal_close) struct journal journal = JOURNAL_INIT;
	_cleanup_(error_clear) struct error err = {0};
	json_t *records = NULL;

	assert_int_equal(journal_open(&journal, fixture->path, true, &records, &err), 0);
	write_three(fixture->path);
	append(fixture->path, 3);
	assert_int_equal(journal_open(&journal, fixture->path, true, &records, &err), 1);
	assert_int_equal(json_array_size(records), 4);
	for (size_t i = 0; i < 4; i++) {
		json_t *record = json_array_get(records, i);

		assert_int_equal(json_integer_value(json_object_get(record, "number")), i);
		assert_int_equal(json_integer_value(json_object_get(record, "seq")), i + 1);
		assert_true(json_real_value(json_object_get(record, "value")) == 0.1);
	}
	assert_null(journal.torn);
	json_decref(records);
}

/* Cut anywhere, what is whole before the cut counts, and writing goes on there. */
static void test_torn_anywhere(void **state)
{
	const struct fixture *fixture = *state;
	_cleanup_free_ char *whole = NULL;
	size_t length;

	write_three(fixture->path);
	whole = read_text(fixture->path);
	length = strlen(whole);
	for (size_t cut = 0; cut < length; cut += 7) {
		size_t lines = 0;

		for (size_t i = 0; i < cut; i++)
			lines += whole[i] == '\n';
		write_text(fixture->path, whole, cut);
		assert_int_equal(count_records(fixture->path), lines);
		append(fixture->path, 9);
		assert_int_equal(count_records(fixture->path), lines + 1);
	}
}

static void test_torn_by_zeros(void **state)
{
	const struct fixture *fixture = *state;
	_cleanup_(journal_close) struct journal journal = JOURNAL_INIT;
	_cleanup_(error_clear) struct error err = {0};
	_cleanup_(strbuf_release) struct strbuf text = STRBUF_INIT;
	_cleanup_free_ char *whole = NULL;
	json_t *records = NULL;

	write_three(fixture->path);
	whole = read_text(fixture->path);
	strbuf_append(&text, whole);
	strbuf_append_bytes(&text, "\0\0\0\0\n", 5);
	write_text(fixture->path, strbuf_text(&text), text.length);
	assert_int_equal(journal_open(&journal, fixture->path, true, &records, &err), 1);
	assert_int_equal(json_array_size(records), 3);
	assert_non_null(journal.torn);
	json_decref(records);
}

static void assert_damaged(const char *path, const char *text, size_t length, const char *place)
{
	_cleanup_(journal_close) struct journal journal = JOURNAL_INIT;
	_cleanup_(error_clear) struct error err = {0};
	json_t *records = NULL;

	write_text(path, text, length);
	assert_int_equal(journal_open(&journal, path, false, &records, &err), -1);
	assert_int_equal(err.kind, ERROR_DATA);
	assert_non_null(strstr(err.message, place));
	assert_non_null(err.hint);
}

/* Every part of a line that is not the last matters. */
static void test_changed_bytes_are_found(void **state)
{
	const struct fixture *fixture = *state;
	_cleanup_free_ char *whole = NULL;
	size_t line_end;

	write_three(fixture->path);
	whole = read_text(fixture->path);
	line_end = strcspn(whole, "\n");
	for (size_t i = 0; i < line_end; i += 2) {
		char before = whole[i];

		whole[i] = before == 'x' ? 'y' : 'x';
		assert_damaged(fixture->path, whole, strlen(whole), "journal:1: damaged");
		whole[i] = before;
	}
}

static void test_missing_line(void **state)
{
	const struct fixture *fixture = *state;
	_cleanup_free_ char *whole = NULL;
	_cleanup_free_ char *less = NULL;
	size_t first, second;

	write_three(fixture->path);
	whole = read_text(fixture->path);
	first = strcspn(whole, "\n") + 1;
	second = strcspn(whole + first, "\n") + 1;
	less = xasprintf("%.*s%s", (int)first, whole, whole + first + second);
	assert_damaged(fixture->path, less, strlen(less), "journal:2: damaged");
}

static void test_removed_while_in_use(void **state)
{
	const struct fixture *fixture = *state;
	_cleanup_(journal_close) struct journal journal = JOURNAL_INIT;
	_cleanup_(error_clear) struct error err = {0};
	json_t *records = NULL;
	json_t *record = numbered(7);

	write_three(fixture->path);
	assert_int_equal(journal_open(&journal, fixture->path, true, &records, &err), 1);
	unlink(fixture->path);
	assert_int_equal(journal_append(&journal, record, &err), -1);
	assert_int_equal(err.kind, ERROR_DATA);
	error_clear(&err);
	write_three(fixture->path);
	assert_int_equal(journal_append(&journal, record, &err), -1);
	assert_int_equal(count_records(fixture->path), 3);
	json_decref(record);
	json_decref(records);
}

static void test_reading_cuts_nothing(void **state)
{
	const struct fixture *fixture = *state;
	_cleanup_free_ char *whole = NULL;
	_cleanup_free_ char *after = NULL;
	size_t length;

	write_three(fixture->path);
	whole = read_text(fixture->path);
	length = strlen(whole) - 7;
	write_text(fixture->path, whole, length);
	assert_int_equal(count_records(fixture->path), 2);
	after = read_text(fixture->path);
	assert_int_equal(strlen(after), length);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_records_come_back, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_torn_anywhere, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_torn_by_zeros, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_changed_bytes_are_found, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_missing_line, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_removed_while_in_use, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_reading_cuts_nothing, set_up, tear_down),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
