/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A store that an older version wrote, opened by this one. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdlib.h>

#include "common/file.h"
#include "store/database.h"
#include "store/exchange.h"
#include "store/gc.h"
#include "store/schema.h"
#include "store/timeline.h"
#include "tests/unit/store/equal_sets.h"
#include "tests/unit/store/sample_sets.h"
#include "tests/unit/store/store_fixture.h"

static void read_fixture(const char *name, struct strbuf *text)
{
	_cleanup_free_ char *folder = path_below(getenv("KREGRESS_FIXTURES"), "store");
	_cleanup_free_ char *path = path_below(folder, name);
	_cleanup_(error_clear) struct error err = {0};

	assert_success(file_read(path, text, &err), &err);
}

/* The store's tables and rows as version 4 left them. */
static void make_version_4(void)
{
	struct store store = {
		.address = fixture_path,
		.path = xstrdup("version 4"),
		.kind = store_is_url(fixture_path) ? &database_postgres : &database_sqlite,
	};
	_cleanup_(strbuf_release) struct strbuf text = STRBUF_INIT;
	_cleanup_(error_clear) struct error err = {0};
	_cleanup_free_ char *sql = NULL;

	read_fixture("v4.sql", &text);
	sql = store.kind->translate(strbuf_text(&text));
	assert_success(store.kind->connect(&store, &err), &err);
	assert_success(store.kind->execute(&store, sql, &err), &err);
	assert_success(store.kind->write_version(&store, 4, &err), &err);
	store.kind->disconnect(&store);
	free(store.path);
}

static void assert_holds_all(struct store *store)
{
	_cleanup_(strbuf_release) struct strbuf text = STRBUF_INIT;
	_cleanup_(run_set_list_release) struct run_set_list sets = {0};
	_cleanup_(error_clear) struct error err = {0};

	read_fixture("v4.jsonl", &text);
	assert_success(exchange_read("v4.jsonl", text.text, text.length, &sets, &err), &err);
	assert_int_equal(sets.count, 3);
	for (size_t i = 0; i < sets.count; i++) {
		_cleanup_(run_set_release) struct run_set back = {0};

		assert_success(store_load(store, sets.items[i]->id, &back, &err), &err);
		assert_sets_equal(sets.items[i], &back);
	}
}

static int64_t scalar(struct store *store, const char *sql)
{
	_cleanup_(error_clear) struct error err = {0};
	int64_t value;

	assert_success(database_scalar(store, sql, &value, &err), &err);
	return value;
}

static void version_4_keeps_every_sample(void **state)
{
	struct store *store;

	(void)state;
	make_version_4();
	store = fixture_open();
	assert_holds_all(store);
	/* Two sets share their three names. */
	assert_int_equal(scalar(store, "SELECT COUNT(*) FROM set_series"), 6);
	assert_int_equal(scalar(store, "SELECT COUNT(*) FROM series_names"), 3);
	assert_int_equal(scalar(store, "SELECT COUNT(*) FROM samples"), 19);
	store_close(store);
	/* Opening it again finds nothing to do. */
	store = fixture_open();
	assert_holds_all(store);
	store_close(store);
}

static void what_was_migrated_can_be_written(void **state)
{
	_cleanup_(run_set_release) struct run_set set, back = {0};
	_cleanup_store_ struct store *store = NULL;
	_cleanup_(error_clear) struct error err = {0};

	(void)state;
	make_version_4();
	store = fixture_open();
	plain_set_make(&set, "new", 2, 8);
	assert_success(store_add_run_set(store, &set, &err), &err);
	assert_success(store_load(store, "new", &back, &err), &err);
	assert_sets_equal(&set, &back);
	assert_holds_all(store);
}

static void references_hold_after_the_migration(void **state)
{
	_cleanup_store_ struct store *store = NULL;
	_cleanup_(error_clear) struct error err = {0};

	(void)state;
	make_version_4();
	store = fixture_open();
	assert_int_equal(database_execute(store,
					  "INSERT INTO samples (series, boot, invocation,"
					  " iteration, value) VALUES (999, 0, 0, 0, 1)",
					  &err),
			 -1);
	assert_int_equal(err.kind, ERROR_DATA);
	assert_int_equal(database_execute(store,
					  "INSERT INTO set_series (number, run_set, position, name)"
					  " VALUES (999, 1, 99, 999)",
					  &err),
			 -1);
	assert_int_equal(database_execute(store, "DELETE FROM set_series", &err), -1);
	assert_holds_all(store);
}

static void old_sets_can_be_removed(void **state)
{
	_cleanup_(gc_plan_release) struct gc_plan plan = {0};
	_cleanup_store_ struct store *store = NULL;
	_cleanup_(error_clear) struct error err = {0};

	(void)state;
	make_version_4();
	store = fixture_open();
	assert_success(store_plan_gc(store, &(struct gc_policy){0}, &plan, &err), &err);
	array_for_each (set, &plan.sets)
		assert_int_equal(store_remove_set(store, set, &err), 1);
	assert_int_equal(plan.sets.count, 3);
	assert_int_equal(scalar(store, "SELECT COUNT(*) FROM samples"), 0);
	assert_int_equal(scalar(store, "SELECT COUNT(*) FROM collections"), 0);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, fixture_setup, fixture_teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(version_4_keeps_every_sample),
		TEST(what_was_migrated_can_be_written),
		TEST(references_hold_after_the_migration),
		TEST(old_sets_can_be_removed),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
