/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "tests/unit/reports/sets.h"

static void assert_near(double value, double expected, double tolerance)
{
	if (!(fabs(value - expected) <= tolerance))
		fail_msg("%.17g is not %.17g", value, expected);
}

static const struct report_finding *the_finding(const struct report *report, const char *benchmark)
{
	return finding_of(report, benchmark, "", "time", 0);
}

static struct report build_pair(const struct run_set *base, const struct run_set *variant)
{
	struct report_options options = default_options();

	return build(base, &variant, 1, &options);
}

static char *explain(const struct report *report, const char *benchmark, size_t variant)
{
	struct strbuf text = STRBUF_INIT;

	array_for_each (series, &report->series)
		if (!strcmp(series->benchmark, benchmark))
			report_explain(&text, report, series, &series->findings.items[variant]);
	return strbuf_take(&text);
}

static bool has_note(const struct report *report, const char *part)
{
	array_for_each (note, &report->notes)
		if (strstr(*note, part))
			return true;
	return false;
}

static void table_of_2013(void **state)
{
	static const struct {
		const char *benchmark, *params, *metric;
		double ratio;
		enum verdict verdict;
	} expected[] = {
		/* The mail gives .836, .900, 1.071 and 1.010, cut after three places. */
		{"hackbench", "-l 10000", "time", 1.0717554, VERDICT_REGRESSED},
		{"kbuild", "vmlinux", "time", 1.0106713, VERDICT_EQUIVALENT},
		{"tbench", "8", "rate", 0.9004908, VERDICT_REGRESSED},
		{"vmark", "", "rate", 0.8364423, VERDICT_INCONCLUSIVE},
	};
	struct run_set base, variant;
	struct report report;

	(void)state;
	sets_2013(&base, &variant);
	report = build_pair(&base, &variant);
	assert_int_equal(report.series.count, ARRAY_SIZE(expected));
	for (size_t i = 0; i < ARRAY_SIZE(expected); i++) {
		const struct report_finding *finding = finding_of(
			&report, expected[i].benchmark, expected[i].params, expected[i].metric, 0);

		assert_string_equal(report.series.items[i].benchmark, expected[i].benchmark);
		assert_true(finding->comparison.ratio_known);
		assert_near(finding->comparison.ratio, expected[i].ratio, 1e-6);
		assert_int_equal(finding->comparison.verdict, expected[i].verdict);
		assert_int_equal(finding->base_samples, 3);
		assert_int_equal(finding->samples, 3);
	}
	assert_int_equal(report_count(&report, VERDICT_REGRESSED), 2);
	assert_int_equal(report_count(&report, VERDICT_IMPROVED), 0);
	report_release(&report);
	run_set_release(&base);
	run_set_release(&variant);
}

/* The other way round the same changes are improvements, and just as certain. */
static void improvement_is_reported_alike(void **state)
{
	struct run_set base, variant;
	struct report report;

	(void)state;
	sets_2013(&base, &variant);
	report = build_pair(&variant, &base);
	assert_int_equal(report_count(&report, VERDICT_IMPROVED), 2);
	assert_int_equal(report_count(&report, VERDICT_REGRESSED), 0);
	report_release(&report);
	run_set_release(&base);
	run_set_release(&variant);
}

static void one_boot_is_never_a_verdict(void **state)
{
	static const struct {
		const char *benchmark;
		size_t variant;
		double change_percent;
	} expected[] = {{"fork", 0, -6}, {"mmap", 0, -19}, {"fork", 1, 4}, {"mmap", 1, 2}};
	struct report_options options = default_options();
	struct run_set sets[3];
	const struct run_set *const variants[] = {&sets[1], &sets[2]};
	struct report report;

	(void)state;
	sets_2005(&sets[0], &sets[1], &sets[2]);
	report = build(&sets[0], variants, 2, &options);
	for (size_t i = 0; i < ARRAY_SIZE(expected); i++) {
		const struct report_finding *finding =
			finding_of(&report, expected[i].benchmark, "", "time", expected[i].variant);
		_cleanup_free_ char *text =
			explain(&report, expected[i].benchmark, expected[i].variant);

		assert_near((finding->comparison.ratio - 1) * 100, expected[i].change_percent, 0.5);
		assert_int_equal(finding->comparison.verdict, VERDICT_INCONCLUSIVE);
		assert_true(finding->comparison.boots_needed >= 2);
		assert_non_null(strstr(text, "boots a side would settle it"));
	}
	assert_int_equal(report_count(&report, VERDICT_INCONCLUSIVE), 4);
	assert_true(has_note(&report, "ipipe: with one boot on a side"));
	assert_true(has_note(&report, "counts as a boot of its own"));
	report_release(&report);
	for (size_t i = 0; i < ARRAY_SIZE(sets); i++)
		run_set_release(&sets[i]);
}

/* Iterations within a boot are reduced, those of failed boots count, empty boots do not. */
static void boots_are_the_replicates(void **state)
{
	static const double values[] = {1, 2, 3, 4};
	struct run_set base, variant;
	struct series *series;
	struct report report;
	const struct report_finding *finding;

	(void)state;
	set_init(&base, "base", 4);
	set_init(&variant, "new", 4);
	set_add(&base, "a", "", "time", "ns/op", BETTER_LOWER, values, 4);
	series = run_set_series(&variant, "a", "", "time", "ns/op", BETTER_LOWER);
	for (uint32_t i = 0; i < 5; i++) {
		series_add_sample(series, 0, 0, i, 10 + i);
		series_add_sample(series, 2, 0, i, 20 + 2 * i);
	}
	series_add_sample(series, 3, 0, 0, 7);
	series_sort(series);
	set_fail_boot(&variant, 2, "panic", "tail of the console");
	set_fail_boot(&variant, 1, "did not start", NULL);
	report = build_pair(&base, &variant);
	finding = the_finding(&report, "a");
	assert_int_equal(finding->comparison.base.n, 4);
	assert_int_equal(finding->comparison.candidate.n, 3);
	assert_int_equal(finding->samples, 11);
	assert_int_equal(finding->values.count, 3);
	assert_near(finding->values.items[0], 12, 0);
	assert_near(finding->values.items[1], 24, 0);
	assert_near(finding->values.items[2], 7, 0);
	assert_int_equal(report.variants.items[0].boots_ok, 2);
	assert_int_equal(report.variants.items[0].boots_failed, 2);
	assert_string_equal(report.variants.items[0].failures.items[0],
			    "boot 1 (slot 2): did not start");
	assert_string_equal(report.variants.items[0].failures.items[1],
			    "boot 2 (slot 4): panic\ntail of the console");
	report_release(&report);
	run_set_release(&base);
	run_set_release(&variant);
}

/* Disturbances only add instructions: a boot's value is its smallest sample. */
static void instructions_are_compared_exactly(void **state)
{
	struct run_set base, variant;
	struct report report;
	const struct report_finding *finding;

	(void)state;
	set_init(&base, "base", 2);
	set_init(&variant, "new", 2);
	for (uint32_t boot = 0; boot < 2; boot++) {
		struct series *old =
			run_set_series(&base, "a", "", "insn", "insn/op", BETTER_LOWER);
		struct series *new =
			run_set_series(&variant, "a", "", "insn", "insn/op", BETTER_LOWER);

		series_add_sample(old, boot, 0, 0, 900);
		series_add_sample(old, boot, 0, 1, 100);
		series_add_sample(new, boot, 0, 0, 103);
		series_add_sample(new, boot, 0, 1, 400 + boot);
	}
	report = build_pair(&base, &variant);
	finding = finding_of(&report, "a", "", "insn", 0);
	assert_int_equal(finding->comparison.method, METHOD_EXACT);
	assert_int_equal(finding->comparison.verdict, VERDICT_REGRESSED);
	assert_near(finding->comparison.ratio, 1.03, 1e-12);
	report_release(&report);
	run_set_release(&base);
	run_set_release(&variant);
}

static const double three[] = {10.0, 10.1, 10.05};

static void add_time(struct run_set *set, const char *benchmark)
{
	set_add(set, benchmark, "", "time", "ns/op", BETTER_LOWER, three, 3);
}

static void expect_problem(const struct report *report, const char *benchmark,
			   enum finding_problem problem, enum verdict verdict, const char *part)
{
	const struct report_finding *finding = the_finding(report, benchmark);
	_cleanup_free_ char *text = explain(report, benchmark, 0);

	assert_int_equal(finding->problem, problem);
	assert_int_equal(finding->comparison.verdict, verdict);
	assert_non_null(finding->problem_text);
	assert_non_null(strstr(finding->problem_text, part));
	assert_non_null(strstr(text, part));
	assert_false(finding->comparison.p_known);
}

static void every_problem_has_its_finding(void **state)
{
	struct run_set base, variant;
	struct report report;

	(void)state;
	set_init(&base, "base", 3);
	set_init(&variant, "new", 3);
	add_time(&base, "common");
	add_time(&variant, "common");
	add_time(&base, "crash");
	boot_add_failure(&variant.boots.items[1], "crash", "", "killed by signal 11", false);
	add_time(&base, "gone");
	add_time(&variant, "fresh");
	add_time(&base, "refused");
	boot_add_failure(&variant.boots.items[0], "refused", "", "symbol not exported", true);
	add_time(&base, "unit");
	set_add(&variant, "unit", "", "time", "s", BETTER_LOWER, three, 3);
	add_time(&variant, "basefail");
	boot_add_failure(&base.boots.items[0], "basefail", "", "timed out", false);
	boot_add_failure(&base.boots.items[0], "nowhere", "", "timed out", false);
	boot_add_failure(&variant.boots.items[0], "nowhere", "", "timed out twice", false);
	boot_add_failure(&base.boots.items[0], "neither", "", "not offered", true);
	boot_add_failure(&variant.boots.items[0], "neither", "", "not offered", true);
	report = build_pair(&base, &variant);
	assert_int_equal(the_finding(&report, "common")->problem, PROBLEM_NONE);
	expect_problem(&report, "crash", PROBLEM_CRASH, VERDICT_FAILED, "killed by signal 11");
	expect_problem(&report, "gone", PROBLEM_MISSING, VERDICT_FAILED, "no samples");
	expect_problem(&report, "fresh", PROBLEM_NEW, VERDICT_INCONCLUSIVE, "nothing to compare");
	expect_problem(&report, "refused", PROBLEM_UNAVAILABLE, VERDICT_INCONCLUSIVE,
		       "symbol not exported");
	expect_problem(&report, "unit", PROBLEM_MIXED, VERDICT_FAILED, "'s'");
	expect_problem(&report, "basefail", PROBLEM_NEW, VERDICT_INCONCLUSIVE, "timed out");
	assert_int_equal(
		finding_of(&report, "nowhere", "", REPORT_METRIC_RUN, 0)->comparison.verdict,
		VERDICT_FAILED);
	assert_int_equal(report.series.count, 8);
	assert_true(has_note(&report, "neither is unavailable: not offered"));
	assert_int_equal(the_finding(&report, "gone")->comparison.base.n, 3);
	assert_int_equal(the_finding(&report, "fresh")->comparison.candidate.n, 3);
	report_release(&report);
	run_set_release(&base);
	run_set_release(&variant);
}

static void all_boots_failed(void **state)
{
	struct run_set base, variant;
	struct report report;

	(void)state;
	set_init(&base, "base", 2);
	set_init(&variant, "new", 2);
	set_add(&base, "a", "", "time", "ns/op", BETTER_LOWER, three, 2);
	set_fail_boot(&variant, 0, "kernel panic", NULL);
	set_fail_boot(&variant, 1, "kernel panic again", NULL);
	report = build_pair(&base, &variant);
	expect_problem(&report, "a", PROBLEM_CRASH, VERDICT_FAILED,
		       "every boot of new failed: kernel panic");
	report_release(&report);
	run_set_release(&base);
	run_set_release(&variant);
}

/* The harness's own loop neither counts nor takes part in the false discovery rate. */
static void context_is_not_judged(void **state)
{
	static const double slow[] = {20.0, 20.1, 20.05};
	struct run_set base, variant;
	struct report report;
	double q;

	(void)state;
	sets_2013(&base, &variant);
	report = build_pair(&base, &variant);
	q = finding_of(&report, "vmark", "", "rate", 0)->comparison.q;
	report_release(&report);
	for (int i = 0; i < 20; i++) {
		_cleanup_free_ char *params = xasprintf("for=lock.%d", i);

		set_add(&base, "loop.empty", params, "time", "ns/op", BETTER_LOWER, three, 3);
		set_add(&variant, "loop.empty", params, "time", "ns/op", BETTER_LOWER, slow, 3);
	}
	set_add(&base, "loop.empty", "for=gone", "time", "ns/op", BETTER_LOWER, three, 3);
	report = build_pair(&base, &variant);
	assert_near(finding_of(&report, "vmark", "", "rate", 0)->comparison.q, q, 0);
	assert_int_equal(report_count(&report, VERDICT_REGRESSED), 2);
	assert_int_equal(report_count(&report, VERDICT_FAILED), 0);
	assert_near(finding_of(&report, "loop.empty", "for=lock.3", "time", 0)->comparison.ratio, 2,
		    0.01);
	report_release(&report);
	run_set_release(&base);
	run_set_release(&variant);
}

static void context_alone_is_nothing_to_compare(void **state)
{
	_cleanup_(error_clear) struct error err = {0};
	struct report_options options = default_options();
	struct run_set base, variant;
	const struct run_set *pointer = &variant;
	struct report report;

	(void)state;
	set_init(&base, "base", 3);
	set_init(&variant, "new", 3);
	set_add(&base, "loop.empty", "for=a", "time", "ns/op", BETTER_LOWER, three, 3);
	set_add(&variant, "loop.empty", "for=a", "time", "ns/op", BETTER_LOWER, three, 3);
	add_time(&base, "a");
	add_time(&variant, "b");
	assert_int_equal(report_build(&base, &pointer, 1, &options, &report, &err), -1);
	assert_int_equal(err.kind, ERROR_DATA);
	assert_non_null(strstr(err.message, "base: loop.empty [for=a], a"));
	assert_non_null(strstr(err.message, "new: loop.empty [for=a], b"));
	assert_non_null(err.hint);
	run_set_release(&base);
	run_set_release(&variant);
}

static void boots_that_never_came_up_are_reported(void **state)
{
	_cleanup_(error_clear) struct error err = {0};
	struct report_options options = default_options();
	struct run_set base, variant;
	const struct run_set *pointer = &variant;
	struct report report;

	(void)state;
	set_init(&base, "base", 2);
	set_init(&variant, "new", 0);
	set_fail_boot(&base, 1, "no init found", NULL);
	assert_int_equal(report_build(&base, &pointer, 1, &options, &report, &err), 0);
	assert_int_equal(report.series.count, 0);
	assert_int_equal(report.base.boots_failed, 1);
	assert_non_null(strstr(report.base.failures.items[0], "no init found"));
	report_release(&report);
	run_set_release(&base);
	run_set_release(&variant);
}

static void last_matching_limit_wins(void **state)
{
	static const struct report_limit limits[] = {
		{(char *)(uintptr_t) "*", 0.5},		{(char *)(uintptr_t) "hackbench [[]*", 0.3},
		{(char *)(uintptr_t) "tbench", 0.4},	{(char *)(uintptr_t) "tbench[8]", 0.01},
		{(char *)(uintptr_t) "[kq]build", 0.2},
	};
	struct report_options options = default_options();
	struct run_set base, variant;
	const struct run_set *pointer = &variant;
	struct report report;

	(void)state;
	options.limits = limits;
	options.limit_count = ARRAY_SIZE(limits);
	sets_2013(&base, &variant);
	report = build(&base, &pointer, 1, &options);
	assert_near(finding_of(&report, "vmark", "", "rate", 0)->limit_frac, 0.5, 0);
	assert_near(finding_of(&report, "hackbench", "-l 10000", "time", 0)->limit_frac, 0.3, 0);
	assert_near(finding_of(&report, "tbench", "8", "rate", 0)->limit_frac, 0.01, 0);
	assert_near(finding_of(&report, "kbuild", "vmlinux", "time", 0)->limit_frac, 0.2, 0);
	assert_int_equal(report_count(&report, VERDICT_REGRESSED), 1);
	assert_near(report.limit_frac, 0.02, 0);
	report_release(&report);
	run_set_release(&base);
	run_set_release(&variant);
}

static char *id_of(const struct run_set *base, const struct run_set *variant)
{
	struct report report = build_pair(base, variant);
	char *id = xstrdup(finding_of(&report, "tbench", "8", "rate", 0)->id);

	report_release(&report);
	return id;
}

/* The id outlives new samples and set ids; another change, machine or series is another id. */
static void finding_ids_are_stable(void **state)
{
	struct run_set base, variant;
	_cleanup_free_ char *id = NULL, *again = NULL, *swapped = NULL, *elsewhere = NULL;
	struct report report;

	(void)state;
	sets_2013(&base, &variant);
	id = id_of(&base, &variant);
	assert_int_equal(strlen(id), 16);
	assert_int_equal(strspn(id, "0123456789abcdef"), 16);
	swapped = id_of(&variant, &base);
	assert_string_not_equal(id, swapped);
	replace_string(&variant.id, "another");
	variant.series.items[1].samples.items[0].value *= 1.1;
	again = id_of(&base, &variant);
	assert_string_equal(id, again);
	report = build_pair(&base, &variant);
	assert_string_not_equal(report.series.items[0].findings.items[0].id,
				report.series.items[1].findings.items[0].id);
	report_release(&report);
	replace_string(&base.machine, "arm64");
	elsewhere = id_of(&base, &variant);
	assert_string_not_equal(id, elsewhere);
	run_set_release(&base);
	run_set_release(&variant);
}

static void other_machine_is_a_warning(void **state)
{
	struct run_set base, variant;
	struct report report;

	(void)state;
	sets_2013(&base, &variant);
	report = build_pair(&base, &variant);
	assert_false(has_note(&report, "warning"));
	assert_true(has_note(&report, "interleaved with the base's, schedule seed 1844674407370"));
	report_release(&report);
	environment_set(&base.boots.items[0].environment, "switch.changes", "20");
	environment_set(&variant.boots.items[0].environment, "switch.changes", "20");
	report = build_pair(&base, &variant);
	assert_true(has_note(&report, "switched to and fro with the base within the same boots"));
	report_release(&report);
	replace_string(&variant.machine, "arm64");
	replace_string(&variant.collection, "c2");
	report = build_pair(&base, &variant);
	assert_true(has_note(&report, "warning: preempt ran on machine class 'arm64'"));
	assert_true(has_note(&report, "collected apart"));
	report_release(&report);
	run_set_release(&base);
	run_set_release(&variant);
}

static void same_names_are_told_apart(void **state)
{
	struct run_set base, variant;
	struct report report;

	(void)state;
	sets_2013(&base, &variant);
	replace_string(&variant.variant, "voluntary");
	replace_string(&variant.id, "fedcba9876543210");
	report = build_pair(&base, &variant);
	assert_string_equal(report.base.name, "voluntary@01234567");
	assert_string_equal(report.variants.items[0].name, "voluntary@fedcba98");
	report_release(&report);
	run_set_release(&base);
	run_set_release(&variant);
}

/* A boot's time is shared by its series: the sum over all is the time spent. */
static void durations_add_up(void **state)
{
	struct run_set base, variant;
	struct report report;
	double total_s = 0;

	(void)state;
	sets_2013(&base, &variant);
	report = build_pair(&base, &variant);
	array_for_each (series, &report.series)
		total_s += series->findings.items[0].duration_s;
	assert_near(total_s, 6 * 12, 1e-9);
	assert_string_equal(report.created_at, "2026-11-30T20:33:07");
	assert_string_equal(report.variants.items[0].kernel, "6.1.0-57-amd64");
	report_release(&report);
	run_set_release(&base);
	run_set_release(&variant);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(table_of_2013),
		cmocka_unit_test(improvement_is_reported_alike),
		cmocka_unit_test(one_boot_is_never_a_verdict),
		cmocka_unit_test(boots_are_the_replicates),
		cmocka_unit_test(instructions_are_compared_exactly),
		cmocka_unit_test(every_problem_has_its_finding),
		cmocka_unit_test(all_boots_failed),
		cmocka_unit_test(context_is_not_judged),
		cmocka_unit_test(context_alone_is_nothing_to_compare),
		cmocka_unit_test(boots_that_never_came_up_are_reported),
		cmocka_unit_test(last_matching_limit_wins),
		cmocka_unit_test(finding_ids_are_stable),
		cmocka_unit_test(other_machine_is_a_warning),
		cmocka_unit_test(same_names_are_told_apart),
		cmocka_unit_test(durations_add_up),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
