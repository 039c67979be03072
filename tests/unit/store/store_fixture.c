/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/unit/store/store_fixture.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>
#include <libpq-fe.h>

#include "common/alloc.h"
#include "common/file.h"

char *fixture_folder;
char *fixture_path;

/* A schema of its own in the database that tests/support/with-postgres made. */
static char *make_schema(const char *url)
{
	static int schemas;
	_cleanup_free_ char *sql = xasprintf("CREATE SCHEMA test_%d", ++schemas);
	PGconn *connection = PQconnectdb(url);
	PGresult *result = PQexec(connection, sql);
	bool made = PQresultStatus(result) == PGRES_COMMAND_OK;

	PQclear(result);
	PQfinish(connection);
	return made ? xasprintf("%s&options=-csearch_path%%3Dtest_%d", url, schemas) : NULL;
}

int fixture_setup(void **state)
{
	_cleanup_(error_clear) struct error err = {0};
	const char *url = getenv("KREGRESS_TEST_POSTGRES");

	(void)state;
	if (folder_make_temporary(&fixture_folder, &err) < 0)
		return -1;
	fixture_path = url ? make_schema(url) : path_below(fixture_folder, "sub/store.db");
	return fixture_path ? 0 : -1;
}

const char *fixture_name(void)
{
	return store_is_url(fixture_path) ? "postgresql://kregress@" : fixture_path;
}

int fixture_teardown(void **state)
{
	_cleanup_(error_clear) struct error err = {0};
	int status = folder_remove(fixture_folder, &err);

	(void)state;
	free(fixture_folder);
	free(fixture_path);
	return status;
}

void assert_success(int status, const struct error *err)
{
	if (status != 0)
		fail_msg("%s", err->message);
}

struct store *fixture_open(void)
{
	_cleanup_(error_clear) struct error err = {0};
	struct store *store = NULL;

	assert_success(store_open(fixture_path, &store, &err), &err);
	return store;
}
