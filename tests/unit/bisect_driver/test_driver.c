/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The loop with a measurer that is a simulation: noise, skips, builds, interruptions. */
#include "tests/unit/bisect_driver/driver_rig.h"

struct simulation {
	struct made_repository made;
	const char *culprit;
	bool outcomes;
	double change;	    /* of the level 100 */
	const char *second; /* another change, or NULL */
	double second_change;
	double noise;	    /* standard deviation */
	uint64_t random;    /* state of the generator */
	const char *broken; /* does not build */
	const char *mute;   /* builds, cannot be measured */
	size_t fail_after;  /* so many measurements, then the lab fails; 0: never */
	size_t measured;
	size_t builds;
	size_t ahead;
	double clock_s;
	git_repository *reverts; /* where reverts are made */
};

static struct simulation *clock_owner;

static double simulated_now(void)
{
	return clock_owner->clock_s;
}

static char *simulated_utc(void)
{
	return xstrdup("2026-01-01T00:00:00Z");
}

static double uniform(struct simulation *simulation)
{
	simulation->random = simulation->random * 6364136223846793005u + 1442695040888963407u;
	return (double)(simulation->random >> 11) / 9007199254740992.0;
}

static double normal(struct simulation *simulation)
{
	double sum = -6;

	for (int i = 0; i < 12; i++)
		sum += uniform(simulation);
	return sum;
}

static bool is(const struct simulation *simulation, const git_oid *commit, const char *name)
{
	git_oid id;

	if (!name)
		return false;
	id = id_of(&simulation->made, name);
	return git_oid_equal(&id, commit);
}

/* True when the commit of that name is before the other one, or is it. */
static bool is_before(const struct simulation *simulation, const char *name, const git_oid *commit)
{
	const struct made_commit *culprit = made_repository_find(&simulation->made, name);

	array_for_each (made, &simulation->made.commits) {
		if (git_oid_equal(&made->id, commit))
			return made_repository_is_ancestor(&simulation->made, culprit, made);
	}
	return false;
}

/* The id behind "Revert" in the message, and the tip below; false for what is no revert. */
static bool read_revert(const struct simulation *simulation, const git_oid *commit, git_oid *tip,
			git_oid *reverted)
{
	git_commit *found = NULL;
	bool is_revert = false;

	if (git_commit_lookup(&found, simulation->reverts, commit))
		return false;
	if (!strncmp(git_commit_message(found), "Revert ", 7) &&
	    !git_oid_fromstr(reverted, git_commit_message(found) + 7)) {
		is_revert = true;
		*tip = *git_commit_parent_id(found, 0);
	}
	git_commit_free(found);
	return is_revert;
}

/* What a change adds to the level of a commit. */
static double shift(const struct simulation *simulation, const char *name, double change,
		    const git_oid *commit)
{
	git_oid tip = *commit, reverted;

	if (!name)
		return 0;
	if (read_revert(simulation, commit, &tip, &reverted) && is(simulation, &reverted, name))
		return 0;
	return is_before(simulation, name, &tip) ? change : 0;
}

static int build(void *context, const git_oid *commit, struct build_result *result,
		 struct error *err)
{
	struct simulation *simulation = context;

	(void)err;
	simulation->builds++;
	simulation->clock_s += 100;
	result->duration_s = 100;
	if (is(simulation, commit, simulation->broken)) {
		result->state = BUILD_BROKEN;
		result->reason = xstrdup("error: it is broken");
	}
	return 0;
}

static void build_ahead(void *context, const git_oid *commits, size_t count)
{
	struct simulation *simulation = context;

	assert_non_null(commits);
	simulation->ahead += count;
}

static double build_cost_s(void *context, const git_oid *commit)
{
	(void)context;
	(void)commit;
	return 100;
}

static int measure(void *context, const git_oid *commit, size_t count,
		   struct measurement_list *list, struct error *err)
{
	struct simulation *simulation = context;
	double level = shift(simulation, simulation->culprit, simulation->change, commit) +
		       shift(simulation, simulation->second, simulation->second_change, commit);
	struct measurement *measurement;

	assert_true(count >= 1);
	if (simulation->fail_after && simulation->measured >= simulation->fail_after)
		return error_set(err, ERROR_HARNESS, "the lab is on fire");
	simulation->measured++;
	simulation->clock_s += 1;
	measurement = array_append(list);
	measurement->duration_s = 1;
	if (is(simulation, commit, simulation->mute)) {
		measurement->state = MEASURED_BROKEN;
		measurement->reason = xstrdup("does not boot");
		return 0;
	}
	measurement->state = MEASURED_VALUE;
	measurement->value = 100 + level + simulation->noise * normal(simulation);
	if (simulation->outcomes)
		measurement->state = level > 0 ? MEASURED_FAIL : MEASURED_PASS;
	return 0;
}

/* A driver on a journal of its own. */
struct rig {
	char *folder;
	struct journal journal;
	struct bisection bisection;
	struct history history;
	struct checkout checkout;
	struct measurer measurer;
	struct driver driver;
};

static void rig_open(struct rig *rig, struct simulation *simulation, bool values)
{
	_cleanup_(error_clear) struct error err = {0};
	_cleanup_free_ char *path = xasprintf("%s/journal", rig->folder);
	_cleanup_free_ char *worktree = xasprintf("%s/worktree", rig->folder);
	json_t *records = NULL;

	clock_owner = simulation;
	assert_int_equal(journal_open(&rig->journal, path, true, &records, &err), 1);
	assert_int_equal(bisection_apply_all(&rig->bisection, records, path, &err), 0);
	json_decref(records);
	assert_int_equal(history_open(&rig->history, simulation->made.path, &err), 0);
	assert_int_equal(checkout_open(&rig->checkout, worktree, &rig->history, &err), 0);
	simulation->reverts = rig->checkout.repository;
	rig->measurer = (struct measurer){.context = simulation, .measure = measure};
	rig->driver = (struct driver){
		.bisection = &rig->bisection,
		.journal = &rig->journal,
		.history = &rig->history,
		.measurer = &rig->measurer,
		.checkout = &rig->checkout,
		.view = {.range = {.dag = DAG_INIT}},
		.settings = {.jobs = 1,
			     .proof_values = 6,
			     .alpha = 0.05,
			     .now_s = simulated_now,
			     .utc_now = simulated_utc},
	};
	if (values && !rig->bisection.measures)
		assert_int_equal(driver_record(&rig->driver,
					       record_measures(false, BETTER_LOWER, NULL, NULL),
					       &err),
				 0);
}

static void rig_close(struct rig *rig)
{
	driver_release(&rig->driver);
	journal_close(&rig->journal);
	bisection_release(&rig->bisection);
	checkout_close(&rig->checkout);
	history_release(&rig->history);
}

static void begin(struct rig *rig, struct simulation *simulation, int count, const char *culprit)
{
	_cleanup_(error_clear) struct error err = {0};
	_cleanup_free_ char *path = NULL;
	_cleanup_free_ char *bad = xasprintf("%d", count);
	json_t *records;

	make_chain(&simulation->made, count);
	simulation->culprit = culprit;
	simulation->random = 20261130;
	*rig = (struct rig){.journal = JOURNAL_INIT};
	assert_int_equal(folder_make_temporary(&rig->folder, &err), 0);
	path = xasprintf("%s/journal", rig->folder);
	records = start_records(&simulation->made, bad, "1", false);
	assert_int_equal(journal_write(path, records, &err), 0);
	json_decref(records);
}

static void finish(struct rig *rig, struct simulation *simulation)
{
	_cleanup_(error_clear) struct error err = {0};

	rig_close(rig);
	assert_int_equal(folder_remove(rig->folder, &err), 0);
	free(rig->folder);
	made_repository_release(&simulation->made);
}

static void assert_found(struct rig *rig, const struct simulation *simulation, const char *name)
{
	struct next_step next = view_next(&rig->driver.view, NULL);
	git_oid expected = id_of(&simulation->made, name);

	assert_int_equal(next.stage, STAGE_FOUND);
	assert_true(git_oid_equal(&next.commit, &expected));
}

static void run(struct rig *rig, enum driver_end expected)
{
	_cleanup_(error_clear) struct error err = {0};
	enum driver_end end = DRIVER_SETTLED;

	if (driver_run(&rig->driver, &end, &err) < 0)
		fail_msg("%s", err.message);
	assert_int_equal(end, expected);
}

static void test_outcomes(void **state)
{
	struct simulation simulation = {.outcomes = true, .change = 1};
	struct rig rig;

	(void)state;
	begin(&rig, &simulation, 33, "20");
	rig_open(&rig, &simulation, false);
	run(&rig, DRIVER_SETTLED);
	assert_found(&rig, &simulation, "20");
	assert_int_equal(simulation.measured, 5);
	finish(&rig, &simulation);
}

static void test_noisy_values(void **state)
{
	struct simulation simulation = {.change = 4, .noise = 1};
	git_oid culprit;
	struct rig rig;

	(void)state;
	begin(&rig, &simulation, 32, "11");
	rig_open(&rig, &simulation, true);
	run(&rig, DRIVER_SETTLED);
	assert_found(&rig, &simulation, "11");
	culprit = id_of(&simulation.made, "11");
	assert_true(bisection_proof(&rig.bisection, &culprit, false)->confirmed);
	assert_true(bisection_proof(&rig.bisection, &culprit, true)->confirmed);
	assert_int_equal(rig.bisection.observations.count, simulation.measured);
	assert_string_equal(rig.bisection.answer, "found");
	finish(&rig, &simulation);
}

/* The end of a run is no measurement; running again measures nothing. */
static void test_running_again_does_nothing(void **state)
{
	struct simulation simulation = {.change = 4, .noise = 1};
	struct rig rig;
	uint64_t records;
	size_t measured;

	(void)state;
	begin(&rig, &simulation, 16, "7");
	rig_open(&rig, &simulation, true);
	run(&rig, DRIVER_SETTLED);
	measured = simulation.measured;
	records = rig.journal.next;
	rig_close(&rig);
	rig_open(&rig, &simulation, true);
	run(&rig, DRIVER_SETTLED);
	assert_int_equal(simulation.measured, measured);
	assert_int_equal(rig.journal.next, records);
	finish(&rig, &simulation);
}

/* Stopped after every measurement and opened anew: the same values, the same answer. */
static void test_a_failing_lab_loses_nothing(void **state)
{
	struct simulation simulation = {.change = 5, .noise = 1};
	struct rig rig;
	size_t attempts = 0;
	int code = -1;

	(void)state;
	begin(&rig, &simulation, 16, "9");
	while (code < 0) {
		_cleanup_(error_clear) struct error err = {0};
		enum driver_end end;

		assert_true(++attempts < 1000);
		simulation.fail_after = simulation.measured + 1;
		rig_open(&rig, &simulation, true);
		code = driver_run(&rig.driver, &end, &err);
		assert_int_equal(rig.bisection.observations.count, simulation.measured);
		if (code < 0) {
			assert_int_equal(err.kind, ERROR_HARNESS);
			rig_close(&rig);
		}
	}
	assert_true(attempts > 6);
	assert_found(&rig, &simulation, "9");
	finish(&rig, &simulation);
}

static void test_broken_builds_stay_candidates(void **state)
{
	struct simulation simulation = {.change = 8, .noise = 1, .broken = "9", .mute = "5"};
	const struct mark *mark;
	git_oid broken;
	struct rig rig;

	(void)state;
	begin(&rig, &simulation, 16, "10");
	rig_open(&rig, &simulation, true);
	rig.measurer.build = build;
	rig.measurer.build_cost_s = build_cost_s;
	run(&rig, DRIVER_SETTLED);
	/* Its parent cannot be told from it. */
	assert_int_equal(view_next(&rig.driver.view, NULL).stage, STAGE_FOUND_AMONG);
	broken = id_of(&simulation.made, "9");
	mark = bisection_mark(&rig.bisection, &broken);
	assert_int_equal(mark->kind, MARK_SKIP);
	assert_non_null(strstr(mark->reason, "it is broken"));
	assert_true(bisection_build(&rig.bisection, &broken)->broken);
	assert_true(rig.bisection.builds.count <= 9);
	finish(&rig, &simulation);
}

static void test_end_that_does_not_build(void **state)
{
	struct simulation simulation = {.change = 8, .noise = 1, .broken = "16"};
	_cleanup_(error_clear) struct error err = {0};
	enum driver_end end;
	struct rig rig;

	(void)state;
	begin(&rig, &simulation, 16, "10");
	rig_open(&rig, &simulation, true);
	rig.measurer.build = build;
	assert_int_equal(driver_run(&rig.driver, &end, &err), -1);
	assert_non_null(strstr(err.message, "the bad commit"));
	finish(&rig, &simulation);
}

static void test_builds_ahead(void **state)
{
	struct simulation simulation = {.change = 8, .noise = 1};
	struct rig rig;

	(void)state;
	begin(&rig, &simulation, 32, "10");
	rig_open(&rig, &simulation, true);
	rig.measurer.build = build;
	rig.measurer.build_cost_s = build_cost_s;
	rig.measurer.build_ahead = build_ahead;
	rig.driver.settings.jobs = 3;
	run(&rig, DRIVER_SETTLED);
	assert_found(&rig, &simulation, "10");
	assert_true(simulation.ahead > 3);
	finish(&rig, &simulation);
}

static void test_budget(void **state)
{
	struct simulation simulation = {.change = 1, .noise = 1};
	struct rig rig;

	(void)state;
	begin(&rig, &simulation, 32, "10");
	rig_open(&rig, &simulation, true);
	rig.driver.settings.budget_s = 10;
	run(&rig, DRIVER_BUDGET);
	assert_int_equal(simulation.measured, 10);
	rig_close(&rig);
	rig_open(&rig, &simulation, true);
	run(&rig, DRIVER_SETTLED);
	assert_found(&rig, &simulation, "10");
	finish(&rig, &simulation);
}

static void test_nothing_to_find(void **state)
{
	struct simulation simulation = {.change = 0, .noise = 1};
	struct rig rig;

	(void)state;
	begin(&rig, &simulation, 16, "10");
	rig_open(&rig, &simulation, true);
	rig.bisection.options.prior_nothing = 0.9;
	run(&rig, DRIVER_SETTLED);
	assert_int_equal(view_next(&rig.driver.view, NULL).stage, STAGE_NOT_REPRODUCED);
	assert_int_equal(rig.bisection.proofs.count, 0);
	finish(&rig, &simulation);
}

/* Both proofs of a change, made of as many values of their own as were asked for. */
static void assert_proved(const struct rig *rig, const struct simulation *simulation,
			  const char *name, bool fix)
{
	git_oid commit = id_of(&simulation->made, name);

	for (int revert = 0; revert < 2; revert++) {
		const struct proof *proof = bisection_proof(&rig->bisection, &commit, revert);
		const char *slower =
			proof && proof->revert == proof->fix ? "regressed" : "improved";

		assert_non_null(proof);
		assert_true(proof->done);
		assert_int_equal(proof->fix, fix);
		assert_int_equal(proof->count, 6);
		assert_string_equal(proof->verdict, slower);
		assert_true(proof->confirmed);
	}
}

static void test_two_changes_are_proved_both(void **state)
{
	struct simulation simulation = {
		.change = 8, .noise = 1, .second = "13", .second_change = 8};
	struct found_change changes[2];
	struct rig rig;

	(void)state;
	begin(&rig, &simulation, 16, "5");
	rig_open(&rig, &simulation, true);
	rig.bisection.options.steps = 2;
	run(&rig, DRIVER_SETTLED);
	assert_found(&rig, &simulation, "5");
	assert_int_equal(view_changes(&rig.driver.view, changes), 2);
	assert_true(changes[0].effect.known && changes[1].effect.known);
	assert_within(changes[0].effect.difference, 8, 2);
	assert_within(changes[1].effect.difference, 8, 2);
	assert_within(changes[1].effect.fast, 108, 2);
	assert_int_equal(rig.bisection.proofs.count, 4);
	assert_proved(&rig, &simulation, "5", false);
	assert_proved(&rig, &simulation, "13", false);
	finish(&rig, &simulation);
}

/* The ends are alike; the commit that makes it faster is proved the other way round. */
static void test_a_fix_is_proved_the_other_way_round(void **state)
{
	struct simulation simulation = {
		.change = 8, .noise = 1, .second = "12", .second_change = -8};
	struct found_change changes[2];
	git_oid fix;
	size_t site;
	struct rig rig;

	(void)state;
	begin(&rig, &simulation, 16, "5");
	rig_open(&rig, &simulation, true);
	rig.bisection.options.steps = 2;
	run(&rig, DRIVER_SETTLED);
	assert_found(&rig, &simulation, "5");
	fix = id_of(&simulation.made, "12");
	assert_int_equal(view_changes(&rig.driver.view, changes), 2);
	assert_true(!changes[0].faster && changes[1].faster);
	assert_true(git_oid_equal(&changes[1].commit, &fix));
	assert_true(view_site(&rig.driver.view, &fix, &site));
	assert_false(view_is_slow(&rig.driver.view, site));
	assert_true(view_is_slow(&rig.driver.view, site - 1));
	assert_proved(&rig, &simulation, "5", false);
	assert_proved(&rig, &simulation, "12", true);
	finish(&rig, &simulation);
}

/* A fix before the regression: the regression is the answer. */
static void test_a_fix_before_a_regression(void **state)
{
	struct simulation simulation = {
		.change = 12, .noise = 1, .second = "5", .second_change = -6};
	struct found_change changes[2];
	git_oid fix;
	struct rig rig;

	(void)state;
	begin(&rig, &simulation, 16, "12");
	rig_open(&rig, &simulation, true);
	rig.bisection.options.steps = 2;
	run(&rig, DRIVER_SETTLED);
	assert_found(&rig, &simulation, "12");
	fix = id_of(&simulation.made, "5");
	assert_int_equal(view_changes(&rig.driver.view, changes), 2);
	assert_true(changes[1].faster);
	assert_true(git_oid_equal(&changes[1].commit, &fix));
	assert_proved(&rig, &simulation, "12", false);
	assert_proved(&rig, &simulation, "5", true);
	finish(&rig, &simulation);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_outcomes),
		cmocka_unit_test(test_noisy_values),
		cmocka_unit_test(test_running_again_does_nothing),
		cmocka_unit_test(test_a_failing_lab_loses_nothing),
		cmocka_unit_test(test_broken_builds_stay_candidates),
		cmocka_unit_test(test_end_that_does_not_build),
		cmocka_unit_test(test_builds_ahead),
		cmocka_unit_test(test_budget),
		cmocka_unit_test(test_nothing_to_find),
		cmocka_unit_test(test_two_changes_are_proved_both),
		cmocka_unit_test(test_a_fix_is_proved_the_other_way_round),
		cmocka_unit_test(test_a_fix_before_a_regression),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
