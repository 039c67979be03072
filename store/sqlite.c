/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <errno.h>
#include <string.h>

#include <sqlite3.h>

#include "common/alloc.h"
#include "common/file.h"
#include "store/database.h"
#include "store/schema.h"

/* How long a writer waits for another one; a transaction takes well under a second. */
#define BUSY_TIMEOUT_MS	 30000
#define BUSY_INTERVAL_MS 10

/*
 * 64 MiB, in KiB. Histories that are loaded one after the other read the same two pages of each run
 * set again and again: with SQLite's default of 2 MiB they are read anew above 250 run sets.
 */
#define CACHE_SIZE "-65536"

/* The file is written anew when one part in so many is free: the next run sets reuse less. */
#define VACUUM_WORTH_PART 10

static int fail_full(struct store *store, struct error *err)
{
	_cleanup_free_ char *end = database_consequence(store);

	error_set(err, ERROR_IO, "%s: the disk is full%s", store->path, end);
	return error_hint(err, "free space on the file system of %s and run the same command again",
			  store->path);
}

static int fail_io(struct store *store, int code, struct error *err)
{
	int cause = sqlite3_system_errno(store->connection);
	_cleanup_free_ char *end = database_consequence(store);

	if (cause == ENOSPC || cause == EDQUOT)
		return fail_full(store, err);
	error_set(err, ERROR_IO, "%s: reading or writing failed (%s, %s)%s", store->path,
		  sqlite3_errstr(code), cause ? strerror(cause) : "cause unknown", end);
	return error_hint(err, "see whether the disk is full or damaged (df, dmesg)");
}

static int fail_access(struct store *store, struct error *err)
{
	int cause = sqlite3_system_errno(store->connection);

	if (cause == ENOSPC || cause == EDQUOT)
		return fail_full(store, err);
	error_set(err, ERROR_IO, "%s: cannot be opened for writing: %s", store->path,
		  cause && cause != ENOENT ? strerror(cause) : sqlite3_errmsg(store->connection));
	return error_hint(err, "the file and its folder must be writable for this user");
}

static int fail_locked(struct store *store, struct error *err)
{
	_cleanup_free_ char *end = database_consequence(store);

	error_set(err, ERROR_IO, "%s: locked by another process%s", store->path, end);
	return error_hint(err, "wait for the other process to end, or stop it (fuser -v %s)",
			  store->path);
}

static int sqlite_fail(struct store *store, int code, struct error *err)
{
	_cleanup_free_ char *end = NULL;

	switch (code & 0xff) {
	case SQLITE_FULL:
		return fail_full(store, err);
	case SQLITE_IOERR:
		return fail_io(store, code, err);
	case SQLITE_CANTOPEN:
	case SQLITE_READONLY:
	case SQLITE_PERM:
	case SQLITE_AUTH:
		return fail_access(store, err);
	case SQLITE_BUSY:
	case SQLITE_LOCKED:
		return fail_locked(store, err);
	case SQLITE_NOTADB:
		error_set(err, ERROR_IO, "%s: not a kregress store: not an SQLite database",
			  store->path);
		return error_hint(err, "name another file for the store, or move this one away");
	case SQLITE_CORRUPT:
		error_set(err, ERROR_IO, "%s: the store is damaged: %s", store->path,
			  sqlite3_errmsg(store->connection));
		return error_hint(
			err, "restore a copy, or save what is readable with 'sqlite3 %s .recover'",
			store->path);
	default:
		end = database_consequence(store);
		return error_set(err, (code & 0xff) == SQLITE_CONSTRAINT ? ERROR_DATA : ERROR_IO,
				 "%s: %s%s", store->path, sqlite3_errmsg(store->connection), end);
	}
}

static int fail_last(struct store *store, struct error *err)
{
	return sqlite_fail(store, sqlite3_extended_errcode(store->connection), err);
}

static int execute(struct store *store, const char *sql, struct error *err)
{
	int code = sqlite3_exec(store->connection, sql, NULL, NULL, NULL);

	return code == SQLITE_OK ? 0 : fail_last(store, err);
}

static int make_parent(const char *path, struct error *err)
{
	_cleanup_free_ char *folder = xstrdup(path);
	char *slash = strrchr(folder, '/');

	if (!slash || slash == folder)
		return 0;
	*slash = '\0';
	return folder_make(folder, err);
}

static int open_file(struct store *store, struct error *err)
{
	int flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE;
	sqlite3 *database = NULL;
	int code = sqlite3_open_v2(store->address, &database, flags, NULL);

	store->connection = database;
	if (code != SQLITE_OK)
		return fail_last(store, err);
	sqlite3_extended_result_codes(database, 1);
	sqlite3_busy_timeout(database, BUSY_TIMEOUT_MS);
	/* SQLite opens a file that it may not write for reading, without a word. */
	if (sqlite3_db_readonly(database, "main") == 1) {
		error_set(err, ERROR_IO, "%s: cannot be opened for writing", store->path);
		return error_hint(err, "the file and its folder must be writable for this user");
	}
	return 0;
}

static int connect_file(struct store *store, struct error *err)
{
	if (make_parent(store->address, err) < 0 || open_file(store, err) < 0)
		return -1;
	return execute(store, "PRAGMA synchronous = FULL; PRAGMA cache_size = " CACHE_SIZE, err);
}

/*
 * References are checked from here on: a migration may put a table in the place of another one.
 * The journal mode is a property of the file. Changing it fails at once, without waiting, while
 * another process has the file open, which then changes it itself.
 */
static int settle(struct store *store, struct error *err)
{
	if (execute(store, "PRAGMA foreign_keys = ON", err) < 0)
		return -1;
	for (int waited_ms = 0; waited_ms < BUSY_TIMEOUT_MS; waited_ms += BUSY_INTERVAL_MS) {
		if (execute(store, "PRAGMA journal_mode = WAL", err) == 0)
			return 0;
		if (sqlite3_errcode(store->connection) != SQLITE_BUSY)
			return -1;
		error_clear(err);
		sqlite3_sleep(BUSY_INTERVAL_MS);
	}
	return sqlite_fail(store, SQLITE_BUSY, err);
}

static void disconnect(struct store *store)
{
	sqlite3_close(store->connection);
}

static int begin(struct store *store, bool writes, struct error *err)
{
	/* Taking the write lock at once avoids a deadlock of two readers that turn to writing. */
	return execute(store, writes ? "BEGIN IMMEDIATE" : "BEGIN", err);
}

static void rollback(struct store *store)
{
	/* SQLite itself has undone the transaction after some failures. */
	if (!sqlite3_get_autocommit(store->connection))
		sqlite3_exec(store->connection, "ROLLBACK", NULL, NULL, NULL);
}

static int refuse_foreign(const struct store *store, struct error *err)
{
	error_set(err, ERROR_IO, "%s: not a kregress store: an SQLite database of another program",
		  store->path);
	return error_hint(err, "name another file for the store, or move this one away");
}

/* The version of the tables; 0 for an empty file. */
static int read_version(struct store *store, int64_t *version, struct error *err)
{
	int64_t application, tables;

	if (database_scalar(store, "PRAGMA application_id", &application, err) < 0 ||
	    database_scalar(store, "PRAGMA user_version", version, err) < 0 ||
	    database_scalar(store, "SELECT COUNT(*) FROM sqlite_master", &tables, err) < 0)
		return -1;
	if (application == SCHEMA_APPLICATION_ID && *version > 0)
		return 0;
	if (application || *version || tables)
		return refuse_foreign(store, err);
	return 0;
}

static int write_version(struct store *store, int version, struct error *err)
{
	_cleanup_free_ char *pragmas =
		xasprintf("PRAGMA application_id = %d; PRAGMA user_version = %d",
			  SCHEMA_APPLICATION_ID, version);

	return execute(store, pragmas, err);
}

static char *translate(const char *sql)
{
	return xstrdup(sql);
}

/* That of the file once the journal is written back to it. */
static int size_of_file(struct store *store, uint64_t *bytes, struct error *err)
{
	int64_t pages, page_bytes;

	if (database_scalar(store, "PRAGMA page_count", &pages, err) < 0 ||
	    database_scalar(store, "PRAGMA page_size", &page_bytes, err) < 0)
		return -1;
	*bytes = (uint64_t)pages * (uint64_t)page_bytes;
	return 0;
}

static int vacuum_worth(struct store *store, bool *worth, struct error *err)
{
	int64_t free_pages, pages;

	if (database_scalar(store, "PRAGMA freelist_count", &free_pages, err) < 0 ||
	    database_scalar(store, "PRAGMA page_count", &pages, err) < 0)
		return -1;
	*worth = free_pages * VACUUM_WORTH_PART >= pages;
	return 0;
}

/* The file shrinks once the journal is written back to it. */
static int vacuum(struct store *store, bool force, struct error *err)
{
	(void)force;
	if (execute(store, "VACUUM", err) < 0)
		return -1;
	return execute(store, "PRAGMA wal_checkpoint(TRUNCATE)", err);
}

static int prepare(struct query *query, const char *sql, struct error *err)
{
	sqlite3_stmt *statement = NULL;
	int code = sqlite3_prepare_v2(query->store->connection, sql, -1, &statement, NULL);

	query->statement = statement;
	return code == SQLITE_OK ? 0 : fail_last(query->store, err);
}

static void note_bind(struct query *query, int code)
{
	if (query->bind_code == SQLITE_OK)
		query->bind_code = code;
}

static void bind_text(struct query *query, const char *text)
{
	note_bind(query,
		  sqlite3_bind_text(query->statement, ++query->parameter, text, -1, SQLITE_STATIC));
}

static void bind_int(struct query *query, int64_t value)
{
	note_bind(query, sqlite3_bind_int64(query->statement, ++query->parameter, value));
}

static void bind_real(struct query *query, double value)
{
	note_bind(query, sqlite3_bind_double(query->statement, ++query->parameter, value));
}

static void reset(struct query *query)
{
	sqlite3_reset(query->statement);
	query->parameter = 0;
	query->bind_code = SQLITE_OK;
}

static int step(struct query *query, struct error *err)
{
	int code = query->bind_code;

	if (code == SQLITE_OK)
		code = sqlite3_step(query->statement);
	if (code == SQLITE_ROW)
		return 1;
	return code == SQLITE_DONE ? 0 : fail_last(query->store, err);
}

static const char *column_text(const struct query *query, int index)
{
	return (const char *)sqlite3_column_text(query->statement, index);
}

static int64_t column_int(const struct query *query, int index)
{
	return sqlite3_column_int64(query->statement, index);
}

static double column_real(const struct query *query, int index)
{
	return sqlite3_column_double(query->statement, index);
}

static void close_statement(struct query *query)
{
	sqlite3_finalize(query->statement);
}

const struct database_kind database_sqlite = {
	.connect = connect_file,
	.settle = settle,
	.disconnect = disconnect,
	.execute = execute,
	.begin = begin,
	.rollback = rollback,
	.read_version = read_version,
	.write_version = write_version,
	.translate = translate,
	.size = size_of_file,
	.vacuum = vacuum,
	.vacuum_worth = vacuum_worth,
	.prepare = prepare,
	.bind_text = bind_text,
	.bind_int = bind_int,
	.bind_real = bind_real,
	.step = step,
	.reset = reset,
	.text = column_text,
	.integer = column_int,
	.real = column_real,
	.close = close_statement,
};
