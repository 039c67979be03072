/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "store/schema.h"

#include <inttypes.h>

#include "common/alloc.h"
#include "common/array.h"

/*
 * Version 1. Rows refer to one another by `number`, which is smaller than an id. Samples are kept
 * in the order in which a run set is loaded. A seed has 64 bits: above 2^63 - 1 it is stored as
 * the negative number of the same bits.
 */
static const char version_1[] =
	"CREATE TABLE collections ("
	" number INTEGER NOT NULL PRIMARY KEY,"
	" id TEXT NOT NULL UNIQUE,"
	" plan_digest TEXT," /* NULL: not made here, never resumed */
	" created_at TEXT,"
	" stored_at TEXT NOT NULL,"
	" seed INTEGER NOT NULL,"
	" finished INTEGER NOT NULL CHECK (finished IN (0, 1))"
	") STRICT;"
	"CREATE INDEX collections_by_plan ON collections (plan_digest);"

	"CREATE TABLE run_sets ("
	" number INTEGER NOT NULL PRIMARY KEY,"
	" id TEXT NOT NULL UNIQUE,"
	" collection TEXT NOT NULL REFERENCES collections (id),"
	" variant TEXT NOT NULL,"
	" target TEXT NOT NULL,"
	" machine TEXT NOT NULL,"
	" created_at TEXT,"
	" stored_at TEXT NOT NULL,"
	" seed INTEGER NOT NULL,"
	" level TEXT NOT NULL CHECK (level IN ('boot', 'invocation', 'iteration')),"
	" extra TEXT"
	") STRICT;"
	"CREATE INDEX run_sets_by_variant ON run_sets (variant);"
	"CREATE INDEX run_sets_by_collection ON run_sets (collection);"

	"CREATE TABLE boots ("
	" run_set INTEGER NOT NULL REFERENCES run_sets (number),"
	" number INTEGER NOT NULL CHECK (number >= 0),"
	" block INTEGER NOT NULL,"
	" slot INTEGER NOT NULL,"
	" status TEXT NOT NULL CHECK (status IN ('ok', 'failed')),"
	" reason TEXT,"
	" console_tail TEXT,"
	" started_at TEXT,"
	" duration_s REAL NOT NULL,"
	" extra TEXT,"
	" PRIMARY KEY (run_set, number)"
	") STRICT;"

	"CREATE TABLE boot_environment ("
	" run_set INTEGER NOT NULL,"
	" boot INTEGER NOT NULL,"
	" position INTEGER NOT NULL,"
	" key TEXT NOT NULL,"
	" value TEXT NOT NULL,"
	" PRIMARY KEY (run_set, boot, position),"
	" FOREIGN KEY (run_set, boot) REFERENCES boots (run_set, number)"
	") STRICT, WITHOUT ROWID;"

	"CREATE TABLE boot_failures ("
	" run_set INTEGER NOT NULL,"
	" boot INTEGER NOT NULL,"
	" position INTEGER NOT NULL,"
	" benchmark TEXT NOT NULL,"
	" params TEXT NOT NULL,"
	" reason TEXT NOT NULL,"
	" unavailable INTEGER NOT NULL CHECK (unavailable IN (0, 1)),"
	" PRIMARY KEY (run_set, boot, position),"
	" FOREIGN KEY (run_set, boot) REFERENCES boots (run_set, number)"
	") STRICT, WITHOUT ROWID;"

	"CREATE TABLE series ("
	" number INTEGER NOT NULL PRIMARY KEY,"
	" run_set INTEGER NOT NULL REFERENCES run_sets (number),"
	" position INTEGER NOT NULL,"
	" benchmark TEXT NOT NULL,"
	" params TEXT NOT NULL,"
	" metric TEXT NOT NULL,"
	" unit TEXT NOT NULL,"
	" better TEXT NOT NULL CHECK (better IN ('lower', 'higher')),"
	" extra TEXT,"
	" UNIQUE (run_set, benchmark, params, metric),"
	" UNIQUE (run_set, position)"
	") STRICT;"

	"CREATE TABLE samples ("
	" series INTEGER NOT NULL REFERENCES series (number),"
	" boot INTEGER NOT NULL,"
	" invocation INTEGER NOT NULL,"
	" iteration INTEGER NOT NULL,"
	" value REAL NOT NULL,"
	" PRIMARY KEY (series, boot, invocation, iteration)"
	") STRICT, WITHOUT ROWID;";

/* What kregress calibrate found, the newest for each series of a machine class. */
static const char version_2[] = "CREATE TABLE calibrations ("
				" machine TEXT NOT NULL,"
				" benchmark TEXT NOT NULL,"
				" params TEXT NOT NULL,"
				" metric TEXT NOT NULL,"
				" variant TEXT NOT NULL,"
				" created_at TEXT NOT NULL,"
				" boots INTEGER NOT NULL CHECK (boots > 0),"
				" false_alarm_frac REAL NOT NULL,"
				" noise_floor_frac REAL NOT NULL,"
				" alpha REAL NOT NULL,"
				" PRIMARY KEY (machine, benchmark, params, metric)"
				") STRICT, WITHOUT ROWID;";

/* Changes found in the history, and what was decided about them. */
static const char version_3[] =
	"CREATE TABLE findings ("
	" id TEXT NOT NULL PRIMARY KEY,"
	" group_id TEXT NOT NULL,"
	" machine TEXT NOT NULL,"
	" variant TEXT NOT NULL,"
	" benchmark TEXT NOT NULL,"
	" params TEXT NOT NULL,"
	" metric TEXT NOT NULL,"
	" unit TEXT NOT NULL,"
	" better TEXT NOT NULL CHECK (better IN ('lower', 'higher')),"
	" kind TEXT NOT NULL,"
	" regression INTEGER NOT NULL CHECK (regression IN (0, 1)),"
	" state TEXT NOT NULL CHECK (state IN"
	"  ('new', 'acknowledged', 'known', 'fixed', 'reopened', 'withdrawn')),"
	" before_set TEXT NOT NULL," /* ids: a set may be gone while its finding is withdrawn */
	" after_set TEXT NOT NULL,"
	" low_set TEXT NOT NULL,"
	" high_set TEXT NOT NULL,"
	" good_commit TEXT,"
	" bad_commit TEXT,"
	" before_value REAL NOT NULL,"
	" after_value REAL NOT NULL,"
	" ratio_low REAL NOT NULL,"
	" ratio_high REAL NOT NULL,"
	" p REAL NOT NULL,"
	" q REAL NOT NULL,"
	" contradictions INTEGER NOT NULL CHECK (contradictions >= 0),"
	" evaluated_set TEXT NOT NULL,"
	" fixed_by TEXT,"
	" cause TEXT,"
	" note TEXT,"
	" found_at TEXT NOT NULL,"
	" changed_at TEXT NOT NULL"
	") STRICT, WITHOUT ROWID;"
	"CREATE INDEX findings_by_group ON findings (group_id);"
	"CREATE INDEX run_sets_by_history ON run_sets (variant, machine);";

/*
 * The run sets that candidates are held against. A set that is one cannot be removed: the reference
 * sees to that.
 */
static const char version_4[] = "CREATE TABLE baselines ("
				" name TEXT NOT NULL,"
				" machine TEXT NOT NULL,"
				" target TEXT NOT NULL,"
				" suite TEXT NOT NULL,"
				" run_set TEXT NOT NULL REFERENCES run_sets (id),"
				" variant TEXT NOT NULL,"
				" commit_id TEXT," /* NULL: unknown */
				" set_at TEXT NOT NULL,"
				" PRIMARY KEY (name, machine, target, suite)"
				") STRICT, WITHOUT ROWID;";

/*
 * A series' name is stored once, not in every run set: the sets of a night share ten thousand of
 * them. The table of the series in the sets is set_series; `series` is a view of it with the names.
 * run_sets_by_variant was the beginning of run_sets_by_history.
 */
#define SERIES_NAMES                                                                               \
	"CREATE TABLE series_names ("                                                              \
	" number INTEGER NOT NULL PRIMARY KEY,"                                                    \
	" benchmark TEXT NOT NULL,"                                                                \
	" params TEXT NOT NULL,"                                                                   \
	" metric TEXT NOT NULL,"                                                                   \
	" unit TEXT NOT NULL,"                                                                     \
	" better TEXT NOT NULL CHECK (better IN ('lower', 'higher')),"                             \
	" UNIQUE (benchmark, params, metric, unit, better)"                                        \
	") STRICT;"                                                                                \
	"INSERT INTO series_names (number, benchmark, params, metric, unit, better)"               \
	" SELECT ROW_NUMBER() OVER (ORDER BY d.benchmark, d.params, d.metric, d.unit, d.better),"  \
	" d.benchmark, d.params, d.metric, d.unit, d.better FROM"                                  \
	" (SELECT DISTINCT benchmark, params, metric, unit, better FROM series) d;"                \
	"ALTER TABLE series RENAME TO set_series;"

#define SERIES_VIEW                                                                                \
	"CREATE VIEW series AS SELECT e.number AS number, e.run_set AS run_set,"                   \
	" e.position AS position, n.benchmark AS benchmark, n.params AS params,"                   \
	" n.metric AS metric, n.unit AS unit, n.better AS better, e.extra AS extra"                \
	" FROM set_series e JOIN series_names n ON n.number = e.name;"                             \
	"DROP INDEX run_sets_by_variant;"                                                          \
	"CREATE INDEX baselines_by_run_set ON baselines (run_set)"

#define SAME_NAME                                                                                  \
	"n.benchmark = e.benchmark AND n.params = e.params AND n.metric = e.metric"                \
	" AND n.unit = e.unit AND n.better = e.better"

static const char version_5[] =
	SERIES_NAMES "CREATE TABLE narrow_series ("
		     " number INTEGER NOT NULL PRIMARY KEY,"
		     " run_set INTEGER NOT NULL REFERENCES run_sets (number),"
		     " position INTEGER NOT NULL,"
		     " name INTEGER NOT NULL REFERENCES series_names (number),"
		     " extra TEXT,"
		     " UNIQUE (run_set, name),"
		     " UNIQUE (run_set, position)"
		     ") STRICT;"
		     "INSERT INTO narrow_series (number, run_set, position, name, extra)"
		     " SELECT e.number, e.run_set, e.position, n.number, e.extra"
		     " FROM set_series e JOIN series_names n ON " SAME_NAME " ORDER BY e.number;"
		     "DROP TABLE set_series;" /* samples refer to the next one of that name */
		     "ALTER TABLE narrow_series RENAME TO set_series;" SERIES_VIEW;

/* PostgreSQL can do it in place, and lets no table go that others refer to. */
static const char version_5_postgres[] = SERIES_NAMES
	"ALTER TABLE set_series ADD COLUMN name BIGINT REFERENCES series_names (number);"
	"UPDATE set_series e SET name = n.number FROM series_names n WHERE " SAME_NAME ";"
	"ALTER TABLE set_series ALTER COLUMN name SET NOT NULL,"
	" DROP COLUMN benchmark, DROP COLUMN params, DROP COLUMN metric,"
	" DROP COLUMN unit, DROP COLUMN better, ADD UNIQUE (run_set, name);" SERIES_VIEW;

struct migration {
	const char *sql;
	const char *postgres; /* where the same statements will not do, or NULL */
};

/* migrations[n] leads from version n to version n + 1. A published entry never changes. */
static const struct migration migrations[] = {
	{version_1, NULL},
	{version_2, NULL},
	{version_3, NULL},
	{version_4, NULL},
	{version_5, version_5_postgres},
};

int schema_version(void)
{
	return ARRAY_SIZE(migrations);
}

static int check_version(const struct store *store, int64_t version, struct error *err)
{
	if (version <= schema_version())
		return 0;
	error_set(err, ERROR_IO,
		  "%s: the store has schema version %" PRId64
		  ", newer than the version %d of this program",
		  store->path, version, schema_version());
	return error_hint(err,
			  "use the kregress that wrote it, or name another file for the store");
}

static int migrate(struct store *store, int64_t from, struct error *err)
{
	for (int64_t version = from; version < schema_version(); version++) {
		const struct migration *migration = &migrations[version];
		bool own = store->kind == &database_postgres && migration->postgres;
		_cleanup_free_ char *sql =
			store->kind->translate(own ? migration->postgres : migration->sql);

		if (database_execute(store, sql, err) < 0)
			return -1;
	}
	return store->kind->write_version(store, schema_version(), err);
}

/* Reads the version again, as another process may have migrated in the meantime. */
static int migrate_locked(struct store *store, struct error *err)
{
	int64_t version;

	if (store->kind->read_version(store, &version, err) < 0 ||
	    check_version(store, version, err) < 0)
		return -1;
	return version < schema_version() ? migrate(store, version, err) : 0;
}

int schema_prepare(struct store *store, struct error *err)
{
	int64_t version;

	if (store->kind->read_version(store, &version, err) < 0 ||
	    check_version(store, version, err) < 0)
		return -1;
	if (version == schema_version())
		return 0;
	if (transaction_begin(store, "the tables", err) < 0)
		return -1;
	return transaction_end(store, migrate_locked(store, err), err);
}
