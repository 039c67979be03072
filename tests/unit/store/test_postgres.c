/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What only a store on a server can do or suffer. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>
#include <libpq-fe.h>

#include "common/alloc.h"
#include "store/store.h"
#include "tests/unit/store/equal_sets.h"
#include "tests/unit/store/sample_sets.h"
#include "tests/unit/store/store_fixture.h"

static int sql_on(const char *url, const char *sql)
{
	PGconn *connection = PQconnectdb(url);
	PGresult *result = PQexec(connection, sql);
	ExecStatusType status = PQresultStatus(result);

	PQclear(result);
	PQfinish(connection);
	return status == PGRES_COMMAND_OK || status == PGRES_TUPLES_OK ? 0 : -1;
}

static void assert_refused(const char *url, enum error_kind kind, const char *message)
{
	_cleanup_store_ struct store *store = NULL;
	_cleanup_(error_clear) struct error err = {0};

	assert_int_equal(store_open(url, &store, &err), -1);
	assert_int_equal(err.kind, kind);
	if (!strstr(err.message, message))
		fail_msg("'%s' does not contain '%s'", err.message, message);
	assert_non_null(err.hint);
	assert_null(strstr(err.message, "sesame"));
	assert_null(strstr(err.hint, "sesame"));
}

static void no_password_in_a_message(void **state)
{
	(void)state;
	assert_refused("postgresql://me:sesame@127.0.0.1:1/db", ERROR_IO,
		       "postgresql://me@127.0.0.1:1/db: no connection: ");
	assert_refused("postgresql://me:sesame%zz@host/db", ERROR_USAGE, "cannot be read");
	assert_refused("mysql://me:sesame@host/db", ERROR_USAGE, "unknown kind");
}

static void foreign_tables_are_left_alone(void **state)
{
	(void)state;
	assert_int_equal(sql_on(fixture_path, "CREATE TABLE samples (a INT)"), 0);
	assert_refused(fixture_path, ERROR_IO, "tables of another program");
	assert_int_equal(sql_on(fixture_path, "SELECT a FROM samples"), 0);
	assert_int_equal(sql_on(fixture_path, "SELECT 1 FROM run_sets"), -1);
}

static void a_newer_schema_is_refused(void **state)
{
	(void)state;
	store_close(fixture_open());
	assert_int_equal(sql_on(fixture_path, "UPDATE kregress_schema SET version = 900"), 0);
	assert_refused(fixture_path, ERROR_IO, "schema version 900");
}

static void a_user_without_rights_is_told(void **state)
{
	_cleanup_free_ char *url = NULL;
	char *at = strstr(fixture_path, "kregress@");

	(void)state;
	sql_on(fixture_path, "CREATE ROLE reader LOGIN");
	url = xasprintf("%.*sreader%s", (int)(at - fixture_path), fixture_path,
			at + strlen("kregress"));
	assert_refused(url, ERROR_IO, "postgresql://reader@");
}

static void a_lost_connection_loses_one_boot(void **state)
{
	_cleanup_(run_set_release) struct run_set set;
	_cleanup_(run_set_release) struct run_set back = {0};
	_cleanup_store_ struct store *store = fixture_open();
	_cleanup_(error_clear) struct error err = {0};

	(void)state;
	plain_set_make(&set, "full", 2, 8);
	assert_success(store_begin_run_set(store, &set, &err), &err);
	assert_success(store_add_boot(store, &set, 0, &err), &err);
	assert_int_equal(sql_on(fixture_path,
				"SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
				" WHERE application_name = 'kregress'"),
			 0);
	assert_int_equal(store_add_boot(store, &set, 1, &err), -1);
	assert_int_equal(err.kind, ERROR_IO);
	assert_non_null(strstr(err.message, "no connection: "));
	assert_non_null(strstr(err.message, "nothing of this boot was stored"));
	error_clear(&err);
	store_close(store);
	store = fixture_open();
	assert_success(store_add_boot(store, &set, 1, &err), &err);
	assert_success(store_load(store, set.id, &back, &err), &err);
	assert_sets_equal(&set, &back);
}

/* Stores `count` sets, each with an id of its own; the exit code says whether all went well. */
static void write_sets(int writer, int count)
{
	struct error err = {0};
	struct store *store = NULL;

	if (store_open(fixture_path, &store, &err) < 0)
		_exit(1);
	for (int i = 0; i < count; i++) {
		struct run_set set;

		plain_set_make(&set, "full", 2, 4);
		free(set.id);
		set.id = xasprintf("%08d%08d", writer, i);
		free(set.collection);
		set.collection = xasprintf("c%d-%d", writer, i);
		if (store_add_run_set(store, &set, &err) < 0)
			_exit(2);
	}
	_exit(0);
}

static void many_machines_write_at_once(void **state)
{
	enum { WRITERS = 4, SETS = 5 };
	_cleanup_(run_set_summary_list_release) struct run_set_summary_list list = {0};
	_cleanup_(error_clear) struct error err = {0};
	_cleanup_store_ struct store *store = NULL;
	int status;

	(void)state;
	for (int writer = 0; writer < WRITERS; writer++)
		if (fork() == 0)
			write_sets(writer, SETS);
	for (int writer = 0; writer < WRITERS; writer++) {
		assert_true(wait(&status) > 0);
		assert_true(WIFEXITED(status));
		assert_int_equal(WEXITSTATUS(status), 0);
	}
	store = fixture_open();
	assert_success(store_list(store, &list, &err), &err);
	assert_int_equal(list.count, WRITERS * SETS);
	array_for_each (summary, &list)
		assert_int_equal(summary->samples, 2 * 4);
}

static void a_locked_store_is_no_deadlock(void **state)
{
	_cleanup_(run_set_release) struct run_set set;
	_cleanup_store_ struct store *store = fixture_open();
	_cleanup_(error_clear) struct error err = {0};
	PGconn *other = PQconnectdb(fixture_path);

	(void)state;
	PQclear(PQexec(other, "BEGIN; SELECT pg_advisory_xact_lock(1263683411)"));
	plain_set_make(&set, "full", 1, 4);
	/* Reading goes on beside a writer. */
	assert_int_equal(store_load(store, "full", &(struct run_set){0}, &err), -1);
	assert_int_equal(err.kind, ERROR_USAGE);
	error_clear(&err);
	PQclear(PQexec(other, "COMMIT"));
	assert_success(store_add_run_set(store, &set, &err), &err);
	PQfinish(other);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, fixture_setup, fixture_teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(no_password_in_a_message),		TEST(foreign_tables_are_left_alone),
		TEST(a_newer_schema_is_refused),	TEST(a_user_without_rights_is_told),
		TEST(a_lost_connection_loses_one_boot), TEST(many_machines_write_at_once),
		TEST(a_locked_store_is_no_deadlock),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
