/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <jansson.h>
#include <math.h>

#include "common/file.h"
#include "tests/unit/reports/python.h"
#include "tests/unit/reports/sets.h"

static struct report build_pair(const struct run_set *base, const struct run_set *variant)
{
	struct report_options options = default_options();

	return build(base, &variant, 1, &options);
}

static json_t *load(const char *text)
{
	json_error_t error;
	json_t *root = json_loads(text, JSON_REJECT_DUPLICATES, &error);

	if (!root)
		fail_msg("line %d: %s", error.line, error.text);
	return root;
}

static const char *string_at(const json_t *object, const char *key)
{
	const json_t *value = json_object_get(object, key);

	assert_true(json_is_string(value));
	return json_string_value(value);
}

static double number_at(const json_t *object, const char *key)
{
	const json_t *value = json_object_get(object, key);

	assert_true(json_is_number(value));
	return json_number_value(value);
}

static void expect_null(const json_t *object, const char *key)
{
	const json_t *value = json_object_get(object, key);

	assert_non_null(value);
	assert_true(json_is_null(value));
}

static const json_t *entry_of(const json_t *root, const char *benchmark, const char *variant)
{
	const json_t *series = json_object_get(root, "series");

	for (size_t i = 0; i < json_array_size(series); i++) {
		const json_t *entry = json_array_get(series, i);

		if (!strcmp(string_at(entry, "benchmark"), benchmark) &&
		    !strcmp(string_at(entry, "variant"), variant))
			return entry;
	}
	fail_msg("no entry %s of %s", benchmark, variant);
	return NULL;
}

static void table_of_2013_in_numbers(void **state)
{
	struct run_set base, variant;
	_cleanup_free_ char *text = NULL;
	struct report report;
	const json_t *entry;
	json_t *root;

	(void)state;
	sets_2013(&base, &variant);
	report = build_pair(&base, &variant);
	text = write_report(&report, "json");
	root = load(text);
	assert_string_equal(string_at(root, "format"), "kregress-comparison-1");
	assert_string_equal(string_at(root, "base"), "voluntary");
	assert_int_equal(json_array_size(json_object_get(root, "variants")), 1);
	assert_int_equal(json_array_size(json_object_get(root, "series")), 4);
	assert_int_equal(json_array_size(json_object_get(root, "context")), 0);
	entry = entry_of(root, "tbench", "preempt");
	assert_string_equal(string_at(entry, "params"), "8");
	assert_string_equal(string_at(entry, "metric"), "rate");
	assert_string_equal(string_at(entry, "unit"), "MB/s");
	assert_string_equal(string_at(entry, "better"), "higher");
	assert_string_equal(string_at(entry, "verdict"), "regressed");
	assert_string_equal(string_at(entry, "method"), "welch");
	assert_string_equal(string_at(entry, "finding"),
			    finding_of(&report, "tbench", "8", "rate", 0)->id);
	/* The mail gives .900. */
	assert_true(fabs(number_at(json_object_get(entry, "ratio"), "value") - 0.9004908) < 1e-6);
	assert_true(number_at(json_object_get(entry, "ratio"), "high") < 0.98);
	assert_true(number_at(json_object_get(entry, "base"), "n") == 3);
	assert_string_equal(string_at(json_object_get(entry, "base"), "level"), "boot");
	assert_true(fabs(number_at(json_object_get(entry, "new"), "mean") - 930.903333) < 1e-5);
	assert_true(number_at(entry, "q") < 0.05);
	assert_true(number_at(entry, "boots_needed") == 0);
	json_decref(root);
	report_release(&report);
	run_set_release(&base);
	run_set_release(&variant);
}

static void unknown_values_are_null(void **state)
{
	struct report_options options = default_options();
	struct run_set sets[3];
	const struct run_set *const variants[] = {&sets[1], &sets[2]};
	_cleanup_free_ char *text = NULL;
	struct report report;
	const json_t *entry;
	json_t *root;

	(void)state;
	sets_2005(&sets[0], &sets[1], &sets[2]);
	replace_string(&sets[0].machine, NULL);
	report = build(&sets[0], variants, 2, &options);
	text = write_report(&report, "json");
	root = load(text);
	assert_int_equal(json_array_size(json_object_get(root, "series")), 4);
	entry = entry_of(root, "mmap", "ipipe");
	assert_string_equal(string_at(entry, "verdict"), "inconclusive");
	assert_true(number_at(entry, "boots_needed") >= 2);
	assert_true(fabs(number_at(json_object_get(entry, "ratio"), "value") - 794.0 / 776) < 1e-9);
	expect_null(json_object_get(entry, "ratio"), "low");
	expect_null(json_object_get(entry, "new"), "sd");
	expect_null(entry, "p");
	expect_null(entry, "q");
	expect_null(entry, "problem");
	expect_null(root, "machine");
	json_decref(root);
	report_release(&report);
	for (size_t i = 0; i < ARRAY_SIZE(sets); i++)
		run_set_release(&sets[i]);
}

static void extreme_values_stay_json(void **state)
{
	static const double huge[] = {1e308, 1.1e308, 1.7e308}, tiny[] = {5e-324, 1e-320, 1e-310};
	static const double zero[] = {0, 0, 0}, mixed[] = {-1, 0, 1};
	static const double *const all[] = {huge, tiny, zero, mixed};
	struct run_set base, variant;
	_cleanup_free_ char *text = NULL;
	struct report report;
	json_t *root;

	(void)state;
	set_init(&base, "base", 3);
	set_init(&variant, "new", 3);
	for (size_t i = 0; i < ARRAY_SIZE(all) * ARRAY_SIZE(all); i++) {
		_cleanup_free_ char *params = xasprintf("%zu", i);

		set_add(&base, "x", params, "time", "s", BETTER_LOWER, all[i / 4], 3);
		set_add(&variant, "x", params, "time", "s", BETTER_LOWER, all[i % 4], 3);
	}
	report = build_pair(&base, &variant);
	text = write_report(&report, "json");
	root = load(text);
	assert_int_equal(json_array_size(json_object_get(root, "series")), 16);
	json_decref(root);
	for (const struct report_writer *writer = report_writers; writer->name; writer++) {
		_cleanup_free_ char *document = write_report(&report, writer->name);

		assert_null(strstr(document, "nan"));
		assert_null(strstr(document, "+inf"));
		assert_null(strstr(document, "inf "));
		assert_true(strlen(document) < 200000);
	}
	report_release(&report);
	run_set_release(&base);
	run_set_release(&variant);
}

static const char validate[] =
	"import json, sys\n"
	"def refuse(name): raise ValueError(name)\n"
	"try: import jsonschema\n"
	"except ImportError: sys.exit(77)\n"
	"schema = json.load(open(sys.argv[1]))\n"
	"jsonschema.Draft7Validator.check_schema(schema)\n"
	"document = json.load(open(sys.argv[2]), parse_constant=refuse)\n"
	"valid = jsonschema.Draft7Validator(schema)\n"
	"if list(valid.iter_errors(document)): sys.exit(1)\n"
	"for change in (lambda d: d.pop('series'), lambda d: d.update(format='x'),\n"
	"               lambda d: d['series'][0].update(verdict='slow'),\n"
	"               lambda d: d['series'][0].pop('finding'),\n"
	"               lambda d: d['series'][0]['ratio'].update(value='1')):\n"
	"    broken = json.loads(json.dumps(document))\n"
	"    change(broken)\n"
	"    if not list(valid.iter_errors(broken)): sys.exit(2)\n";

static int validate_report(const char *folder, const struct report *report)
{
	_cleanup_(error_clear) struct error err = {0};
	_cleanup_free_ char *path = path_below(folder, "comparison.json");
	_cleanup_free_ char *text = write_report(report, "json");

	if (file_write(path, text, strlen(text), &err) < 0)
		fail_msg("%s", err.message);
	return run_python(validate, DOCS "/kregress-comparison-1.schema.json", path);
}

static void document_suits_the_published_schema(void **state)
{
	_cleanup_(error_clear) struct error err = {0};
	_cleanup_free_ char *folder = NULL;
	int results[2];

	(void)state;
	assert_int_equal(folder_make_temporary(&folder, &err), 0);
	for (int hostile = 0; hostile < 2; hostile++) {
		struct run_set base, variant;
		struct report report;

		if (hostile)
			sets_hostile(&base, &variant);
		else
			sets_2013(&base, &variant);
		report = build_pair(&base, &variant);
		results[hostile] = validate_report(folder, &report);
		report_release(&report);
		run_set_release(&base);
		run_set_release(&variant);
	}
	assert_int_equal(folder_remove(folder, &err), 0);
	if (results[0] == 77 || results[0] == 127) {
		print_message("skipped: python3 with jsonschema is not installed\n");
		skip();
	}
	assert_int_equal(results[0], 0);
	assert_int_equal(results[1], 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(table_of_2013_in_numbers),
		cmocka_unit_test(unknown_values_are_null),
		cmocka_unit_test(extreme_values_stay_json),
		cmocka_unit_test(document_suits_the_published_schema),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
