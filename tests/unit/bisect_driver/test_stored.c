/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Which past results of a store count as evidence. */
#include "tests/unit/bisect_driver/driver_rig.h"

#define BENCH	"mm.kmalloc"
#define MACHINE "qemu-tcg-icount"

/* A bisection of four commits, with a store beside its journal and nothing that measures. */
struct rig {
	struct made_repository made;
	char *folder;
	struct journal journal;
	struct bisection bisection;
	struct history history;
	struct store *store;
	struct environment environment;
	struct past_conditions past;
	struct driver driver;
};

/* A set of one boot, which has the value 100. */
struct past_set {
	const char *commit; /* name */
	const char *machine;
	const char *key; /* an item of the boot's environment, or NULL */
	const char *value;
	const char *benchmark; /* NULL: BENCH */
	bool by_variant;       /* the variant is named by the commit */
	bool failed;
};

static void rig_open(struct rig *rig, const char *bench)
{
	_cleanup_(error_clear) struct error err = {0};
	_cleanup_free_ char *path = NULL, *store = NULL;
	json_t *records = NULL;

	*rig = (struct rig){.journal = JOURNAL_INIT};
	make_chain(&rig->made, 4);
	assert_int_equal(folder_make_temporary(&rig->folder, &err), 0);
	path = xasprintf("%s/journal", rig->folder);
	store = xasprintf("%s/store.db", rig->folder);
	records = start_records(&rig->made, "4", "1", false);
	json_array_append_new(records, record_measures(true, BETTER_LOWER, bench, "insn"));
	assert_int_equal(journal_write(path, records, &err), 0);
	json_decref(records);
	assert_int_equal(journal_open(&rig->journal, path, true, &records, &err), 1);
	assert_int_equal(bisection_apply_all(&rig->bisection, records, path, &err), 0);
	json_decref(records);
	assert_int_equal(history_open(&rig->history, rig->made.path, &err), 0);
	assert_int_equal(store_open(store, &rig->store, &err), 0);
	environment_set(&rig->environment, "kernel.cmdline", "console=ttyS0");
	environment_set(&rig->environment, "kernel.build_digest", "abc");
	environment_set(&rig->environment, "kernel.config_digest", "123");
	environment_set(&rig->environment, "kernel.release", "6.1.1");
	rig->past = (struct past_conditions){MACHINE, &rig->environment};
	rig->driver = (struct driver){.bisection = &rig->bisection,
				      .journal = &rig->journal,
				      .history = &rig->history,
				      .store = rig->store,
				      .past = &rig->past,
				      .view = {.range = {.dag = DAG_INIT}}};
	assert_int_equal(driver_look(&rig->driver, &err), 0);
}

static void rig_close(struct rig *rig)
{
	_cleanup_(error_clear) struct error err = {0};

	driver_release(&rig->driver);
	journal_close(&rig->journal);
	bisection_release(&rig->bisection);
	history_release(&rig->history);
	environment_release(&rig->environment);
	store_close(rig->store);
	assert_int_equal(folder_remove(rig->folder, &err), 0);
	free(rig->folder);
	made_repository_release(&rig->made);
}

static void add(struct rig *rig, const struct past_set *past)
{
	_cleanup_(error_clear) struct error err = {0};
	const git_oid commit = id_of(&rig->made, past->commit);
	struct run_set set;
	struct boot *boot;

	run_set_init(&set, past->by_variant ? git_oid_tostr_s(&commit) : "tree");
	set.machine = xstrdup(past->machine);
	set.created_at = xstrdup("2026-01-01T00:00:00Z");
	boot = run_set_add_boot(&set);
	boot->status = past->failed ? BOOT_FAILED : BOOT_OK;
	boot->reason = past->failed ? xstrdup("it hung") : NULL;
	if (!past->by_variant)
		environment_set(&boot->environment, "kernel.commit", git_oid_tostr_s(&commit));
	if (past->key)
		environment_set(&boot->environment, past->key, past->value);
	series_add_sample(run_set_series(&set, past->benchmark ? past->benchmark : BENCH, "size=64",
					 "insn", "insn/op", BETTER_LOWER),
			  0, 0, 0, 100);
	if (store_add_run_set(rig->store, &set, &err) < 0)
		fail_msg("%s", err.message);
	run_set_release(&set);
}

/* How many values are evidence after a look in the store. */
static size_t used(struct rig *rig)
{
	_cleanup_(error_clear) struct error err = {0};

	rig->driver.used_store = false;
	if (driver_use_store(&rig->driver, &err) < 0)
		fail_msg("%s", err.message);
	return rig->bisection.observations.count;
}

static void test_what_agrees_counts_once(void **state)
{
	struct rig rig;
	git_oid second;

	(void)state;
	rig_open(&rig, BENCH " [size=64]");
	add(&rig, &(struct past_set){.commit = "2",
				     .machine = MACHINE,
				     .key = "kernel.build_digest",
				     .value = "abc"});
	add(&rig, &(struct past_set){.commit = "3", .machine = MACHINE, .by_variant = true});
	assert_int_equal(used(&rig), 2);
	second = id_of(&rig.made, "2");
	assert_true(git_oid_equal(&rig.bisection.observations.items[0].commit, &second) ||
		    git_oid_equal(&rig.bisection.observations.items[1].commit, &second));
	assert_int_equal(rig.bisection.observations.items[0].purpose, PURPOSE_STORE);
	assert_int_equal(rig.driver.view.search.value_count, 2);
	assert_int_equal(used(&rig), 2);
	rig_close(&rig);
}

static void test_another_machine_does_not_count(void **state)
{
	static const char *const machines[] = {"", "unknown", "qemu-tcg x1 on Some CPU x2"};
	struct rig rig;

	(void)state;
	rig_open(&rig, BENCH);
	for (size_t i = 0; i < ARRAY_SIZE(machines); i++)
		add(&rig, &(struct past_set){.commit = "2", .machine = machines[i]});
	assert_int_equal(used(&rig), 0);
	add(&rig, &(struct past_set){.commit = "2", .machine = MACHINE});
	assert_int_equal(used(&rig), 1);
	rig_close(&rig);
}

/* Another toolchain or command line; the release differs from commit to commit anyhow. */
static void test_other_conditions_do_not_count(void **state)
{
	struct rig rig;

	(void)state;
	rig_open(&rig, BENCH);
	add(&rig, &(struct past_set){.commit = "2",
				     .machine = MACHINE,
				     .key = "kernel.build_digest",
				     .value = "def"});
	add(&rig, &(struct past_set){.commit = "2",
				     .machine = MACHINE,
				     .key = "kernel.cmdline",
				     .value = "console=ttyS0 nosmt"});
	add(&rig, &(struct past_set){.commit = "2",
				     .machine = MACHINE,
				     .key = "kernel.config_digest",
				     .value = "456"});
	assert_int_equal(used(&rig), 0);
	add(&rig,
	    &(struct past_set){
		    .commit = "2", .machine = MACHINE, .key = "kernel.release", .value = "6.1.2"});
	assert_int_equal(used(&rig), 1);
	/* What only the boot records says nothing against it. */
	add(&rig,
	    &(struct past_set){
		    .commit = "3", .machine = MACHINE, .key = "target.qemu", .value = "QEMU 7"});
	assert_int_equal(used(&rig), 2);
	rig_close(&rig);
}

static void test_nothing_counts_before_the_conditions_are_known(void **state)
{
	struct rig rig;

	(void)state;
	rig_open(&rig, BENCH);
	add(&rig, &(struct past_set){.commit = "2", .machine = MACHINE});
	rig.past = (struct past_conditions){NULL, NULL};
	assert_int_equal(used(&rig), 0);
	assert_false(rig.driver.used_store);
	rig.past = (struct past_conditions){MACHINE, NULL};
	assert_int_equal(used(&rig), 1);
	assert_true(rig.driver.used_store);
	rig_close(&rig);
}

static void test_other_series_and_failed_boots_do_not_count(void **state)
{
	struct rig rig;

	(void)state;
	rig_open(&rig, BENCH " [size=64]");
	add(&rig, &(struct past_set){.commit = "2", .machine = MACHINE, .benchmark = "mm.other"});
	add(&rig, &(struct past_set){.commit = "2", .machine = MACHINE, .failed = true});
	assert_int_equal(used(&rig), 0);
	rig_close(&rig);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_what_agrees_counts_once),
		cmocka_unit_test(test_another_machine_does_not_count),
		cmocka_unit_test(test_other_conditions_do_not_count),
		cmocka_unit_test(test_nothing_counts_before_the_conditions_are_known),
		cmocka_unit_test(test_other_series_and_failed_boots_do_not_count),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
