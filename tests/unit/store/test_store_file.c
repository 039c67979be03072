/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>
#include <sqlite3.h>

#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "common/file.h"
#include "store/schema.h"
#include "store/database.h"
#include "store/gc.h"
#include "store/store.h"
#include "tests/unit/store/equal_sets.h"
#include "tests/unit/store/sample_sets.h"
#include "tests/unit/store/store_fixture.h"

static void sql_on(const char *path, const char *sql)
{
	sqlite3 *db = NULL;

	assert_int_equal(sqlite3_open(path, &db), SQLITE_OK);
	assert_int_equal(sqlite3_exec(db, sql, NULL, NULL, NULL), SQLITE_OK);
	sqlite3_close(db);
}

static void assert_refused(const char *path, const char *message)
{
	_cleanup_store_ struct store *store = NULL;
	_cleanup_(error_clear) struct error err = {0};

	assert_int_equal(store_open(path, &store, &err), -1);
	assert_int_equal(err.kind, ERROR_IO);
	assert_non_null(strstr(err.message, path));
	if (!strstr(err.message, message))
		assert_string_equal(err.message, message);
	assert_non_null(err.hint);
	assert_null(store);
}

static void assert_unchanged(const char *path, const void *bytes, size_t length)
{
	_cleanup_(strbuf_release) struct strbuf content = STRBUF_INIT;
	_cleanup_(error_clear) struct error err = {0};

	assert_success(file_read(path, &content, &err), &err);
	assert_int_equal(content.length, length);
	assert_memory_equal(strbuf_text(&content), bytes, length);
}

static void new_store_has_its_marks(void **state)
{
	_cleanup_store_ struct store *store = fixture_open();
	_cleanup_(error_clear) struct error err = {0};
	int64_t value;

	(void)state;
	assert_success(database_scalar(store, "PRAGMA application_id", &value, &err), &err);
	assert_int_equal(value, SCHEMA_APPLICATION_ID);
	assert_success(database_scalar(store, "PRAGMA user_version", &value, &err), &err);
	assert_int_equal(value, schema_version());
	assert_success(database_scalar(store, "PRAGMA synchronous", &value, &err), &err);
	assert_int_equal(value, 2);
	assert_success(database_scalar(store, "PRAGMA foreign_keys", &value, &err), &err);
	assert_int_equal(value, 1);
	assert_success(database_scalar(store,
				       "SELECT COUNT(*) FROM pragma_journal_mode"
				       " WHERE journal_mode = 'wal'",
				       &value, &err),
		       &err);
	assert_int_equal(value, 1);
	assert_success(database_scalar(store, "SELECT COUNT(*) FROM pragma_table_list WHERE strict",
				       &value, &err),
		       &err);
	assert_int_equal(value, 11);
}

static void an_empty_file_becomes_a_store(void **state)
{
	_cleanup_(error_clear) struct error err = {0};

	(void)state;
	free(fixture_path);
	fixture_path = path_below(fixture_folder, "empty.db");
	assert_success(file_write(fixture_path, "", 0, &err), &err);
	store_close(fixture_open());
	store_close(fixture_open());
}

static void a_text_file_is_refused(void **state)
{
	_cleanup_free_ char *path = path_below(fixture_folder, "text");
	_cleanup_(error_clear) struct error err = {0};
	char text[4000];

	(void)state;
	memset(text, 'x', sizeof(text));
	assert_success(file_write(path, text, 9, &err), &err);
	assert_refused(path, "not a kregress store: not an SQLite database");
	assert_unchanged(path, text, 9);
	assert_success(file_write(path, text, sizeof(text), &err), &err);
	assert_refused(path, "not a kregress store: not an SQLite database");
	assert_unchanged(path, text, sizeof(text));
}

static void another_database_is_refused_unchanged(void **state)
{
	_cleanup_free_ char *path = path_below(fixture_folder, "other.db");
	_cleanup_(strbuf_release) struct strbuf before = STRBUF_INIT;
	_cleanup_(error_clear) struct error err = {0};

	(void)state;
	sql_on(path, "CREATE TABLE t (x)");
	assert_success(file_read(path, &before, &err), &err);
	assert_refused(path, "an SQLite database of another program");
	assert_unchanged(path, before.text, before.length);
	sql_on(path, "DROP TABLE t; PRAGMA application_id = 7");
	assert_refused(path, "an SQLite database of another program");
	sql_on(path, "PRAGMA application_id = 0; PRAGMA user_version = 1");
	assert_refused(path, "an SQLite database of another program");
}

static void a_store_of_the_future_is_refused(void **state)
{
	(void)state;
	store_close(fixture_open());
	sql_on(fixture_path, "PRAGMA user_version = 99");
	assert_refused(fixture_path, "the store has schema version 99, newer than the version 5");
}

/* A page in the middle is overwritten: opening or loading must say so and must not crash. */
static void a_damaged_store_is_an_error(void **state)
{
	_cleanup_(run_set_release) struct run_set set;
	_cleanup_(run_set_release) struct run_set back = {0};
	_cleanup_(error_clear) struct error err = {0};
	struct store *store = fixture_open();
	char noise[4096];
	struct stat st;
	int fd, status;

	(void)state;
	plain_set_make(&set, "full", 2, 4000);
	assert_success(store_add_run_set(store, &set, &err), &err);
	store_close(store);
	memset(noise, 0x5a, sizeof(noise));
	fd = open(fixture_path, O_WRONLY);
	assert_int_equal(fstat(fd, &st), 0);
	for (off_t at = 4096; at + 4096 <= st.st_size; at += 4096)
		assert_int_equal(pwrite(fd, noise, sizeof(noise), at), sizeof(noise));
	close(fd);
	status = store_open(fixture_path, &store, &err);
	if (status == 0) {
		status = store_load(store, "full", &back, &err);
		store_close(store);
	}
	assert_int_equal(status, -1);
	assert_non_null(strstr(err.message, "the store is damaged"));
	assert_non_null(err.hint);
}

static void a_folder_is_no_store(void **state)
{
	_cleanup_store_ struct store *store = NULL;
	_cleanup_(error_clear) struct error err = {0};

	(void)state;
	assert_refused(fixture_folder, "cannot be opened for writing");
	assert_int_equal(store_open("mysql://host/db", &store, &err), -1);
	assert_int_equal(err.kind, ERROR_USAGE);
}

static void a_broken_reference_is_an_error(void **state)
{
	_cleanup_(run_set_release) struct run_set set;
	_cleanup_(run_set_release) struct run_set back;
	_cleanup_store_ struct store *store = fixture_open();
	_cleanup_(error_clear) struct error err = {0};

	(void)state;
	plain_set_make(&set, "full", 3, 8);
	assert_success(store_add_run_set(store, &set, &err), &err);
	sql_on(fixture_path, "DELETE FROM boot_environment; DELETE FROM boots WHERE number = 2");
	assert_int_equal(store_load(store, "full", &back, &err), -1);
	assert_non_null(strstr(err.message, "a sample without a boot"));
	assert_null(back.id);
	sql_on(fixture_path, "DELETE FROM boots WHERE number = 0");
	assert_int_equal(store_load(store, "full", &back, &err), -1);
	assert_non_null(strstr(err.message, "a boot is missing"));
}

/* Runs `body` in a child that has given up root; its exit code is the result. */
static int run_unprivileged(int (*body)(void))
{
	pid_t child = fork();
	int status;

	assert_true(child >= 0);
	if (child == 0) {
		if (setgroups(0, NULL) < 0 || setresgid(65534, 65534, 65534) < 0 ||
		    setresuid(65534, 65534, 65534) < 0)
			_exit(100);
		_exit(body());
	}
	assert_int_equal(waitpid(child, &status, 0), child);
	assert_true(WIFEXITED(status));
	return WEXITSTATUS(status);
}

static int open_without_permission(void)
{
	struct error err = {0};
	struct store *store = NULL;

	if (store_open(fixture_path, &store, &err) == 0)
		return 1;
	if (err.kind != ERROR_IO || !err.hint || !strstr(err.message, fixture_path))
		return 2;
	if (!strstr(err.message, "cannot be opened for writing"))
		return 3;
	error_clear(&err);
	return 0;
}

static void missing_permission_is_named(void **state)
{
	_cleanup_free_ char *folder = path_below(fixture_folder, "sub");

	(void)state;
	if (geteuid() != 0)
		skip();
	store_close(fixture_open());
	assert_int_equal(chmod(fixture_folder, 0755), 0);
	/* A file that may be read only. */
	assert_int_equal(chmod(folder, 0777), 0);
	assert_int_equal(chmod(fixture_path, 0444), 0);
	assert_int_equal(run_unprivileged(open_without_permission), 0);
	/* A folder that takes no journal beside a file that may be written. */
	assert_int_equal(chmod(folder, 0555), 0);
	assert_int_equal(chmod(fixture_path, 0666), 0);
	assert_int_equal(run_unprivileged(open_without_permission), 0);
	/* A folder that takes no new file. */
	assert_int_equal(unlink(fixture_path), 0);
	assert_int_equal(run_unprivileged(open_without_permission), 0);
}

static void a_locked_store_is_named(void **state)
{
	_cleanup_(run_set_release) struct run_set set;
	_cleanup_store_ struct store *holder = fixture_open();
	_cleanup_store_ struct store *store = fixture_open();
	_cleanup_(error_clear) struct error err = {0};

	(void)state;
	plain_set_make(&set, "full", 1, 8);
	sqlite3_busy_timeout(store->connection, 1);
	assert_success(transaction_begin(holder, "a test", &err), &err);
	assert_int_equal(store_add_run_set(store, &set, &err), -1);
	assert_int_equal(err.kind, ERROR_IO);
	assert_non_null(strstr(err.message, "locked by another process: nothing of this run set "
					    "was stored; earlier data is intact"));
	error_clear(&err);
	assert_success(transaction_end(holder, 0, &err), &err);
	assert_success(store_add_run_set(store, &set, &err), &err);
}

#define WRITERS	   3
#define WRITE_SETS 8

static int write_many(int writer)
{
	struct error err = {0};
	struct store *store = NULL;
	int status = store_open(fixture_path, &store, &err);

	for (int i = 0; i < WRITE_SETS && status == 0; i++) {
		_cleanup_(run_set_release) struct run_set set;

		plain_set_make(&set, writer ? "odd" : "even", 2, 200);
		status = store_begin_run_set(store, &set, &err);
		for (uint32_t boot = 0; boot < 2 && status == 0; boot++)
			status = store_add_boot(store, &set, boot, &err);
	}
	if (store)
		store_close(store);
	error_clear(&err);
	return status ? 1 : 0;
}

/* All start on a file that does not exist, so that they also race to make the tables. */
static void processes_may_write_at_once(void **state)
{
	_cleanup_(run_set_summary_list_release) struct run_set_summary_list list = {0};
	_cleanup_(error_clear) struct error err = {0};
	_cleanup_store_ struct store *store = NULL;
	pid_t children[WRITERS];

	(void)state;
	for (int i = 0; i < WRITERS; i++) {
		children[i] = fork();
		assert_true(children[i] >= 0);
		if (children[i] == 0)
			_exit(write_many(i));
	}
	for (int i = 0; i < WRITERS; i++) {
		int status;

		assert_int_equal(waitpid(children[i], &status, 0), children[i]);
		assert_int_equal(status, 0);
	}
	store = fixture_open();
	assert_success(store_list(store, &list, &err), &err);
	assert_int_equal(list.count, WRITERS * WRITE_SETS);
	array_for_each (summary, &list) {
		assert_int_equal(summary->boots_ok, 2);
		assert_int_equal(summary->samples, 400);
	}
}

static int kill_self(void *unused)
{
	(void)unused;
	raise(SIGKILL);
	return 0;
}

static void kill_after_steps(struct store *store)
{
	sqlite3_progress_handler(store->connection, 20000, kill_self, NULL);
}

static void kill_at_commit(struct store *store)
{
	sqlite3_commit_hook(store->connection, kill_self, NULL);
}

/* A child does `work` on the store and is killed where `arm` says. */
static void kill_amid(int (*work)(struct store *store, const void *context, struct error *err),
		      const void *context, void (*arm)(struct store *store))
{
	pid_t child = fork();
	int status;

	assert_true(child >= 0);
	if (child == 0) {
		struct error err = {0};
		struct store *store = NULL;

		if (store_open(fixture_path, &store, &err) < 0)
			_exit(1);
		/* A small cache makes SQLite write pages before the commit. */
		if (database_execute(store, "PRAGMA cache_size = 10", &err) < 0)
			_exit(2);
		arm(store);
		_exit(work(store, context, &err) < 0 ? 3 : 4);
	}
	assert_int_equal(waitpid(child, &status, 0), child);
	assert_true(WIFSIGNALED(status));
	assert_int_equal(WTERMSIG(status), SIGKILL);
}

static int store_second_boot(struct store *store, const void *set, struct error *err)
{
	return store_add_boot(store, set, 1, err);
}

static void a_killed_writer_loses_nothing_stored(void (*arm)(struct store *store))
{
	_cleanup_(run_set_release) struct run_set set;
	_cleanup_(run_set_release) struct run_set back = {0};
	_cleanup_(error_clear) struct error err = {0};
	struct store *store = fixture_open();

	plain_set_make(&set, "full", 1, 10000);
	assert_success(store_begin_run_set(store, &set, &err), &err);
	assert_success(store_add_boot(store, &set, 0, &err), &err);
	store_close(store);

	store = fixture_open();
	assert_success(store_load(store, "full", &back, &err), &err);
	assert_sets_equal(&set, &back);
	run_set_release(&back);
	store_close(store);

	plain_set_grow(&set, 10000);
	kill_amid(store_second_boot, &set, arm);
	store = fixture_open();
	assert_success(store_load(store, "full", &back, &err), &err);
	assert_int_equal(back.boots.count, 1);
	assert_int_equal(back.series.items[0].samples.count, 2500);
	run_set_release(&back);
	/* The boot that was lost can be stored again. */
	assert_success(store_add_boot(store, &set, 1, &err), &err);
	assert_success(store_load(store, "full", &back, &err), &err);
	assert_sets_equal(&set, &back);
	store_close(store);
}

static void a_kill_amid_the_samples_loses_nothing_stored(void **state)
{
	(void)state;
	a_killed_writer_loses_nothing_stored(kill_after_steps);
}

static void a_kill_at_the_commit_loses_nothing_stored(void **state)
{
	(void)state;
	a_killed_writer_loses_nothing_stored(kill_at_commit);
}

static int remove_first_set(struct store *store, const void *id, struct error *err)
{
	const struct gc_set set = {.number = 1, .id = (char *)id};

	return store_remove_set(store, &set, err);
}

static int write_anew(struct store *store, const void *context, struct error *err)
{
	enum gc_vacuum outcome;

	(void)context;
	return store_vacuum(store, "2020-01-01T00:00:00Z", true, &outcome, err);
}

/* Two sets of 10,000 samples, the first is removed by a child that is killed. */
static void a_killed_removal_changes_nothing(void (*arm)(struct store *store))
{
	_cleanup_(run_set_release) struct run_set first, second, back = {0};
	_cleanup_(error_clear) struct error err = {0};
	_cleanup_store_ struct store *store = fixture_open();

	plain_set_make(&first, "full", 2, 5000);
	plain_set_make(&second, "other", 2, 5000);
	assert_success(store_add_run_set(store, &first, &err), &err);
	assert_success(store_add_run_set(store, &second, &err), &err);
	store_close(store);
	kill_amid(remove_first_set, first.id, arm);
	store = fixture_open();
	assert_success(store_load(store, "full", &back, &err), &err);
	assert_sets_equal(&first, &back);
	run_set_release(&back);
	assert_int_equal(remove_first_set(store, first.id, &err), 1);
	/* The same for the writing anew that follows. */
	store_close(store);
	kill_amid(write_anew, NULL, kill_after_steps);
	store = fixture_open();
	assert_success(store_load(store, "other", &back, &err), &err);
	assert_sets_equal(&second, &back);
	assert_int_equal(write_anew(store, NULL, &err), 0);
}

static void a_kill_amid_a_removal_changes_nothing(void **state)
{
	(void)state;
	a_killed_removal_changes_nothing(kill_after_steps);
}

static void a_kill_at_the_end_of_a_removal_changes_nothing(void **state)
{
	(void)state;
	a_killed_removal_changes_nothing(kill_at_commit);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, fixture_setup, fixture_teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(new_store_has_its_marks),
		TEST(an_empty_file_becomes_a_store),
		TEST(a_text_file_is_refused),
		TEST(another_database_is_refused_unchanged),
		TEST(a_store_of_the_future_is_refused),
		TEST(a_damaged_store_is_an_error),
		TEST(a_folder_is_no_store),
		TEST(a_broken_reference_is_an_error),
		TEST(missing_permission_is_named),
		TEST(a_locked_store_is_named),
		TEST(processes_may_write_at_once),
		TEST(a_kill_amid_the_samples_loses_nothing_stored),
		TEST(a_kill_at_the_commit_loses_nothing_stored),
		TEST(a_kill_amid_a_removal_changes_nothing),
		TEST(a_kill_at_the_end_of_a_removal_changes_nothing),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
