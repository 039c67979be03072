/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * No query of the store reads a whole table that grows with the samples: each is asked for its plan
 * as SQLite runs it. What may be read as a whole is small beside them: the run sets, the names of
 * the series, the findings.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>
#include <sqlite3.h>

#include "common/alloc.h"
#include "store/baseline.h"
#include "store/calibration.h"
#include "store/database.h"
#include "store/finding.h"
#include "store/gc.h"
#include "store/timeline.h"
#include "tests/unit/store/sample_sets.h"
#include "tests/unit/store/store_fixture.h"

/* Statements that ran, each once. */
static int note_statement(unsigned event, void *context, void *statement, void *text)
{
	struct string_list *seen = context;
	const char *sql = sqlite3_sql(statement);

	(void)event;
	(void)text;
	if (!string_list_contains(seen, sql))
		string_list_add(seen, sql);
	return 0;
}

static void use_past(struct store *store)
{
	_cleanup_(timeline_list_release) struct timeline_list timelines = {0};
	_cleanup_(timeline_series_list_release) struct timeline_series_list names = {0};
	_cleanup_(timeline_points_release) struct timeline_points points = {0};
	_cleanup_(environment_release) struct environment environment = {0};
	_cleanup_(error_clear) struct error err = {0};
	struct timeline *timeline;

	assert_success(store_load_timelines(store, NULL, &timelines, &err), &err);
	assert_success(store_load_timelines(store, "full", &timelines, &err), &err);
	timeline = &timelines.items[0];
	assert_success(store_load_timeline_series(store, timeline, &names, &err), &err);
	assert_int_equal(names.count, 4);
	assert_success(store_load_timeline_points(store, timeline, &names.items[0], &points, &err),
		       &err);
	assert_int_equal(points.count, 2);
	assert_success(
		store_load_environment(store, timeline->sets.items[0].number, &environment, &err),
		&err);
}

static void use_lists(struct store *store)
{
	_cleanup_(run_set_summary_list_release) struct run_set_summary_list sets = {0};
	_cleanup_(finding_list_release) struct finding_list findings = {0};
	_cleanup_(baseline_list_release) struct baseline_list baselines = {0};
	_cleanup_(calibration_list_release) struct calibration_list calibrations = {0};
	_cleanup_(error_clear) struct error err = {0};

	assert_success(store_list(store, &sets, &err), &err);
	assert_success(store_load_findings(store, &findings, &err), &err);
	assert_success(store_list_baselines(store, &baselines, &err), &err);
	assert_success(store_load_calibrations(store, "test", &calibrations, &err), &err);
}

/* A collection that is made boot by boot, and one that comes as a whole. */
static void use_writers(struct store *store)
{
	_cleanup_(run_set_release) struct run_set set, whole;
	_cleanup_(collection_release) struct collection found = {0};
	_cleanup_(error_clear) struct error err = {0};
	struct collection collection;

	plain_set_make(&set, "full", 2, 8);
	collection = (struct collection){.id = set.collection, .plan_digest = set.id};
	assert_success(store_begin_collection(store, &collection, &err), &err);
	assert_success(store_begin_run_set(store, &set, &err), &err);
	assert_success(store_add_boot(store, &set, 0, &err), &err);
	assert_int_equal(store_find_unfinished(store, set.id, &found, &err), 1);
	assert_success(store_add_boot(store, &set, 1, &err), &err);
	assert_success(store_finish_collection(store, set.collection, &err), &err);
	plain_set_make(&whole, "full", 2, 8);
	assert_success(store_add_run_set(store, &whole, &err), &err);
}

static void use_loads(struct store *store)
{
	_cleanup_(run_set_summary_list_release) struct run_set_summary_list list = {0};
	_cleanup_(run_set_list_release) struct run_set_list sets = {0};
	_cleanup_(error_clear) struct error err = {0};
	_cleanup_free_ char *qualified = NULL;
	struct run_set set;

	assert_success(store_list(store, &list, &err), &err);
	assert_success(store_load_collection(store, list.items[0].collection, &sets, &err), &err);
	qualified = xasprintf("full@%s", list.items[0].id);
	const char *const specs[] = {"full", list.items[0].id, qualified};

	for (size_t i = 0; i < ARRAY_SIZE(specs); i++) {
		assert_success(store_load(store, specs[i], &set, &err), &err);
		run_set_release(&set);
	}
	assert_int_equal(store_load(store, "nothing", &set, &err), -1);
}

static void use_gc(struct store *store)
{
	_cleanup_(gc_plan_release) struct gc_plan plan = {0};
	_cleanup_(error_clear) struct error err = {0};
	enum gc_vacuum outcome;

	assert_success(store_plan_gc(store, &(struct gc_policy){.keep_sets = 1}, &plan, &err),
		       &err);
	array_for_each (set, &plan.sets)
		if (set->reason == GC_OLD)
			assert_int_equal(store_remove_set(store, set, &err), 1);
	assert_success(store_vacuum(store, "2020-01-01T00:00:00Z", false, &outcome, &err), &err);
}

/* "SCAN s", where s may stand for a table by the query's text: " samples s". */
static bool scans(const char *plan, const char *sql, const char *table)
{
	_cleanup_free_ char *alias = NULL, *aliased = NULL;
	const char *scan = strstr(plan, "SCAN ");

	if (!scan)
		return false;
	scan += strlen("SCAN ");
	alias = xstrndup(scan, strcspn(scan, " "));
	aliased = xasprintf("%s %s ", table, alias);
	return !strcmp(alias, table) || strstr(sql, aliased);
}

/* The first line of the plan that scans a table that grows, or NULL. */
static char *find_scan(struct store *store, const char *sql)
{
	static const char *const large[] = {"samples", "set_series",	   "series",
					    "boots",   "boot_environment", "boot_failures"};
	_cleanup_free_ char *explain = xasprintf("EXPLAIN QUERY PLAN %s", sql);
	_cleanup_(error_clear) struct error err = {0};
	_cleanup_query_ struct query query = {0};

	assert_success(query_open(&query, store, explain, &err), &err);
	while (query_step(&query, &err) > 0) {
		_cleanup_free_ char *line = query_text(&query, 3);

		for (size_t i = 0; i < ARRAY_SIZE(large); i++)
			if (scans(line, sql, large[i]))
				return take_pointer(line);
	}
	return NULL;
}

static bool has_plan(const char *sql)
{
	static const char *const words[] = {"SELECT", "INSERT", "UPDATE", "DELETE"};

	for (size_t i = 0; i < ARRAY_SIZE(words); i++)
		if (!strncmp(sql, words[i], strlen(words[i])))
			return true;
	return false;
}

static void no_query_scans_what_grows(void **state)
{
	_cleanup_(string_list_release) struct string_list seen = {0};
	_cleanup_store_ struct store *store = fixture_open();
	size_t explained = 0;

	(void)state;
	sqlite3_trace_v2(store->connection, SQLITE_TRACE_STMT, note_statement, &seen);
	use_writers(store);
	use_lists(store);
	use_past(store);
	use_loads(store);
	use_gc(store);
	sqlite3_trace_v2(store->connection, 0, NULL, NULL);
	array_for_each (sql, &seen) {
		_cleanup_free_ char *scan = has_plan(*sql) ? find_scan(store, *sql) : NULL;

		if (scan)
			fail_msg("%s: %s", scan, *sql);
		explained += has_plan(*sql);
	}
	assert_true(explained > 40);
}

/* What the test above looks for is found where it is. */
static void a_scan_is_seen(void **state)
{
	_cleanup_store_ struct store *store = fixture_open();
	static const char *const queries[] = {
		"SELECT COUNT(*) FROM samples s WHERE s.value > 1",
		"SELECT COUNT(*) FROM set_series e WHERE e.position = 3",
		"DELETE FROM boots WHERE status = 'failed'",
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(queries); i++) {
		_cleanup_free_ char *scan = find_scan(store, queries[i]);

		assert_non_null(scan);
	}
	assert_null(find_scan(store, "SELECT value FROM samples WHERE series = 1"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(no_query_scans_what_grows, fixture_setup,
						fixture_teardown),
		cmocka_unit_test_setup_teardown(a_scan_is_seen, fixture_setup, fixture_teardown),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
