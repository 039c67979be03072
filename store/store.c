/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "store/store.h"

#include <string.h>

#include "common/alloc.h"
#include "common/file.h"
#include "store/schema.h"
#include "store/sqlite.h"

/* How long a writer waits for another one; a transaction takes well under a second. */
#define BUSY_TIMEOUT_MS	 30000
#define BUSY_INTERVAL_MS 10

static int make_parent(const char *path, struct error *err)
{
	_cleanup_free_ char *folder = xstrdup(path);
	char *slash = strrchr(folder, '/');

	if (!slash || slash == folder)
		return 0;
	*slash = '\0';
	return folder_make(folder, err);
}

/*
 * The journal mode is a property of the file. Changing it fails at once, without waiting, while
 * another process has the file open, which then changes it itself.
 */
static int use_wal(struct store *store, struct error *err)
{
	for (int waited_ms = 0; waited_ms < BUSY_TIMEOUT_MS; waited_ms += BUSY_INTERVAL_MS) {
		if (sqlite_execute(store, "PRAGMA journal_mode = WAL", err) == 0)
			return 0;
		if (sqlite3_errcode(store->db) != SQLITE_BUSY)
			return -1;
		error_clear(err);
		sqlite3_sleep(BUSY_INTERVAL_MS);
	}
	return sqlite_fail(store, SQLITE_BUSY, err);
}

static int connect_file(struct store *store, struct error *err)
{
	int flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE;

	if (sqlite3_open_v2(store->path, &store->db, flags, NULL) != SQLITE_OK)
		return sqlite_fail(store, sqlite3_extended_errcode(store->db), err);
	sqlite3_extended_result_codes(store->db, 1);
	sqlite3_busy_timeout(store->db, BUSY_TIMEOUT_MS);
	/* SQLite opens a file that it may not write for reading, without a word. */
	if (sqlite3_db_readonly(store->db, "main") == 1) {
		error_set(err, ERROR_IO, "%s: cannot be opened for writing", store->path);
		return error_hint(err, "the file and its folder must be writable for this user");
	}
	return 0;
}

static int prepare_file(struct store *store, struct error *err)
{
	if (sqlite_execute(store, "PRAGMA foreign_keys = ON; PRAGMA synchronous = FULL", err) < 0)
		return -1;
	if (schema_prepare(store, err) < 0)
		return -1;
	return use_wal(store, err);
}

int store_open(const char *path, struct store **store, struct error *err)
{
	_cleanup_store_ struct store *opened = NULL;

	if (strstr(path, "://")) {
		error_set(err, ERROR_USAGE, "%s: this program cannot open a store by URL", path);
		return error_hint(err, "name a file, such as .kregress/store.db");
	}
	if (make_parent(path, err) < 0)
		return -1;
	opened = xcalloc(1, sizeof(*opened));
	opened->path = xstrdup(path);
	if (connect_file(opened, err) < 0 || prepare_file(opened, err) < 0)
		return -1;
	*store = take_pointer(opened);
	return 0;
}

void store_close(struct store *store)
{
	sqlite3_close(store->db);
	free(store->path);
	free(store);
}

void collection_release(struct collection *collection)
{
	free(collection->id);
	free(collection->plan_digest);
	free(collection->created_at);
	*collection = (struct collection){0};
}

void run_set_summary_list_release(struct run_set_summary_list *list)
{
	array_for_each (summary, list) {
		free(summary->id);
		free(summary->collection);
		free(summary->variant);
		free(summary->target);
		free(summary->created_at);
	}
	array_release(list);
}
