/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include <signal.h>
#include <sys/wait.h>

#include "common/alloc.h"
#include "store/baseline.h"
#include "store/database.h"
#include "store/finding.h"
#include "store/gc.h"
#include "tests/unit/store/equal_sets.h"
#include "tests/unit/store/sample_sets.h"
#include "tests/unit/store/store_fixture.h"

/* Stores a set of that day; its id goes to `ids`. */
static void add_set_with(struct store *store, const char *variant, int day, uint32_t samples,
			 struct string_list *ids)
{
	_cleanup_(error_clear) struct error err = {0};
	_cleanup_(run_set_release) struct run_set set;

	plain_set_make(&set, variant, 2, samples);
	set.created_at = xasprintf("2026-%02d-%02dT00:00:00Z", 1 + day / 28, 1 + day % 28);
	assert_success(store_add_run_set(store, &set, &err), &err);
	string_list_add(ids, set.id);
}

static void add_days(struct store *store, const char *variant, int days, struct string_list *ids)
{
	for (int day = 0; day < days; day++)
		add_set_with(store, variant, day, 8, ids);
}

/* A finding between ids[before] and ids[before + 1], surely between low and high. */
static void add_finding(struct store *store, const struct string_list *ids, size_t before,
			size_t low, size_t high, enum finding_state state)
{
	_cleanup_(finding_list_release) struct finding_list list = {0};
	_cleanup_(error_clear) struct error err = {0};
	const char *evaluated = ids->items[ids->count - 1];

	*array_append(&list) = (struct finding){
		.id = xasprintf("finding%zu", before),
		.group = xstrdup("group"),
		.machine = xstrdup("test"),
		.variant = xstrdup("full"),
		.benchmark = xstrdup("lock.spin"),
		.params = xstrdup(""),
		.metric = xstrdup("time"),
		.unit = xstrdup("ns/op"),
		.kind = xstrdup("level"),
		.regression = true,
		.state = state,
		.before_set = xstrdup(ids->items[before]),
		.after_set = xstrdup(ids->items[before + 1]),
		.low_set = xstrdup(ids->items[low]),
		.high_set = xstrdup(ids->items[high]),
		.evaluated_set = xstrdup(evaluated),
		.found_at = xstrdup("2026-11-30T20:33:07Z"),
		.changed_at = xstrdup("2026-11-30T20:33:07Z"),
	};
	assert_success(store_put_findings(store, &list, &err), &err);
}

static void add_baseline(struct store *store, const char *id)
{
	_cleanup_(error_clear) struct error err = {0};
	struct baseline baseline = {
		.name = (char *)"main",
		.machine = (char *)"test",
		.target = (char *)"vm",
		.suite = (char *)"core",
		.run_set = (char *)id,
		.variant = (char *)"full",
		.set_at = (char *)"2026-11-30T20:33:07Z",
	};

	assert_success(store_put_baseline(store, &baseline, &err), &err);
}

static void make_plan(struct store *store, uint64_t keep_sets, const char *keep_from,
		      uint64_t around, struct gc_plan *plan)
{
	_cleanup_(error_clear) struct error err = {0};
	const struct gc_policy policy = {keep_sets, keep_from, around};

	assert_success(store_plan_gc(store, &policy, plan, &err), &err);
}

/* The reasons of the sets in the order of `ids`, a letter each. */
static void assert_plan(const struct gc_plan *plan, const struct string_list *ids,
			const char *expected)
{
	static const char letters[GC_REASONS] = {
		[GC_OLD] = '-',	     [GC_UNFINISHED] = 'u', [GC_NEWEST] = 'n', [GC_RECENT] = 'r',
		[GC_BASELINE] = 'b', [GC_FINDING] = 'f',    [GC_AROUND] = 'a',
	};
	_cleanup_free_ char *got = xcalloc(ids->count + 1, 1);

	assert_int_equal(plan->sets.count, ids->count);
	for (size_t i = 0; i < ids->count; i++)
		array_for_each (set, &plan->sets)
			if (!strcmp(set->id, ids->items[i]))
				got[i] = letters[set->reason];
	assert_string_equal(got, expected);
}

static void assert_planned(struct store *store, uint64_t keep_sets, const char *keep_from,
			   uint64_t around, const struct string_list *ids, const char *expected)
{
	_cleanup_(gc_plan_release) struct gc_plan plan = {0};

	make_plan(store, keep_sets, keep_from, around, &plan);
	assert_plan(&plan, ids, expected);
}

static void age_and_number_keep_whichever_applies(void **state)
{
	_cleanup_(string_list_release) struct string_list ids = {0};
	_cleanup_store_ struct store *store = fixture_open();

	(void)state;
	add_days(store, "full", 6, &ids);
	add_days(store, "none", 2, &ids);
	assert_planned(store, 3, NULL, 0, &ids, "---nnnnn");
	assert_planned(store, 0, "2026-01-03T00:00:00Z", 0, &ids, "--rrrn-n");
	assert_planned(store, 2, "2026-01-04T00:00:00Z", 0, &ids, "---rnnnn");
	/* Whatever the policy, the newest of each variant stays. */
	assert_planned(store, 0, "2030-01-01T00:00:00Z", 0, &ids, "-----n-n");
	assert_planned(store, 0, NULL, 0, &ids, "-----n-n");
}

static void machine_classes_are_apart(void **state)
{
	_cleanup_(string_list_release) struct string_list ids = {0};
	_cleanup_store_ struct store *store = fixture_open();
	_cleanup_(error_clear) struct error err = {0};
	_cleanup_(run_set_release) struct run_set other;

	(void)state;
	add_days(store, "full", 3, &ids);
	plain_set_make(&other, "full", 1, 8);
	replace_string(&other.machine, "another");
	other.created_at = xstrdup("2025-01-01T00:00:00Z");
	assert_success(store_add_run_set(store, &other, &err), &err);
	string_list_add(&ids, other.id);
	assert_planned(store, 1, NULL, 0, &ids, "--nn");
}

static void both_sides_of_a_finding_stay(void **state)
{
	_cleanup_(string_list_release) struct string_list ids = {0};
	_cleanup_(gc_plan_release) struct gc_plan plan = {0};
	_cleanup_store_ struct store *store = fixture_open();

	(void)state;
	add_days(store, "full", 20, &ids);
	add_finding(store, &ids, 8, 6, 11, FINDING_KNOWN);
	assert_planned(store, 2, NULL, 0, &ids, "------faffaf------nn");
	assert_planned(store, 2, NULL, 3, &ids, "---aaafaffafaaa---nn");
	assert_planned(store, 2, NULL, 100, &ids, "aaaaaafaffafaaaaaann");
	make_plan(store, 2, NULL, 1, &plan);
	array_for_each (set, &plan.sets)
		if (set->reason == GC_FINDING || set->reason == GC_AROUND)
			assert_string_equal(set->referrer, "finding8");
		else
			assert_null(set->referrer);
}

static void only_a_withdrawn_finding_lets_go(void **state)
{
	(void)state;
	for (int i = FINDING_NEW; i <= FINDING_WITHDRAWN; i++) {
		_cleanup_(string_list_release) struct string_list ids = {0};
		_cleanup_store_ struct store *store = NULL;

		if (i > FINDING_NEW) {
			assert_int_equal(fixture_teardown(state), 0);
			assert_int_equal(fixture_setup(state), 0);
		}
		store = fixture_open();
		add_days(store, "full", 5, &ids);
		add_finding(store, &ids, 1, 1, 2, (enum finding_state)i);
		assert_planned(store, 1, NULL, 0, &ids, i == FINDING_WITHDRAWN ? "----n" : "-ff-n");
	}
}

static void a_baseline_stays(void **state)
{
	_cleanup_(string_list_release) struct string_list ids = {0};
	_cleanup_store_ struct store *store = fixture_open();

	(void)state;
	add_days(store, "full", 5, &ids);
	add_baseline(store, ids.items[1]);
	assert_planned(store, 1, NULL, 10, &ids, "-b--n");
	add_finding(store, &ids, 1, 1, 2, FINDING_NEW);
	assert_planned(store, 1, NULL, 1, &ids, "abfan");
}

/* A set's head and one boot, as a collection in the making has them. */
static void begin_set(struct store *store, struct run_set *set, const char *created_at)
{
	_cleanup_(error_clear) struct error err = {0};
	struct collection collection;

	plain_set_make(set, "full", 1, 8);
	set->created_at = xstrdup(created_at);
	collection = (struct collection){.id = set->collection, .plan_digest = set->id};
	assert_success(store_begin_collection(store, &collection, &err), &err);
	assert_success(store_begin_run_set(store, set, &err), &err);
	assert_success(store_add_boot(store, set, 0, &err), &err);
}

static void unfinished_and_empty_sets_push_nothing_out(void **state)
{
	_cleanup_(run_set_release) struct run_set unfinished;
	_cleanup_(string_list_release) struct string_list ids = {0};
	_cleanup_store_ struct store *store = fixture_open();

	(void)state;
	add_days(store, "full", 3, &ids);
	begin_set(store, &unfinished, "2026-01-20T00:00:00Z");
	string_list_add(&ids, unfinished.id);
	add_set_with(store, "full", 25, 0, &ids);
	assert_planned(store, 1, NULL, 0, &ids, "--nun");
	assert_planned(store, 0, "2030-01-01T00:00:00Z", 0, &ids, "--nun");
}

static int64_t count(struct store *store, const char *table)
{
	_cleanup_free_ char *sql = xasprintf("SELECT COUNT(*) FROM %s", table);
	_cleanup_(error_clear) struct error err = {0};
	int64_t rows;

	assert_success(database_scalar(store, sql, &rows, &err), &err);
	return rows;
}

/* Removes all that is old; gives the number of sets removed. */
static size_t remove_old(struct store *store, const struct gc_plan *plan)
{
	_cleanup_(error_clear) struct error err = {0};
	size_t removed = 0;

	array_for_each (set, &plan->sets) {
		int status = set->reason == GC_OLD ? store_remove_set(store, set, &err) : 0;

		assert_success(status < 0, &err);
		removed += (size_t)status;
	}
	return removed;
}

static void assert_rows(struct store *store, int64_t sets)
{
	assert_int_equal(count(store, "run_sets"), sets);
	assert_int_equal(count(store, "collections"), sets);
	assert_int_equal(count(store, "boots"), 2 * sets);
	assert_int_equal(count(store, "boot_environment"), 2 * sets);
	assert_int_equal(count(store, "series"), 4 * sets);
	assert_int_equal(count(store, "samples"), 16 * sets);
}

static void removal_leaves_no_row_and_the_others_whole(void **state)
{
	_cleanup_(string_list_release) struct string_list ids = {0};
	_cleanup_(gc_plan_release) struct gc_plan plan = {0};
	_cleanup_(run_set_release) struct run_set before = {0}, after = {0}, gone = {0};
	_cleanup_store_ struct store *store = fixture_open();
	_cleanup_(error_clear) struct error err = {0};

	(void)state;
	add_days(store, "full", 5, &ids);
	assert_rows(store, 5);
	assert_success(store_load(store, ids.items[3], &before, &err), &err);
	make_plan(store, 2, NULL, 0, &plan);
	assert_int_equal(remove_old(store, &plan), 3);
	assert_rows(store, 2);
	assert_success(store_load(store, ids.items[3], &after, &err), &err);
	assert_sets_equal(&before, &after);
	assert_int_equal(store_load(store, ids.items[0], &gone, &err), -1);
	/* What is gone is gone: the same plan again finds nothing. */
	assert_int_equal(remove_old(store, &plan), 0);
	/* New sets get numbers that no set of the plan has now. */
	add_set_with(store, "full", 20, 8, &ids);
	assert_int_equal(remove_old(store, &plan), 0);
	assert_rows(store, 3);
}

static void a_collection_goes_with_its_last_set(void **state)
{
	_cleanup_(run_set_list_release) struct run_set_list sets = {0};
	_cleanup_store_ struct store *store = fixture_open();
	_cleanup_(error_clear) struct error err = {0};
	struct gc_set first, second;

	(void)state;
	sample_sets_make(&sets);
	assert_success(store_add_run_sets(store, &sets, &err), &err);
	assert_int_equal(count(store, "collections"), 2);
	first = (struct gc_set){.number = 1, .id = sets.items[0]->id};
	second = (struct gc_set){.number = 2, .id = sets.items[1]->id};
	assert_int_equal(store_remove_set(store, &first, &err), 1);
	assert_int_equal(count(store, "collections"), 2);
	assert_int_equal(store_remove_set(store, &second, &err), 1);
	assert_int_equal(count(store, "collections"), 1);
	assert_int_equal(count(store, "boot_failures"), 0);
}

static void what_is_referred_to_since_the_plan_stays(void **state)
{
	_cleanup_(string_list_release) struct string_list ids = {0};
	_cleanup_(gc_plan_release) struct gc_plan plan = {0};
	_cleanup_store_ struct store *store = fixture_open();
	_cleanup_store_ struct store *other = fixture_open();

	(void)state;
	add_days(store, "full", 8, &ids);
	make_plan(store, 1, NULL, 0, &plan);
	assert_plan(&plan, &ids, "-------n");
	add_finding(other, &ids, 3, 2, 5, FINDING_NEW);
	add_baseline(other, ids.items[0]);
	assert_int_equal(remove_old(store, &plan), 2);
	assert_rows(store, 6);
	gc_plan_release(&plan);
	make_plan(store, 1, NULL, 0, &plan);
	assert_int_equal(plan.sets.count, 6);
	assert_int_equal(remove_old(store, &plan), 0);
}

static void a_set_in_the_making_is_never_removed(void **state)
{
	_cleanup_(run_set_release) struct run_set set;
	_cleanup_store_ struct store *store = fixture_open();
	_cleanup_store_ struct store *writer = fixture_open();
	_cleanup_(error_clear) struct error err = {0};
	struct gc_set forged;

	(void)state;
	begin_set(writer, &set, "2020-01-01T00:00:00Z");
	forged = (struct gc_set){.number = 1, .id = set.id};
	assert_int_equal(store_remove_set(store, &forged, &err), 0);
	plain_set_grow(&set, 8);
	assert_success(store_add_boot(writer, &set, 1, &err), &err);
	assert_success(store_finish_collection(writer, set.collection, &err), &err);
	assert_int_equal(store_remove_set(store, &forged, &err), 1);
}

#define WRITTEN 12

/* Stores sets boot by boot, each as a collection of its own. */
static int write_sets(void)
{
	struct error err = {0};
	struct store *store = NULL;
	int status = store_open(fixture_path, &store, &err);

	for (int i = 0; i < WRITTEN && status == 0; i++) {
		_cleanup_(run_set_release) struct run_set set;
		struct collection collection;

		plain_set_make(&set, "full", 2, 200);
		set.created_at = xstrdup("2020-01-01T00:00:00Z");
		collection = (struct collection){.id = set.collection, .plan_digest = set.id};
		status = store_begin_collection(store, &collection, &err);
		if (status == 0)
			status = store_begin_run_set(store, &set, &err);
		for (uint32_t boot = 0; boot < 2 && status == 0; boot++)
			status = store_add_boot(store, &set, boot, &err);
	}
	if (store)
		store_close(store);
	error_clear(&err);
	return status ? 1 : 0;
}

/* The sets that the child writes are older than any: only being unfinished keeps them. */
static void others_may_write_meanwhile(void **state)
{
	_cleanup_(string_list_release) struct string_list ids = {0};
	_cleanup_(run_set_summary_list_release) struct run_set_summary_list list = {0};
	_cleanup_(error_clear) struct error err = {0};
	_cleanup_store_ struct store *store = NULL;
	pid_t child;
	int status;

	(void)state;
	store = fixture_open();
	add_days(store, "full", 20, &ids);
	store_close(store);
	store = NULL;
	child = fork();
	assert_true(child >= 0);
	if (child == 0)
		_exit(write_sets());
	store = fixture_open();
	for (int i = 0; i < 5; i++) {
		_cleanup_(gc_plan_release) struct gc_plan plan = {0};
		enum gc_vacuum outcome;

		make_plan(store, 4, NULL, 0, &plan);
		remove_old(store, &plan);
		assert_success(store_vacuum(store, "2020-01-01T00:00:00Z", i == 2, &outcome, &err),
			       &err);
	}
	assert_int_equal(waitpid(child, &status, 0), child);
	assert_int_equal(status, 0);
	assert_success(store_list(store, &list, &err), &err);
	assert_int_equal(list.count, 4 + WRITTEN);
	for (size_t i = 0; i < WRITTEN; i++) {
		assert_int_equal(list.items[i].boots_ok, 2);
		assert_int_equal(list.items[i].samples, 400);
	}
}

/* A child removes sets, its parent kills it at some time; every set is whole or gone. */
static void a_kill_leaves_whole_sets(void **state)
{
	_cleanup_(string_list_release) struct string_list ids = {0};
	_cleanup_store_ struct store *store = fixture_open();
	_cleanup_(error_clear) struct error err = {0};
	int64_t sets;
	int status;

	(void)state;
	for (int day = 0; day < 20; day++)
		add_set_with(store, "full", day, 8, &ids);
	store_close(store);
	for (int pause_us = 500; pause_us < 60000; pause_us *= 2) {
		pid_t child = fork();

		assert_true(child >= 0);
		if (child == 0) {
			_cleanup_(gc_plan_release) struct gc_plan plan = {0};

			store = fixture_open();
			make_plan(store, 1, NULL, 0, &plan);
			remove_old(store, &plan);
			_exit(0);
		}
		usleep((useconds_t)pause_us);
		kill(child, SIGKILL);
		assert_int_equal(waitpid(child, &status, 0), child);
		store = fixture_open();
		/* A server may still be at work on what the child asked for. */
		assert_success(transaction_begin_read(store, &err), &err);
		sets = count(store, "run_sets");
		assert_in_range(sets, 1, 20);
		assert_rows(store, sets);
		assert_success(transaction_end(store, 0, &err), &err);
		store_close(store);
	}
	store = fixture_open();
}

static void room_is_given_back(void **state)
{
	_cleanup_(string_list_release) struct string_list ids = {0};
	_cleanup_(gc_plan_release) struct gc_plan plan = {0};
	_cleanup_store_ struct store *store = fixture_open();
	_cleanup_(error_clear) struct error err = {0};
	uint64_t before, after;
	enum gc_vacuum outcome;

	(void)state;
	for (int day = 0; day < 5; day++)
		add_set_with(store, "full", day, 4000, &ids);
	assert_success(store_size(store, &before, &err), &err);
	make_plan(store, 1, NULL, 0, &plan);
	assert_int_equal(remove_old(store, &plan), 4);
	assert_success(store_vacuum(store, "2020-01-01T00:00:00Z", true, &outcome, &err), &err);
	assert_int_equal(outcome, GC_VACUUM_DONE);
	assert_success(store_size(store, &after, &err), &err);
	assert_true(after < before / 2);
	assert_int_equal(count(store, "samples"), 8000);
}

static void a_collection_in_the_making_is_not_held_up(void **state)
{
	_cleanup_(run_set_release) struct run_set set;
	_cleanup_store_ struct store *store = fixture_open();
	_cleanup_(error_clear) struct error err = {0};
	enum gc_vacuum outcome;
	bool file = !store_is_url(fixture_path);

	(void)state;
	/* The tables' making has left free pages. */
	assert_success(store_vacuum(store, "2020-01-01T00:00:00Z", true, &outcome, &err), &err);
	assert_success(store_vacuum(store, "2020-01-01T00:00:00Z", false, &outcome, &err), &err);
	assert_int_equal(outcome, file ? GC_VACUUM_LITTLE : GC_VACUUM_DONE);
	begin_set(store, &set, "2020-01-01T00:00:00Z");
	assert_success(store_vacuum(store, "2020-01-01T00:00:00Z", false, &outcome, &err), &err);
	assert_int_equal(outcome, file ? GC_VACUUM_BUSY : GC_VACUUM_DONE);
	/* One that was left long ago is no reason to wait for. */
	assert_success(store_vacuum(store, "2100-01-01T00:00:00Z", false, &outcome, &err), &err);
	assert_int_equal(outcome, file ? GC_VACUUM_LITTLE : GC_VACUUM_DONE);
	assert_success(store_vacuum(store, "2020-01-01T00:00:00Z", true, &outcome, &err), &err);
	assert_int_equal(outcome, GC_VACUUM_DONE);
	assert_int_equal(count(store, "boots"), 1);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, fixture_setup, fixture_teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(age_and_number_keep_whichever_applies),
		TEST(machine_classes_are_apart),
		TEST(both_sides_of_a_finding_stay),
		TEST(only_a_withdrawn_finding_lets_go),
		TEST(a_baseline_stays),
		TEST(unfinished_and_empty_sets_push_nothing_out),
		TEST(removal_leaves_no_row_and_the_others_whole),
		TEST(a_collection_goes_with_its_last_set),
		TEST(what_is_referred_to_since_the_plan_stays),
		TEST(a_set_in_the_making_is_never_removed),
		TEST(others_may_write_meanwhile),
		TEST(a_kill_leaves_whole_sets),
		TEST(room_is_given_back),
		TEST(a_collection_in_the_making_is_not_held_up),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
