/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The database behind the store: a connection, its statements, transactions and errors; internal
 * to store/. There is one kind for SQLite and one for PostgreSQL, each a row in a table.
 *
 * Queries use $1, $2, ... in the order of their first appearance and no function that only one of
 * the kinds has, so that the same text serves both.
 */
#ifndef KREGRESS_STORE_DATABASE_H
#define KREGRESS_STORE_DATABASE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/error.h"

struct query;

struct store {
	char *address; /* what to connect to; may hold a password */
	char *path;    /* the same for messages, without one */
	const struct database_kind *kind;
	void *connection;	  /* sqlite3, PGconn */
	const char *writing;	  /* what the open transaction stores ("this boot"), or NULL */
	uint64_t statement_count; /* prepared so far: names them */
};

/* Failures of all functions are ERROR_IO or ERROR_DATA and say what they mean for the data. */
struct database_kind {
	/* On failure the connection may be half open: disconnect() follows in any case. */
	int (*connect)(struct store *store, struct error *err);
	/* Comes after the tables are made ready; may be NULL. */
	int (*settle)(struct store *store, struct error *err);
	void (*disconnect)(struct store *store);

	int (*execute)(struct store *store, const char *sql, struct error *err);
	/* A transaction that writes holds off all other writers, but no reader. */
	int (*begin)(struct store *store, bool writes, struct error *err);
	void (*rollback)(struct store *store);

	/* The version of the tables, 0 when there are none; refuses those of another program. */
	int (*read_version)(struct store *store, int64_t *version, struct error *err);
	int (*write_version)(struct store *store, int version, struct error *err);
	/* The statements of a migration, written for SQLite, in this kind's SQL. Owned. */
	char *(*translate)(const char *sql);

	/* Bytes that the store takes. */
	int (*size)(struct store *store, uint64_t *bytes, struct error *err);
	/* Gives free room back; `force`: whoever is held up. */
	int (*vacuum)(struct store *store, bool force, struct error *err);
	/* Whether there is enough to give back; NULL: it always is, and holds nobody up. */
	int (*vacuum_worth)(struct store *store, bool *worth, struct error *err);

	/*
	 * Stores many rows at once: values of "TABLE (COLUMN, ...)" between tabs, a line for each
	 * row. NULL where a prepared INSERT is as fast.
	 */
	int (*copy)(struct store *store, const char *table, const char *rows, size_t length,
		    struct error *err);

	int (*prepare)(struct query *query, const char *sql, struct error *err);
	void (*bind_text)(struct query *query, const char *text);
	void (*bind_int)(struct query *query, int64_t value);
	void (*bind_real)(struct query *query, double value);
	int (*step)(struct query *query, struct error *err);
	void (*reset)(struct query *query);
	const char *(*text)(const struct query *query, int index);
	int64_t (*integer)(const struct query *query, int index);
	double (*real)(const struct query *query, int index);
	void (*close)(struct query *query);
};

extern const struct database_kind database_sqlite, database_postgres;

/* Runs statements without parameters: schema, settings. */
int database_execute(struct store *store, const char *sql, struct error *err) __must_check;

/* The whole number that a query of one row and column gives; 0 without a row. */
int database_scalar(struct store *store, const char *sql, int64_t *value, struct error *err)
	__must_check;

/* What a failed write means for the data, as the end of a message. Owned by the caller. */
char *database_consequence(const struct store *store);

/* Begins a transaction that writes; `writing` says what, for messages. */
int transaction_begin(struct store *store, const char *writing, struct error *err) __must_check;

/* Begins a transaction that sees one state of the store however many queries it makes. */
int transaction_begin_read(struct store *store, struct error *err) __must_check;

/* Commits when `status` is 0, else, or when the commit fails, undoes all. Returns 0 or -1. */
int transaction_end(struct store *store, int status, struct error *err) __must_check;

/*
 * A prepared statement. The bind functions fill its parameters in order and remember a failure
 * for query_step().
 */
struct query {
	struct store *store;
	void *statement;
	int parameter; /* number of the parameter bound last */
	int bind_code; /* first failure of a bind function, or 0 */
};

int query_open(struct query *query, struct store *store, const char *sql, struct error *err)
	__must_check;

/* The text must stay until the statement has run; NULL binds NULL. */
void query_bind_text(struct query *query, const char *text);
void query_bind_int(struct query *query, int64_t value);
void query_bind_real(struct query *query, double value);

/* 1 with a row at hand; 0 at the end, ready for new parameters; -1 on failure. */
int query_step(struct query *query, struct error *err) __must_check;

/* Runs a statement that gives no rows, and makes it ready for new parameters. */
int query_run(struct query *query, struct error *err) __must_check;

/* Makes the statement ready for new parameters before its last row was read. */
void query_reset(struct query *query);

/* Column `index` (from 0) of the row. A text is owned by the caller; NULL is NULL. */
char *query_text(const struct query *query, int index);
int64_t query_int(const struct query *query, int index);
double query_real(const struct query *query, int index);

void query_close(struct query *query);
#define _cleanup_query_ _cleanup_(query_close)

#endif
