/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the two halves of the PostgreSQL kind share; internal to store/. */
#ifndef KREGRESS_STORE_POSTGRES_H
#define KREGRESS_STORE_POSTGRES_H

#include <libpq-fe.h>

#include "store/database.h"

/* Turns a failed result, or with NULL the connection's state, into a message. Returns -1. */
int postgres_fail(const struct store *store, const PGresult *result, struct error *err);

/* The functions of `struct database_kind` for statements. */
int postgres_prepare(struct query *query, const char *sql, struct error *err);
void postgres_bind_text(struct query *query, const char *text);
void postgres_bind_int(struct query *query, int64_t value);
void postgres_bind_real(struct query *query, double value);
int postgres_step(struct query *query, struct error *err);
void postgres_reset(struct query *query);
const char *postgres_text(const struct query *query, int index);
int64_t postgres_int(const struct query *query, int index);
double postgres_real(const struct query *query, int index);
void postgres_close(struct query *query);

#endif
