/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include <sqlite3.h>
#include <sys/wait.h>
#include <unistd.h>

#include "common/file.h"
#include "common/interrupt.h"
#include "tests/unit/collector/collect_rig.h"
#include "tests/unit/collector/collector_fixture.h"

/* Runs SQL on the store from outside. */
static void execute(const struct rig *rig, const char *sql)
{
	sqlite3 *db = NULL;

	assert_int_equal(sqlite3_open(rig->config.store, &db), SQLITE_OK);
	assert_int_equal(sqlite3_exec(db, sql, NULL, NULL, NULL), SQLITE_OK);
	sqlite3_close(db);
}

static void assert_samples(const struct run_set *set, double value)
{
	const struct series *series = run_set_find(set, "x.y", "", "time");

	assert_non_null(series);
	assert_int_equal(series->samples.count, set->boots.count);
	for (size_t i = 0; i < series->samples.count; i++) {
		assert_true(series->samples.items[i].value == value);
		assert_int_equal(series->samples.items[i].boot, i);
	}
}

static void collect_all(struct rig *rig, char **id)
{
	_cleanup_(error_clear) struct error err = {0};

	assert_success(rig_collect(rig, id, &err), &err);
	assert_nothing_left();
}

static void boots_follow_the_schedule(void **state)
{
	struct rig *rig = *state;
	_cleanup_(run_set_list_release) struct run_set_list sets = {0};
	_cleanup_free_ char *id = NULL, *starts = NULL, *schedule = rig_schedule(rig);

	collect_all(rig, &id);
	starts = rig_starts();
	assert_string_equal(starts, schedule);
	rig_load(rig, id, &sets);
	assert_every_slot_stored(rig, &sets);
	for (size_t i = 0; i < 2; i++) {
		assert_string_equal(sets.items[i]->collection, id);
		assert_string_equal(sets.items[i]->variant, i ? "b" : "a");
		assert_string_equal(sets.items[i]->target, i ? "tb" : "ta");
		assert_int_equal(sets.items[i]->seed, 7);
		/* Starts on a machine that stays up are no boots. */
		assert_int_equal(sets.items[i]->level, LEVEL_INVOCATION);
		assert_true(*sets.items[i]->machine);
		assert_samples(sets.items[i], i ? 2 : 1);
		array_for_each (boot, &sets.items[i]->boots) {
			assert_int_equal(boot->status, BOOT_OK);
			assert_string_equal(environment_get(&boot->environment, "agent.version"),
					    "fake");
		}
	}
	assert_contains(strbuf_text(&rig->notes), "8 boots, schedule seed 7");
}

static void a_finished_collection_is_not_resumed(void **state)
{
	struct rig *rig = *state;
	_cleanup_free_ char *first = NULL, *second = NULL, *starts = NULL;

	collect_all(rig, &first);
	collect_all(rig, &second);
	assert_string_not_equal(first, second);
	starts = rig_starts();
	assert_int_equal(strlen(starts), 16);
}

static void a_variant_that_stands_twice_gets_a_number(void **state)
{
	struct rig *rig = *state;
	_cleanup_(run_set_list_release) struct run_set_list sets = {0};
	_cleanup_free_ char *id = NULL, *starts = NULL, *schedule = NULL;

	string_list_add(&rig->variants, "a");
	schedule = rig_schedule(rig);
	collect_all(rig, &id);
	starts = rig_starts();
	assert_string_equal(starts, schedule);
	rig_load(rig, id, &sets);
	assert_every_slot_stored(rig, &sets);
	assert_string_equal(sets.items[0]->variant, "a");
	assert_string_equal(sets.items[1]->variant, "b");
	assert_string_equal(sets.items[2]->variant, "a#2");
}

static void unknown_variants_store_nothing(void **state)
{
	struct rig *rig = *state;
	_cleanup_(run_set_summary_list_release) struct run_set_summary_list list = {0};
	_cleanup_(error_clear) struct error err = {0};
	_cleanup_free_ char *id = NULL;

	string_list_add(&rig->variants, "c");
	assert_refused(rig_collect(rig, &id, &err), &err, ERROR_USAGE, "no variant named 'c'");
	assert_null(id);
	assert_success(store_list(rig->store, &list, &err), &err);
	assert_int_equal(list.count, 0);
}

/* The store refuses the fourth boot; what it has stays, and the next run makes the rest. */
static void a_failing_store_loses_one_boot_and_is_resumed(void **state)
{
	struct rig *rig = *state;
	_cleanup_(run_set_list_release) struct run_set_list sets = {0};
	_cleanup_(error_clear) struct error err = {0};
	_cleanup_free_ char *first = NULL, *second = NULL, *starts = NULL;
	_cleanup_free_ char *schedule = rig_schedule(rig), *expected = NULL;

	execute(rig, "CREATE TRIGGER full BEFORE INSERT ON boots WHEN"
		     " (SELECT count(*) FROM boots) >= 3"
		     " BEGIN SELECT RAISE(ABORT, 'no room for this boot'); END");
	assert_refused(rig_collect(rig, &first, &err), &err, ERROR_DATA, "variant ");
	assert_contains(err.message, "no room for this boot");
	assert_nothing_left();
	execute(rig, "DROP TRIGGER full");
	rig->request.seed = 8; /* the collection has its own */
	collect_all(rig, &second);
	assert_string_equal(first, second);
	assert_contains(strbuf_text(&rig->notes), "3 of 8 boots are stored");
	rig->request.seed = 7;
	rig_load(rig, second, &sets);
	assert_every_slot_stored(rig, &sets);
	starts = rig_starts();
	expected = xasprintf("%.4s%s", schedule, schedule + 3);
	assert_string_equal(starts, expected);
}

/* Something is stored although no boot is: the caller has to know what. */
static void a_store_that_fails_early_still_names_the_collection(void **state)
{
	struct rig *rig = *state;
	_cleanup_(run_set_list_release) struct run_set_list sets = {0};
	_cleanup_(error_clear) struct error err = {0};
	_cleanup_free_ char *first = NULL, *second = NULL;

	execute(rig, "CREATE TRIGGER full BEFORE INSERT ON run_sets WHEN NEW.variant = 'b'"
		     " BEGIN SELECT RAISE(ABORT, 'no room for this set'); END");
	assert_refused(rig_collect(rig, &first, &err), &err, ERROR_DATA, "no room for this set");
	assert_non_null(first);
	execute(rig, "DROP TRIGGER full");
	collect_all(rig, &second);
	assert_string_not_equal(first, second);
	rig_load(rig, second, &sets);
	assert_every_slot_stored(rig, &sets);
}

static void fresh_does_not_resume(void **state)
{
	struct rig *rig = *state;
	_cleanup_(error_clear) struct error err = {0};
	_cleanup_free_ char *first = NULL, *second = NULL, *starts = NULL;

	execute(rig, "CREATE TRIGGER full BEFORE INSERT ON boots WHEN"
		     " (SELECT count(*) FROM boots) = 3"
		     " BEGIN SELECT RAISE(ABORT, 'no room for this boot'); END");
	assert_int_equal(rig_collect(rig, &first, &err), -1);
	execute(rig, "DROP TRIGGER full");
	rig->request.fresh = true;
	collect_all(rig, &second);
	assert_string_not_equal(first, second);
	starts = rig_starts();
	assert_int_equal(strlen(starts), 4 + 8);
}

static void another_plan_is_another_collection(void **state)
{
	struct rig *rig = *state;
	_cleanup_(error_clear) struct error err = {0};
	_cleanup_free_ char *first = NULL, *second = NULL;

	execute(rig, "CREATE TRIGGER full BEFORE INSERT ON boots WHEN"
		     " (SELECT count(*) FROM boots) = 3"
		     " BEGIN SELECT RAISE(ABORT, 'no room for this boot'); END");
	assert_int_equal(rig_collect(rig, &first, &err), -1);
	execute(rig, "DROP TRIGGER full");
	rig->plan.repetitions++;
	collect_all(rig, &second);
	assert_string_not_equal(first, second);
}

/* Two empty boots of b end it; repaired, the rest is made and the failed boots stay. */
static void a_hopeless_variant_stops_and_is_resumed(void **state)
{
	struct rig *rig = *state;
	_cleanup_(run_set_list_release) struct run_set_list sets = {0};
	_cleanup_(error_clear) struct error err = {0};
	_cleanup_free_ char *first = NULL, *second = NULL, *starts = NULL;
	_cleanup_free_ char *broken = fixture_write("broken", "", 0644);

	rig_agent("b", "[ -e $folder/broken ] && echo cannot do that >&2 && exit 3\n"
		       "sample 2\nfinish ok");
	assert_refused(rig_collect(rig, &first, &err), &err, ERROR_HARNESS,
		       "variant b: 2 boots failed and gave no sample: kregress-agent exited with "
		       "status 3 during x.y (after 2 records): cannot do that;");
	assert_contains(err.hint, "cannot do that");
	assert_contains(strbuf_text(&rig->notes), "warning: b, boot 0: kregress-agent exited");
	assert_nothing_left();
	assert_int_equal(unlink(broken), 0);
	collect_all(rig, &second);
	assert_string_equal(first, second);
	rig_load(rig, second, &sets);
	assert_every_slot_stored(rig, &sets);
	assert_samples(sets.items[0], 1);
	for (size_t i = 0; i < 4; i++)
		assert_int_equal(sets.items[1]->boots.items[i].status,
				 i < 2 ? BOOT_FAILED : BOOT_OK);
	assert_contains(sets.items[1]->boots.items[1].reason, "exited with status 3");
	assert_string_equal(sets.items[1]->boots.items[1].console_tail, "cannot do that");
	assert_int_equal(sets.items[1]->series.items[0].samples.count, 2);
	starts = rig_starts();
	assert_int_equal(strlen(starts), 8);
}

/* A boot that fails after a sample is stored with it, and does not stop the collection. */
static void a_failed_boot_keeps_its_samples(void **state)
{
	struct rig *rig = *state;
	_cleanup_(run_set_list_release) struct run_set_list sets = {0};
	_cleanup_free_ char *id = NULL;
	static const struct {
		const char *script;
		const char *reason;
	} cases[] = {
		{"sample 1; echo oops; finish ok",
		 "the record stream is damaged: record 3: is not a JSON object"},
		{"sample 1; sample 1; finish ok", "invocation 0 of x.y repeats or goes back"},
		{"sample 1; kill -KILL $$", "kregress-agent was killed by signal 9"},
		{"sample 1", "kregress-agent ended during x.y (after 3 records)"},
		{"sample 1; record '\"type\":\"error\",\"message\":\"no debugfs\"'; finish failed",
		 "the agent gave up: no debugfs"},
		{"sample 1; finish failed; exit 3", "kregress-agent exited with status 3"},
	};

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		rig_agent("a", cases[i].script);
		free(id);
		collect_all(rig, &id);
		run_set_list_release(&sets);
		rig_load(rig, id, &sets);
		assert_every_slot_stored(rig, &sets);
		assert_samples(sets.items[0], 1);
		array_for_each (boot, &sets.items[0]->boots) {
			assert_int_equal(boot->status, BOOT_FAILED);
			assert_contains(boot->reason, cases[i].reason);
		}
		array_for_each (boot, &sets.items[1]->boots)
			assert_int_equal(boot->status, BOOT_OK);
	}
}

static void a_silent_boot_is_given_up(void **state)
{
	struct rig *rig = *state;
	_cleanup_(run_set_list_release) struct run_set_list sets = {0};
	_cleanup_free_ char *id = NULL;

	rig->plan.boots = 1;
	rig->config.targets.items[0].timeout_s = 1;
	rig_agent("a", "sample 1\nsleep 1000");
	collect_all(rig, &id);
	rig_load(rig, id, &sets);
	assert_int_equal(sets.items[0]->boots.items[0].status, BOOT_FAILED);
	assert_contains(sets.items[0]->boots.items[0].reason, "no record for 1 s during x.y");
	assert_samples(sets.items[0], 1);
}

/* Samples in two units are not one series: the boot says so, nothing is dropped in silence. */
static void a_unit_that_changes_between_boots_fails_the_boot(void **state)
{
	struct rig *rig = *state;
	_cleanup_(run_set_list_release) struct run_set_list sets = {0};
	_cleanup_free_ char *id = NULL;
	size_t failed = 0;

	rig_agent("a", "[ $start -gt 6 ] && unit=us/op\nsample 1\nfinish ok");
	collect_all(rig, &id);
	rig_load(rig, id, &sets);
	assert_every_slot_stored(rig, &sets);
	array_for_each (boot, &sets.items[0]->boots) {
		if (boot->status == BOOT_OK)
			continue;
		failed++;
		assert_contains(boot->reason, "x.y");
		assert_contains(boot->reason, "unit");
	}
	assert_int_equal(failed, 1);
}

/* Console output with NUL bytes, as a resetting serial port gives it. */
static void nul_bytes_do_not_end_the_evidence(void **state)
{
	struct rig *rig = *state;
	_cleanup_(run_set_list_release) struct run_set_list sets = {0};
	_cleanup_free_ char *id = NULL;

	rig_agent("a", "sample 1\nprintf 'before\\0behind\\n' >&2\nexit 1");
	collect_all(rig, &id);
	rig_load(rig, id, &sets);
	assert_contains(sets.items[0]->boots.items[0].console_tail, "before");
	assert_contains(sets.items[0]->boots.items[0].console_tail, "behind");
	assert_contains(sets.items[0]->boots.items[0].reason, "behind");
}

static bool process_runs(const char *pid)
{
	_cleanup_free_ char *path = xasprintf("/proc/%s/stat", pid);
	_cleanup_(strbuf_release) struct strbuf stat = STRBUF_INIT;
	_cleanup_(error_clear) struct error err = {0};
	const char *state_field;

	if (file_read(path, &stat, &err) < 0)
		return false;
	state_field = strrchr(strbuf_text(&stat), ')');
	return state_field && !strchr("ZX", state_field[2]);
}

static void what_an_agent_leaves_running_is_ended(void **state)
{
	struct rig *rig = *state;
	_cleanup_free_ char *id = NULL, *path = path_below(fixture_folder, "left"), *pids = NULL;
	_cleanup_(string_list_release) struct string_list list = {0};
	size_t ended = 0;

	rig_agent("a", "sleep 1000 >/dev/null 2>&1 </dev/null &\necho $! >>$folder/left\n"
		       "sample 1\nfinish ok");
	collect_all(rig, &id);
	pids = fixture_read(path);
	string_list_split(&list, pids, "\n");
	array_for_each (pid, &list) {
		for (int i = 0; i < 200 && process_runs(*pid); i++)
			usleep(10000);
		assert_false(process_runs(*pid));
		ended++;
	}
	assert_int_equal(ended, 4);
}

static void boots_at_a_time_store_every_boot_once(void **state)
{
	struct rig *rig = *state;
	_cleanup_(run_set_list_release) struct run_set_list sets = {0};
	_cleanup_free_ char *id = NULL, *starts = NULL;

	rig->plan.boots = 6;
	rig->request.jobs = 4;
	/* Later starts end earlier. */
	rig_agent("a", "sleep 0.$((9 - start % 4 * 2))\nsample 1\nfinish ok");
	collect_all(rig, &id);
	rig_load(rig, id, &sets);
	assert_every_slot_stored(rig, &sets);
	assert_samples(sets.items[0], 1);
	assert_samples(sets.items[1], 2);
	starts = rig_starts();
	assert_int_equal(strlen(starts), 12);
	assert_contains(strbuf_text(&rig->notes), ": a, b");
	assert_contains(strbuf_text(&rig->notes), "warning: 4 boots at a time share the CPUs");
}

/* Times are not measured beside each other unless that is asked for. */
static void progress_tells_the_time_left(void **state)
{
	struct rig *rig = *state;
	_cleanup_free_ char *id = NULL;

	collect_all(rig, &id);
	assert_contains(strbuf_text(&rig->notes), "progress: boot 2 of 8: ");
	assert_contains(strbuf_text(&rig->notes), " s left\n");
	assert_null(strstr(strbuf_text(&rig->notes), ": a, b"));
	assert_null(strstr(strbuf_text(&rig->notes), ": b, a"));
	assert_null(strstr(strbuf_text(&rig->notes), "share the CPUs"));
}

/* In a process of its own: a signal is remembered for good. */
static int collect_until_signal(struct rig *rig)
{
	_cleanup_(error_clear) struct error err = {0};
	_cleanup_free_ char *id = NULL;

	interrupt_install();
	if (rig_collect(rig, &id, &err) != -1 || err.kind != ERROR_INTERRUPTED || !id)
		return 1;
	if (!strstr(err.message, "interrupted by signal 15"))
		return 2;
	return err.hint && strstr(err.hint, "2 of 8 boots are stored") ? 0 : 3;
}

static void a_signal_keeps_what_is_stored(void **state)
{
	struct rig *rig = *state;
	_cleanup_(run_set_list_release) struct run_set_list sets = {0};
	_cleanup_free_ char *id = NULL, *starts = NULL;
	int status;
	pid_t child;

	rig_agent("a", "sample 1\n[ $start = 3 ] && kill -TERM $PPID && sleep 1000\nfinish ok");
	rig_agent("b", "sample 2\n[ $start = 3 ] && kill -TERM $PPID && sleep 1000\nfinish ok");
	store_close(rig->store);
	rig->store = NULL;
	child = fork();
	if (child == 0) {
		_cleanup_(error_clear) struct error err = {0};

		_exit(store_open(rig->config.store, &rig->store, &err) < 0
			      ? 4
			      : collect_until_signal(rig));
	}
	assert_int_equal(waitpid(child, &status, 0), child);
	assert_int_equal(status, 0);
	assert_nothing_left();
	{
		_cleanup_(error_clear) struct error err = {0};

		assert_success(store_open(rig->config.store, &rig->store, &err), &err);
	}
	collect_all(rig, &id);
	assert_contains(strbuf_text(&rig->notes), "2 of 8 boots are stored");
	rig_load(rig, id, &sets);
	assert_every_slot_stored(rig, &sets);
	starts = rig_starts();
	assert_int_equal(strlen(starts), 9);
}

static void an_agent_that_is_missing_or_no_program(void **state)
{
	struct rig *rig = *state;
	_cleanup_free_ char *agent = path_below(fixture_folder, "agent-a");
	_cleanup_(error_clear) struct error err = {0};
	_cleanup_free_ char *id = NULL;

	free(fixture_write("agent-a", "", 0644));
	assert_int_equal(rig_collect(rig, &id, &err), -1);
	assert_contains(err.message, "variant a: ");
	assert_contains(err.message, agent);
	assert_nothing_left();
	free(take_pointer(id));
	error_clear(&err);
	assert_int_equal(unlink(agent), 0);
	assert_refused(rig_collect(rig, &id, &err), &err, ERROR_USAGE, agent);
	assert_contains(err.hint, "target.ta.agent");
}

#define rig_test(test) cmocka_unit_test_setup_teardown(test, rig_setup, rig_teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		rig_test(boots_follow_the_schedule),
		rig_test(a_finished_collection_is_not_resumed),
		rig_test(a_variant_that_stands_twice_gets_a_number),
		rig_test(unknown_variants_store_nothing),
		rig_test(a_failing_store_loses_one_boot_and_is_resumed),
		rig_test(a_store_that_fails_early_still_names_the_collection),
		rig_test(fresh_does_not_resume),
		rig_test(another_plan_is_another_collection),
		rig_test(a_hopeless_variant_stops_and_is_resumed),
		rig_test(a_failed_boot_keeps_its_samples),
		rig_test(a_silent_boot_is_given_up),
		rig_test(a_unit_that_changes_between_boots_fails_the_boot),
		rig_test(nul_bytes_do_not_end_the_evidence),
		rig_test(what_an_agent_leaves_running_is_ended),
		rig_test(boots_at_a_time_store_every_boot_once),
		rig_test(progress_tells_the_time_left),
		rig_test(a_signal_keeps_what_is_stored),
		rig_test(an_agent_that_is_missing_or_no_program),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
