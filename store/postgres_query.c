/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "store/postgres.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "common/alloc.h"
#include "common/number.h"
#include "common/strbuf.h"

/* The longest statement of the store has fewer. */
#define PARAMETERS_MAX 32

struct statement {
	char name[24];
	const char *values[PARAMETERS_MAX];
	char *numbers[PARAMETERS_MAX]; /* owned texts of what is no text */
	PGresult *result;	       /* NULL: not run yet */
	int row;
};

int postgres_prepare(struct query *query, const char *sql, struct error *err)
{
	struct store *store = query->store;
	struct statement *statement = xcalloc(1, sizeof(*statement));
	PGresult *result;
	int status = 0;

	snprintf(statement->name, sizeof(statement->name), "q%" PRIu64, store->statement_count++);
	result = PQprepare(store->connection, statement->name, sql, 0, NULL);
	if (PQresultStatus(result) != PGRES_COMMAND_OK)
		status = postgres_fail(store, result, err);
	PQclear(result);
	query->statement = statement;
	return status;
}

void postgres_bind_text(struct query *query, const char *text)
{
	struct statement *statement = query->statement;

	if (query->parameter >= PARAMETERS_MAX)
		abort();
	statement->values[query->parameter++] = text;
}

static void bind_number(struct query *query, char *text)
{
	struct statement *statement = query->statement;

	if (query->parameter >= PARAMETERS_MAX)
		abort();
	statement->numbers[query->parameter] = text;
	postgres_bind_text(query, text);
}

void postgres_bind_int(struct query *query, int64_t value)
{
	bind_number(query, xasprintf("%" PRId64, value));
}

void postgres_bind_real(struct query *query, double value)
{
	struct strbuf text = STRBUF_INIT;

	number_append_exact(&text, value);
	bind_number(query, strbuf_take(&text));
}

void postgres_reset(struct query *query)
{
	struct statement *statement = query->statement;

	PQclear(statement->result);
	statement->result = NULL;
	for (int i = 0; i < query->parameter; i++) {
		free(statement->numbers[i]);
		statement->numbers[i] = NULL;
		statement->values[i] = NULL;
	}
	query->parameter = 0;
}

static int run(struct query *query, struct error *err)
{
	struct statement *statement = query->statement;
	ExecStatusType status;

	statement->result = PQexecPrepared(query->store->connection, statement->name,
					   query->parameter, statement->values, NULL, NULL, 0);
	statement->row = -1;
	status = PQresultStatus(statement->result);
	if (status == PGRES_COMMAND_OK || status == PGRES_TUPLES_OK)
		return 0;
	return postgres_fail(query->store, statement->result, err);
}

int postgres_step(struct query *query, struct error *err)
{
	struct statement *statement = query->statement;

	if (!statement->result && run(query, err) < 0)
		return -1;
	return ++statement->row < PQntuples(statement->result);
}

const char *postgres_text(const struct query *query, int index)
{
	const struct statement *statement = query->statement;

	if (PQgetisnull(statement->result, statement->row, index))
		return NULL;
	return PQgetvalue(statement->result, statement->row, index);
}

int64_t postgres_int(const struct query *query, int index)
{
	const char *text = postgres_text(query, index);

	return text ? strtoll(text, NULL, 10) : 0;
}

double postgres_real(const struct query *query, int index)
{
	_cleanup_(error_clear) struct error err = {0};
	const char *text = postgres_text(query, index);
	double value = 0;

	/* The server prints the shortest decimals that read back as the same number. */
	return text && number_parse(text, &value, &err) == 0 ? value : 0;
}

void postgres_close(struct query *query)
{
	struct statement *statement = query->statement;
	_cleanup_free_ char *sql = xasprintf("DEALLOCATE %s", statement->name);

	postgres_reset(query);
	/* Fails in a transaction that has failed; the statement then lives as long as we do. */
	PQclear(PQexec(query->store->connection, sql));
	free(statement);
}
