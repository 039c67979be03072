/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "store/store.h"

#include <string.h>

#include "common/alloc.h"
#include "store/database.h"
#include "store/schema.h"

static const struct database_kind *kind_of(const char *address)
{
	if (!strncmp(address, "postgresql://", 13) || !strncmp(address, "postgres://", 11))
		return &database_postgres;
	return strstr(address, "://") ? NULL : &database_sqlite;
}

bool store_is_url(const char *address)
{
	return strstr(address, "://") != NULL;
}

int store_open(const char *address, struct store **store, struct error *err)
{
	_cleanup_store_ struct store *opened = xcalloc(1, sizeof(*opened));

	opened->kind = kind_of(address);
	if (!opened->kind) {
		error_set(err, ERROR_USAGE, "the store's URL names a database of unknown kind");
		return error_hint(err, "write postgresql://USER@HOST/DATABASE, or name a file");
	}
	opened->address = xstrdup(address);
	opened->path = xstrdup(address);
	if (opened->kind->connect(opened, err) < 0 || schema_prepare(opened, err) < 0 ||
	    (opened->kind->settle && opened->kind->settle(opened, err) < 0))
		return -1;
	*store = take_pointer(opened);
	return 0;
}

void store_close(struct store *store)
{
	if (store->connection)
		store->kind->disconnect(store);
	free(store->address);
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
