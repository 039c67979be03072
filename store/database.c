/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "store/database.h"

#include "common/alloc.h"

char *database_consequence(const struct store *store)
{
	if (!store->writing)
		return xstrdup("");
	return xasprintf(": nothing of %s was stored; earlier data is intact", store->writing);
}

int database_execute(struct store *store, const char *sql, struct error *err)
{
	return store->kind->execute(store, sql, err);
}

int database_scalar(struct store *store, const char *sql, int64_t *value, struct error *err)
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
	if (store->kind->begin(store, true, err) == 0)
		return 0;
	store->writing = NULL;
	return -1;
}

int transaction_begin_read(struct store *store, struct error *err)
{
	return store->kind->begin(store, false, err);
}

int transaction_end(struct store *store, int status, struct error *err)
{
	if (status == 0)
		status = database_execute(store, "COMMIT", err);
	if (status < 0)
		store->kind->rollback(store);
	store->writing = NULL;
	return status;
}

int query_open(struct query *query, struct store *store, const char *sql, struct error *err)
{
	*query = (struct query){.store = store};
	return store->kind->prepare(query, sql, err);
}

void query_bind_text(struct query *query, const char *text)
{
	query->store->kind->bind_text(query, text);
}

void query_bind_int(struct query *query, int64_t value)
{
	query->store->kind->bind_int(query, value);
}

void query_bind_real(struct query *query, double value)
{
	query->store->kind->bind_real(query, value);
}

void query_reset(struct query *query)
{
	query->store->kind->reset(query);
}

int query_step(struct query *query, struct error *err)
{
	int row = query->store->kind->step(query, err);

	if (row <= 0)
		query_reset(query);
	return row;
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
	return xstrdup(query->store->kind->text(query, index));
}

int64_t query_int(const struct query *query, int index)
{
	return query->store->kind->integer(query, index);
}

double query_real(const struct query *query, int index)
{
	return query->store->kind->real(query, index);
}

void query_close(struct query *query)
{
	if (query->statement)
		query->store->kind->close(query);
	query->statement = NULL;
}
