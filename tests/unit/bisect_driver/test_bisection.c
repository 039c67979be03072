/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Every record means the same when it is read again. */
#include "tests/unit/bisect_driver/driver_rig.h"

static git_oid numbered_id(int number)
{
	git_oid id = {{0}};

	id.id[0] = (unsigned char)number;
	return id;
}

/* Applies the record (taking it) after one start. */
static void apply(struct bisection *bisection, json_t *record)
{
	_cleanup_(error_clear) struct error err = {0};

	if (!bisection->started) {
		struct bisect_options options = {.steps = 1, .prior_nothing = -1};
		json_t *start;

		options.repository = (char *)"/somewhere";
		start = record_start(&options);
		assert_int_equal(bisection_apply(bisection, start, &err), 0);
		json_decref(start);
	}
	assert_int_equal(bisection_apply(bisection, record, &err), 0);
	json_decref(record);
}

static void test_start(void **state)
{
	_cleanup_(bisection_release) struct bisection bisection = {0};
	_cleanup_(error_clear) struct error err = {0};
	struct bisect_options options = {
		.repository = (char *)"/a",
		.term_bad = (char *)"slow",
		.term_good = (char *)"fast",
		.first_parent = true,
		.flaky = true,
		.steps = 2,
		.bench = (char *)"b [x=1]",
		.metric = (char *)"time",
		.prior_nothing = 0.25,
		.has_better = true,
		.better = BETTER_HIGHER,
		.seed = UINT64_MAX,
	};
	json_t *record;

	(void)state;
	string_list_add(&options.paths, "kernel/sched");
	record = record_start(&options);
	string_list_release(&options.paths);
	assert_int_equal(bisection_apply(&bisection, record, &err), 0);
	assert_string_equal(bisection.options.repository, "/a");
	assert_string_equal(bisection_term(&bisection, MARK_BAD), "slow");
	assert_string_equal(bisection_term(&bisection, MARK_GOOD), "fast");
	assert_true(bisection.options.first_parent && bisection.options.flaky);
	assert_int_equal(bisection.options.steps, 2);
	assert_string_equal(bisection.options.bench, "b [x=1]");
	assert_true(bisection.options.prior_nothing == 0.25);
	assert_int_equal(bisection.options.better, BETTER_HIGHER);
	assert_true(bisection.options.seed == UINT64_MAX);
	assert_int_equal(bisection.options.paths.count, 1);
	assert_int_equal(bisection_apply(&bisection, record, &err), -1);
	json_decref(record);
}

static void test_evidence(void **state)
{
	_cleanup_(bisection_release) struct bisection bisection = {0};
	struct observation observation = {
		.commit = numbered_id(3),
		.value = 1.0 / 3,
		.purpose = PURPOSE_PROOF,
		.run_set_id = (char *)"abc",
		.duration_s = 0.5,
	};

	(void)state;
	apply(&bisection, record_answer("found", "2026-01-01T00:00:00Z", NULL));
	assert_string_equal(bisection.answer, "found");
	apply(&bisection, record_evidence(&observation));
	assert_null(bisection.answer);
	observation.state = MEASURED_FAIL;
	apply(&bisection, record_evidence(&observation));
	assert_true(bisection.observations.items[0].value == 1.0 / 3);
	assert_int_equal(bisection.observations.items[0].purpose, PURPOSE_PROOF);
	assert_string_equal(bisection.observations.items[0].run_set_id, "abc");
	assert_int_equal(bisection.observations.items[1].state, MEASURED_FAIL);
}

static void test_marks_fix_the_terms(void **state)
{
	_cleanup_(bisection_release) struct bisection bisection = {0};
	struct mark mark = {.commit = numbered_id(1), .kind = MARK_SKIP};

	(void)state;
	mark.reason = (char *)"bytes \xff\x01";
	apply(&bisection, record_mark(&mark));
	assert_string_equal(bisection_term(&bisection, MARK_BAD), "bad");
	assert_null(bisection.options.term_bad);
	assert_string_equal(bisection.marks.items[0].reason, "bytes \\xff\\x01");
	mark = (struct mark){.commit = numbered_id(2), .kind = MARK_GOOD, .word = (char *)"old"};
	apply(&bisection, record_mark(&mark));
	assert_string_equal(bisection_term(&bisection, MARK_BAD), "new");
	assert_string_equal(bisection_term(&bisection, MARK_GOOD), "old");
}

static void test_build_and_proof(void **state)
{
	_cleanup_(bisection_release) struct bisection bisection = {0};
	struct build_note build = {
		.commit = numbered_id(1), .identity = (char *)"i", .cached = true};
	struct proof proof = {
		.culprit = numbered_id(1),
		.base = numbered_id(2),
		.candidate = numbered_id(1),
		.done = true,
		.confirmed = true,
		.verdict = (char *)"regressed",
		.count = 6,
		.ratio = 1.04,
		.ratio_low = 1.03,
		.ratio_high = 1.05,
		.p = 0.001,
	};
	const struct proof *read;
	git_oid other = numbered_id(9);

	(void)state;
	apply(&bisection, record_build(&build));
	assert_string_equal(bisection_build(&bisection, &build.commit)->identity, "i");
	assert_null(bisection_build(&bisection, &other));
	apply(&bisection, record_proof(&proof));
	read = bisection_proof(&bisection, &proof.culprit, false);
	assert_true(read->confirmed && read->count == 6 && read->ratio_high == 1.05);
	assert_null(bisection_proof(&bisection, &proof.culprit, true));
}

static void refuse(const char *text)
{
	_cleanup_(bisection_release) struct bisection bisection = {0};
	_cleanup_(error_clear) struct error err = {0};
	json_t *record = json_loads(text, 0, NULL);

	assert_non_null(record);
	apply(&bisection, record_note("x"));
	if (bisection_apply(&bisection, record, &err) != -1)
		fail_msg("taken: %s", text);
	assert_int_equal(err.kind, ERROR_DATA);
	json_decref(record);
}

static void test_what_is_no_record(void **state)
{
	_cleanup_(bisection_release) struct bisection bisection = {0};
	_cleanup_(error_clear) struct error err = {0};
	json_t *note = record_note("before any start");

	(void)state;
	assert_int_equal(bisection_apply(&bisection, note, &err), -1);
	json_decref(note);
	refuse("{}");
	refuse("{\"type\":\"riddle\"}");
	refuse("{\"type\":\"mark\",\"kind\":\"good\"}");
	refuse("{\"type\":\"mark\",\"kind\":\"ugly\","
	       "\"commit\":\"0123456789012345678901234567890123456789\"}");
	refuse("{\"type\":\"evidence\",\"purpose\":\"search\",\"value\":1,\"commit\":\"12\"}");
	refuse("{\"type\":\"evidence\",\"purpose\":\"search\","
	       "\"commit\":\"0123456789012345678901234567890123456789\"}");
	refuse("{\"type\":\"measures\",\"better\":\"sideways\"}");
	refuse("{\"type\":\"proof\",\"of\":\"culprit\",\"done\":true,"
	       "\"culprit\":\"0123456789012345678901234567890123456789\"}");
	refuse("{\"type\":\"answer\"}");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_start),
		cmocka_unit_test(test_evidence),
		cmocka_unit_test(test_marks_fix_the_terms),
		cmocka_unit_test(test_build_and_proof),
		cmocka_unit_test(test_what_is_no_record),
	};

	git_libgit2_init();
	return cmocka_run_group_tests(tests, NULL, NULL) || git_libgit2_shutdown();
}
