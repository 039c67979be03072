/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "store/sqlite.h"

#include <errno.h>
#include <string.h>

#include "common/alloc.h"

/* What a failed write means for the data, as the end of a message. */
static char *consequence(const struct store *store)
{
	if (!store->writing)
		return xstrdup("");
	return xasprintf(": nothing of %s was stored; earlier data is intact", store->writing);
}

static int fail_full(struct store *store, struct error *err)
{
	_cleanup_free_ char *end = consequence(store);

	error_set(err, ERROR_IO, "%s: the disk is full%s", store->path, end);
	return error_hint(err, "free space on the file system of %s and run the same command again",
			  store->path);
}

static int fail_io(struct store *store, int code, struct error *err)
{
	int cause = sqlite3_system_errno(store->db);
	_cleanup_free_ char *end = consequence(store);

	if (cause == ENOSPC || cause == EDQUOT)
		return fail_full(store, err);
	error_set(err, ERROR_IO, "%s: reading or writing failed (%s, %s)%s", store->path,
		  sqlite3_errstr(code), cause ? strerror(cause) : "cause unknown", end);
	return error_hint(err, "see whether the disk is full or damaged (df, dmesg)");
}

static int fail_access(struct store *store, struct error *err)
{
	int cause = sqlite3_system_errno(store->db);

	if (cause == ENOSPC || cause == EDQUOT)
		return fail_full(store, err);
	error_set(err, ERROR_IO, "%s: cannot be opened for writing: %s", store->path,
		  cause && cause != ENOENT ? strerror(cause) : sqlite3_errmsg(store->db));
	return error_hint(err, "the file and its folder must be writable for this user");
}

static int fail_locked(struct store *store, struct error *err)
{
	_cleanup_free_ char *end = consequence(store);

	error_set(err, ERROR_IO, "%s: locked by another process%s", store->path, end);
	return error_hint(err, "wait for the other process to end, or stop it (fuser -v %s)",
			  store->path);
}

int sqlite_fail(struct store *store, int code, struct error *err)
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
			  sqlite3_errmsg(store->db));
		return error_hint(
			err, "restore a copy, or save what is readable with 'sqlite3 %s .recover'",
			store->path);
	default:
		end = consequence(store);
		return error_set(err, (code & 0xff) == SQLITE_CONSTRAINT ? ERROR_DATA : ERROR_IO,
				 "%s: %s%s", store->path, sqlite3_errmsg(store->db), end);
	}
}

int sqlite_execute(struct store *store, const char *sql, struct error *err)
{
	int code = sqlite3_exec(store->db, sql, NULL, NULL, NULL);

	return code == SQLITE_OK ? 0 : sqlite_fail(store, sqlite3_extended_errcode(store->db), err);
}

int sqlite_scalar(struct store *store, const char *sql, int64_t *value, struct error *err)
{
	_cleanup_query_ struct query query = {0};
	int row;

	if (query_open(&query, store, sql, err) < 0)
		return -1;
	row = query_step(&query, err);
	if (row < 0)
		return -1;
	*value = row ? query_int(&query, 0) : 0;
	return 0;
}

int transaction_begin(struct store *store, const char *writing, struct error *err)
{
	store->writing = writing;
	/* Taking the write lock at once avoids a deadlock of two readers that turn to writing. */
	if (sqlite_execute(store, "BEGIN IMMEDIATE", err) == 0)
		return 0;
	store->writing = NULL;
	return -1;
}

int transaction_begin_read(struct store *store, struct error *err)
{
	return sqlite_execute(store, "BEGIN", err);
}

int transaction_end(struct store *store, int status, struct error *err)
{
	if (status == 0)
		status = sqlite_execute(store, "COMMIT", err);
	/* SQLite itself has undone the transaction after some failures. */
	if (status < 0 && !sqlite3_get_autocommit(store->db))
		sqlite3_exec(store->db, "ROLLBACK", NULL, NULL, NULL);
	store->writing = NULL;
	return status;
}

int query_open(struct query *query, struct store *store, const char *sql, struct error *err)
{
	*query = (struct query){.store = store};
	if (sqlite3_prepare_v2(store->db, sql, -1, &query->statement, NULL) == SQLITE_OK)
		return 0;
	return sqlite_fail(store, sqlite3_extended_errcode(store->db), err);
}

static void note_bind(struct query *query, int code)
{
	if (query->bind_code == SQLITE_OK)
		query->bind_code = code;
}

void query_bind_text(struct query *query, const char *text)
{
	note_bind(query,
		  sqlite3_bind_text(query->statement, ++query->parameter, text, -1, SQLITE_STATIC));
}

void query_bind_int(struct query *query, int64_t value)
{
	note_bind(query, sqlite3_bind_int64(query->statement, ++query->parameter, value));
}

void query_bind_real(struct query *query, double value)
{
	note_bind(query, sqlite3_bind_double(query->statement, ++query->parameter, value));
}

void query_reset(struct query *query)
{
	sqlite3_reset(query->statement);
	query->parameter = 0;
	query->bind_code = SQLITE_OK;
}

int query_step(struct query *query, struct error *err)
{
	int code = query->bind_code;

	if (code == SQLITE_OK)
		code = sqlite3_step(query->statement);
	if (code == SQLITE_ROW)
		return 1;
	if (code == SQLITE_DONE) {
		query_reset(query);
		return 0;
	}
	sqlite_fail(query->store, sqlite3_extended_errcode(query->store->db), err);
	query_reset(query);
	return -1;
}

int query_run(struct query *query, struct error *err)
{
	int row = query_step(query, err);

	if (row > 0)
		query_reset(query);
	return row < 0 ? -1 : 0;
}

char *query_text(const struct query *query, int index)
{
	return xstrdup((const char *)sqlite3_column_text(query->statement, index));
}

int64_t query_int(const struct query *query, int index)
{
	return sqlite3_column_int64(query->statement, index);
}

double query_real(const struct query *query, int index)
{
	return sqlite3_column_double(query->statement, index);
}

void query_close(struct query *query)
{
	sqlite3_finalize(query->statement);
	query->statement = NULL;
}
