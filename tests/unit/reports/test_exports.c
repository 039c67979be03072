/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <jansson.h>

#include "common/text.h"
#include "reports/check/check.h"
#include "reports/export_names.h"
#include "tests/unit/reports/sets.h"

static const char *const json_formats[] = {"json",	    "kcidb",	      "squad-metrics",
					   "squad-tests",   "squad-metadata", "github-smaller",
					   "github-bigger", "bencher"};

static struct report build_pair(const struct run_set *base, const struct run_set *variant)
{
	struct report_options options = default_options();

	return build(base, &variant, 1, &options);
}

static json_t *write_json(const struct report *report, const char *format)
{
	_cleanup_free_ char *text = write_report(report, format);
	json_error_t cause;
	json_t *root = json_loads(text, JSON_REJECT_DUPLICATES, &cause);

	if (!root)
		fail_msg("%s: line %d: %s", format, cause.line, cause.text);
	return root;
}

static void check_is_content(const char *text, const char *format)
{
	_cleanup_(error_clear) struct error err = {0};
	struct check_result result;

	if (report_check(text, strlen(text), NULL, &result, &err) < 0)
		fail_msg("%s", err.message);
	assert_string_equal(result.format, format);
	array_for_each (remark, &result.remarks)
		if (remark->level == REMARK_ERROR)
			fail_msg("%s: line %ld: %s", format, remark->line, remark->text);
	check_result_release(&result);
}

static void hostile_text_suits_every_format(void **state)
{
	static const char *const checked[] = {"json", "kcidb", "prometheus", "benchfmt"};
	struct run_set base, variant;
	struct report report;

	(void)state;
	sets_hostile(&base, &variant);
	report = build_pair(&base, &variant);
	for (size_t i = 0; i < ARRAY_SIZE(json_formats); i++)
		json_decref(write_json(&report, json_formats[i]));
	for (size_t i = 0; i < ARRAY_SIZE(checked); i++) {
		_cleanup_free_ char *text = write_report(&report, checked[i]);

		assert_int_equal(text_utf8_error(text, strlen(text)), strlen(text));
		assert_null(strchr(text, '\033'));
		check_is_content(text, checked[i]);
	}
	report_release(&report);
	run_set_release(&base);
	run_set_release(&variant);
}

/* Seven hostile series have values, two of the base only; none is merged with another. */
static void colliding_names_stay_apart(void **state)
{
	struct run_set base, variant;
	struct report report;
	json_t *tests, *values;

	(void)state;
	sets_hostile(&base, &variant);
	report = build_pair(&base, &variant);
	tests = write_json(&report, "squad-tests");
	values = write_json(&report, "squad-metrics");
	assert_int_equal(json_object_size(tests), 9);
	assert_int_equal(json_object_size(values), 7);
	assert_int_equal(report_left_out(&report, "squad-metrics"), 2);
	assert_int_equal(report_left_out(&report, "squad-tests"), 0);
	json_decref(tests);
	json_decref(values);
	tests = write_json(&report, "github-smaller");
	assert_int_equal(json_array_size(tests), 7);
	json_decref(tests);
	tests = write_json(&report, "bencher");
	assert_int_equal(json_object_size(tests), 7);
	json_decref(tests);
	report_release(&report);
	run_set_release(&base);
	run_set_release(&variant);
}

static const char *member(const json_t *root, const char *key, const char *value, const char *other)
{
	const json_t *entry;
	size_t index;

	json_array_foreach (root, index, entry)
		if (!strcmp(json_string_value(json_object_get(entry, key)), value))
			return json_string_value(json_object_get(entry, other));
	fail_msg("no entry with %s '%s'", key, value);
	return NULL;
}

static void kcidb_maps_verdicts_and_problems(void **state)
{
	static const double values[] = {1, 1.01, 1.02}, slow[] = {2, 2.01, 2.02};
	struct run_set base, variant;
	struct report report;
	json_t *root, *tests;

	(void)state;
	set_init(&base, "base", 3);
	set_init(&variant, "new", 3);
	set_add(&base, "slow", "a=1,b", "time", "s", BETTER_LOWER, values, 3);
	set_add(&variant, "slow", "a=1,b", "time", "s", BETTER_LOWER, slow, 3);
	set_add(&base, "better", "", "rate", "1/s", BETTER_HIGHER, values, 3);
	set_add(&variant, "better", "", "rate", "1/s", BETTER_HIGHER, slow, 3);
	set_add(&base, "crash", "", "time", "s", BETTER_LOWER, values, 3);
	boot_add_failure(&variant.boots.items[0], "crash", "", "hang", false);
	set_add(&base, "gone", "", "time", "s", BETTER_LOWER, values, 3);
	set_add(&variant, "fresh", "", "time", "s", BETTER_LOWER, values, 3);
	set_add(&base, "refused", "", "time", "s", BETTER_LOWER, values, 3);
	boot_add_failure(&variant.boots.items[0], "refused", "", "not exported", true);
	report = build_pair(&base, &variant);
	root = write_json(&report, "kcidb");
	tests = json_object_get(root, "tests");
	assert_string_equal(member(tests, "path", "kregress.slow.time_a_1_b", "status"), "FAIL");
	assert_string_equal(member(tests, "path", "kregress.better.rate", "status"), "PASS");
	assert_string_equal(member(tests, "path", "kregress.crash.time", "status"), "ERROR");
	assert_string_equal(member(tests, "path", "kregress.gone.time", "status"), "MISS");
	assert_string_equal(member(tests, "path", "kregress.fresh.time", "status"), "DONE");
	assert_string_equal(member(tests, "path", "kregress.refused.time", "status"), "SKIP");
	assert_string_equal(member(tests, "path", "kregress.slow.time_a_1_b", "start_time"),
			    "2026-11-30T20:33:07+00:00");
	assert_null(json_object_get(root, "issues"));
	json_decref(root);
	report_release(&report);
	run_set_release(&base);
	run_set_release(&variant);
}

static void kcidb_tells_of_the_culprit(void **state)
{
	struct run_set base, variant;
	struct report report;
	json_t *root;

	(void)state;
	sets_2013(&base, &variant);
	environment_set(&variant.boots.items[0].environment, "kernel.commit",
			"85e511df3cec46021024176672a748008ed135bf");
	report = build_pair(&base, &variant);
	report.presentation.origin = "lab";
	report.presentation.culprit = (struct culprit){.commit = "85e511df3cec",
						       .subject = "sched/eevdf: shorter slices",
						       .probability_frac = 0.97};
	root = write_json(&report, "kcidb");
	assert_int_equal(json_array_size(json_object_get(root, "issues")), 1);
	/* tbench and hackbench regressed. */
	assert_int_equal(json_array_size(json_object_get(root, "incidents")), 2);
	assert_int_equal(json_array_size(json_object_get(root, "checkouts")), 1);
	assert_string_equal(member(json_object_get(root, "builds"), "origin", "lab", "checkout_id"),
			    "lab:85e511df3cec46021024176672a748008ed135bf");
	json_decref(root);
	report_release(&report);
	run_set_release(&base);
	run_set_release(&variant);
}

static void benchfmt_has_a_line_per_boot(void **state)
{
	struct run_set base, variant;
	struct report report;
	_cleanup_free_ char *text = NULL;

	(void)state;
	sets_2013(&base, &variant);
	report = build_pair(&base, &variant);
	text = write_report(&report, "benchfmt");
	assert_non_null(strstr(text, "Unit MB/s better=higher\n"));
	assert_non_null(strstr(text, "\nvariant: preempt\n"));
	assert_non_null(strstr(text, "\nBenchmarkTbench/8/metric=rate 1 1027.96 MB/s\n"));
	assert_non_null(strstr(text, "\nBenchmarkHackbench/-l_10000/metric=time 1 25.065 s\n"));
	report_release(&report);
	run_set_release(&base);
	run_set_release(&variant);
}

static void prometheus_escapes_labels(void **state)
{
	static const double values[] = {1, 1.5, 1.25};
	struct run_set base, variant;
	struct report report;
	_cleanup_free_ char *text = NULL;

	(void)state;
	set_init(&base, "b\\", 3);
	set_init(&variant, "n\"ew\n", 3);
	set_add(&base, "a", "", "time", "s", BETTER_LOWER, values, 3);
	set_add(&variant, "a", "", "time", "s", BETTER_LOWER, values, 3);
	report = build_pair(&base, &variant);
	text = write_report(&report, "prometheus");
	assert_non_null(strstr(text, "base=\"b\\\\\",variant=\"n\\\"ew\\\\x0a\""));
	assert_non_null(strstr(text, "} 1.25\n"));
	check_is_content(text, "prometheus");
	report_release(&report);
	run_set_release(&base);
	run_set_release(&variant);
}

static void directions_are_two_documents(void **state)
{
	struct run_set base, variant;
	struct report report;
	json_t *smaller, *bigger, *bencher;

	(void)state;
	sets_2013(&base, &variant);
	report = build_pair(&base, &variant);
	smaller = write_json(&report, "github-smaller");
	bigger = write_json(&report, "github-bigger");
	bencher = write_json(&report, "bencher");
	assert_string_equal(member(smaller, "name", "hackbench [-l 10000] time", "unit"), "s");
	assert_string_equal(member(bigger, "name", "tbench [8] rate", "unit"), "MB/s");
	assert_int_equal(json_array_size(smaller) + json_array_size(bigger), 4);
	assert_int_equal(report_left_out(&report, "github-smaller"), 2);
	/* The smallest of 929.06, 935.01, 928.64. */
	assert_true(
		fabs(json_real_value(json_object_get(
			     json_object_get(json_object_get(bencher, "tbench [8]"), "rate (MB/s)"),
			     "lower_value")) -
		     928.64) < 1e-9);
	json_decref(smaller);
	json_decref(bigger);
	json_decref(bencher);
	report_release(&report);
	run_set_release(&base);
	run_set_release(&variant);
}

static void names_are_cleaned_and_claimed(void **state)
{
	const struct report_finding finding = {.id = (char *)(uintptr_t) "0123456789abcdef"};
	struct export_names names = {0};
	_cleanup_free_ char *clean = export_clean("a/b \xc3\xa4", "/");
	_cleanup_free_ char *empty = export_clean("", "");
	_cleanup_free_ char *first = export_name_claim(&names, "x", &finding);
	_cleanup_free_ char *second = export_name_claim(&names, "x", &finding);
	_cleanup_free_ char *third = export_name_claim(&names, "x-0123456789abcdef", &finding);

	(void)state;
	assert_string_equal(clean, "a/b___");
	assert_string_equal(empty, "unnamed");
	assert_string_equal(first, "x");
	assert_string_equal(second, "x-0123456789abcdef");
	assert_string_equal(third, "x-0123456789abcdef-0123456789abcdef");
	export_names_release(&names);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(hostile_text_suits_every_format),
		cmocka_unit_test(colliding_names_stay_apart),
		cmocka_unit_test(kcidb_maps_verdicts_and_problems),
		cmocka_unit_test(kcidb_tells_of_the_culprit),
		cmocka_unit_test(benchfmt_has_a_line_per_boot),
		cmocka_unit_test(prometheus_escapes_labels),
		cmocka_unit_test(directions_are_two_documents),
		cmocka_unit_test(names_are_cleaned_and_claimed),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
