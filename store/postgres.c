/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "store/postgres.h"

#include <stdbool.h>
#include <string.h>

#include "common/alloc.h"
#include "common/array.h"
#include "common/strbuf.h"

/* Serialises writers: any number that nobody else uses, here "KRGS". */
#define WRITE_LOCK "1263683411"

#define CONNECT_TIMEOUT_S "10"

/* The server's message without its prefix and position. */
static char *first_line(const char *message)
{
	if (!message || !*message)
		return xstrdup("the server gives no reason");
	return xstrndup(message, strcspn(message, "\n"));
}

static int fail_connection(const struct store *store, struct error *err)
{
	_cleanup_free_ char *cause = first_line(PQerrorMessage(store->connection));
	_cleanup_free_ char *end = database_consequence(store);

	error_set(err, ERROR_IO, "%s: no connection: %s%s", store->path, cause, end);
	return error_hint(err, "see whether the server runs and lets this user in (pg_isready, "
			       "~/.pgpass, PGPASSWORD); then run the same command again");
}

struct failure {
	const char *state; /* beginning of the SQLSTATE */
	enum error_kind kind;
	const char *hint;
};

#define GRANT_HINT                                                                                 \
	"the user needs USAGE and CREATE on a schema: GRANT USAGE, CREATE ON SCHEMA public TO ..."

static const struct failure failures[] = {
	{"53100", ERROR_IO, "free space on the server's disk and run the same command again"},
	{"53", ERROR_IO, "the server is short of memory or connections: try again later"},
	{"55P03", ERROR_IO, "another kregress has been writing for long: see pg_stat_activity"},
	{"42501", ERROR_IO, GRANT_HINT},
	{"3F000", ERROR_IO, GRANT_HINT},
	{"25006", ERROR_IO, "the server is a read-only replica: name the primary"},
	{"23", ERROR_DATA, NULL},
	{"22", ERROR_DATA, NULL},
	{"", ERROR_IO, NULL},
};

static const struct failure *failure_of(const char *state)
{
	const struct failure *failure = failures;

	while (strncmp(failure->state, state, strlen(failure->state)) != 0)
		failure++;
	return failure;
}

int postgres_fail(const struct store *store, const PGresult *result, struct error *err)
{
	const char *state = result ? PQresultErrorField(result, PG_DIAG_SQLSTATE) : NULL;
	_cleanup_free_ char *cause = NULL;
	_cleanup_free_ char *end = NULL;
	const struct failure *failure;

	if (!state || PQstatus(store->connection) != CONNECTION_OK)
		return fail_connection(store, err);
	cause = first_line(PQresultErrorField(result, PG_DIAG_MESSAGE_PRIMARY));
	end = database_consequence(store);
	failure = failure_of(state);
	error_set(err, failure->kind, "%s: %s%s", store->path, cause, end);
	return failure->hint ? error_hint(err, "%s", failure->hint) : -1;
}

static int execute(struct store *store, const char *sql, struct error *err)
{
	PGresult *result = PQexec(store->connection, sql);
	ExecStatusType status = PQresultStatus(result);
	int outcome = 0;

	/* COMMIT of a transaction that has failed says ROLLBACK, and is no failure. */
	if (status != PGRES_COMMAND_OK && status != PGRES_TUPLES_OK)
		outcome = postgres_fail(store, result, err);
	PQclear(result);
	return outcome;
}

static const char *part(const PQconninfoOption *parts, const char *keyword)
{
	for (; parts->keyword; parts++)
		if (!strcmp(parts->keyword, keyword))
			return parts->val;
	return NULL;
}

/* What messages show: user, host and database, no password and no options. */
static char *display_name(const PQconninfoOption *parts)
{
	struct strbuf name = STRBUF_INIT;

	strbuf_append(&name, "postgresql://");
	if (part(parts, "user"))
		strbuf_printf(&name, "%s@", part(parts, "user"));
	if (part(parts, "host"))
		strbuf_append(&name, part(parts, "host"));
	if (part(parts, "port"))
		strbuf_printf(&name, ":%s", part(parts, "port"));
	strbuf_printf(&name, "/%s", part(parts, "dbname") ? part(parts, "dbname") : "");
	return strbuf_take(&name);
}

static int name_store(struct store *store, struct error *err)
{
	char *message = NULL;
	PQconninfoOption *parts = PQconninfoParse(store->address, &message);

	/* The message may quote a password. */
	PQfreemem(message);
	if (!parts) {
		error_set(err, ERROR_USAGE, "the store's URL cannot be read");
		return error_hint(err, "write postgresql://USER@HOST:PORT/DATABASE; write special "
				       "characters as %%XX");
	}
	free(store->path);
	store->path = display_name(parts);
	PQconninfoFree(parts);
	return 0;
}

static void ignore_notice(void *context, const char *message)
{
	(void)context;
	(void)message;
}

static int connect_server(struct store *store, struct error *err)
{
	/* What stands in the URL goes before the time-out and the name here. */
	static const char *const keywords[] = {"connect_timeout", "fallback_application_name",
					       "dbname", "client_encoding", NULL};
	const char *values[] = {CONNECT_TIMEOUT_S, "kregress", store->address, "UTF8", NULL};

	if (name_store(store, err) < 0)
		return -1;
	store->connection = PQconnectdbParams(keywords, values, 1);
	if (PQstatus(store->connection) != CONNECTION_OK)
		return fail_connection(store, err);
	PQsetNoticeProcessor(store->connection, ignore_notice, NULL);
	return execute(store,
		       "SET lock_timeout = '30s'; SET extra_float_digits = 1;"
		       " SET synchronous_commit = on; SET standard_conforming_strings = on",
		       err);
}

static void disconnect(struct store *store)
{
	PQfinish(store->connection);
}

static int begin(struct store *store, bool writes, struct error *err)
{
	return execute(store,
		       writes ? "BEGIN; SELECT pg_advisory_xact_lock(" WRITE_LOCK ")"
			      : "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY",
		       err);
}

static void rollback(struct store *store)
{
	if (PQtransactionStatus(store->connection) != PQTRANS_IDLE)
		PQclear(PQexec(store->connection, "ROLLBACK"));
}

/*
 * Whether the current schema has our tables (2), others of their names (1), or none (0). One query:
 * between two, another process might make the tables.
 */
#define FIND_TABLES                                                                                \
	"SELECT COALESCE(MAX(CASE table_name WHEN 'kregress_schema' THEN 2 ELSE 1 END), 0)"        \
	" FROM information_schema.tables WHERE table_schema = current_schema()"                    \
	" AND table_name IN ('kregress_schema', 'collections', 'run_sets', 'boots', 'series',"     \
	" 'samples')"

static int read_version(struct store *store, int64_t *version, struct error *err)
{
	int64_t found;

	*version = 0;
	if (database_scalar(store, FIND_TABLES, &found, err) < 0)
		return -1;
	if (found == 2)
		return database_scalar(store, "SELECT MAX(version) FROM kregress_schema", version,
				       err);
	if (!found)
		return 0;
	error_set(err, ERROR_IO, "%s: the database has tables of another program", store->path);
	return error_hint(err, "create a database, or a schema, for kregress alone");
}

static int write_version(struct store *store, int version, struct error *err)
{
	_cleanup_free_ char *sql =
		xasprintf("CREATE TABLE IF NOT EXISTS kregress_schema (version BIGINT NOT NULL);"
			  " DELETE FROM kregress_schema;"
			  " INSERT INTO kregress_schema (version) VALUES (%d)",
			  version);

	return execute(store, sql, err);
}

struct word {
	const char *sqlite;
	const char *postgres;
};

/* The migrations hold nothing else that differs, and none of this in another meaning. */
static const struct word words[] = {
	{" STRICT, WITHOUT ROWID", ""},
	{" STRICT", ""},
	{" INTEGER", " BIGINT"},
	{" REAL", " DOUBLE PRECISION"},
};

static char *translate(const char *sql)
{
	struct strbuf text = STRBUF_INIT;

	while (*sql) {
		const struct word *word = words;

		while (word < words + ARRAY_SIZE(words) &&
		       strncmp(sql, word->sqlite, strlen(word->sqlite)) != 0)
			word++;
		if (word == words + ARRAY_SIZE(words)) {
			strbuf_append_char(&text, *sql++);
			continue;
		}
		strbuf_append(&text, word->postgres);
		sql += strlen(word->sqlite);
	}
	return strbuf_take(&text);
}

#define COPY_PART (1 << 20)

static int send_rows(struct store *store, const char *rows, size_t length)
{
	for (size_t at = 0; at < length; at += COPY_PART) {
		size_t part = length - at < COPY_PART ? length - at : COPY_PART;

		if (PQputCopyData(store->connection, rows + at, (int)part) < 0)
			return -1;
	}
	return PQputCopyEnd(store->connection, NULL) < 0 ? -1 : 0;
}

/* A whole night in one request: a sample in each would wait for the server as often. */
static int copy(struct store *store, const char *table, const char *rows, size_t length,
		struct error *err)
{
	_cleanup_free_ char *sql = xasprintf("COPY %s FROM STDIN", table);
	PGresult *result = PQexec(store->connection, sql);
	int outcome = 0;

	if (PQresultStatus(result) != PGRES_COPY_IN || send_rows(store, rows, length) < 0)
		outcome = postgres_fail(store, result, err);
	PQclear(result);
	while ((result = PQgetResult(store->connection))) {
		if (outcome == 0 && PQresultStatus(result) != PGRES_COMMAND_OK)
			outcome = postgres_fail(store, result, err);
		PQclear(result);
	}
	return outcome;
}

#define TABLES                                                                                     \
	"collections, run_sets, boots, boot_environment, boot_failures, set_series, samples,"      \
	" series_names, findings"

static int size_of_tables(struct store *store, uint64_t *bytes, struct error *err)
{
	int64_t sum;

	if (database_scalar(store,
			    "SELECT SUM(pg_total_relation_size(c.oid))::bigint FROM pg_class c"
			    " JOIN pg_namespace n ON n.oid = c.relnamespace"
			    " WHERE n.nspname = current_schema() AND c.relkind = 'r'",
			    &sum, err) < 0)
		return -1;
	*bytes = (uint64_t)sum;
	return 0;
}

static int vacuum(struct store *store, bool force, struct error *err)
{
	return execute(store, force ? "VACUUM (FULL, ANALYZE) " TABLES : "VACUUM (ANALYZE) " TABLES,
		       err);
}

const struct database_kind database_postgres = {
	.connect = connect_server,
	.disconnect = disconnect,
	.execute = execute,
	.begin = begin,
	.rollback = rollback,
	.read_version = read_version,
	.write_version = write_version,
	.translate = translate,
	.size = size_of_tables,
	.vacuum = vacuum,
	.copy = copy,
	.prepare = postgres_prepare,
	.bind_text = postgres_bind_text,
	.bind_int = postgres_bind_int,
	.bind_real = postgres_bind_real,
	.step = postgres_step,
	.reset = postgres_reset,
	.text = postgres_text,
	.integer = postgres_int,
	.real = postgres_real,
	.close = postgres_close,
};
