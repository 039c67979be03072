/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The connection to the SQLite file, its statements, transactions and errors; internal to store/.
 *
 * Queries use $1, $2, ... in the order of their first appearance and no SQLite-only functions, so
 * that the same text serves PostgreSQL.
 */
#ifndef KREGRESS_STORE_SQLITE_H
#define KREGRESS_STORE_SQLITE_H

#include <stdint.h>

#include <sqlite3.h>

#include "common/error.h"

struct store {
	char *path;
	sqlite3 *db;
	const char *writing; /* what the open transaction stores ("this boot"), or NULL */
};

/* Turns the connection's last failure, `code`, into a message with a hint. Returns -1. */
int sqlite_fail(struct store *store, int code, struct error *err);

/* Runs statements without parameters: schema, pragmas. */
int sqlite_execute(struct store *store, const char *sql, struct error *err) __must_check;

/* The whole number that a pragma or a query of one row and column gives. */
int sqlite_scalar(struct store *store, const char *sql, int64_t *value, struct error *err)
	__must_check;

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
	sqlite3_stmt *statement;
	int parameter; /* number of the parameter bound last */
	int bind_code; /* first failure of a bind function, or SQLITE_OK */
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
