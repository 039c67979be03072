/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/unit/import/import_test.h"

#include "collector/import/measure.h"

struct label_case {
	const char *text, *brackets;
	const char *benchmark, *params, *unit, *better;
};

static void expect_label(const struct label_case *c)
{
	_cleanup_(import_label_release) struct import_label label = {0};
	_cleanup_(error_clear) struct error err = {0};

	assert_int_equal(import_label_parse(&label, c->text, c->brackets, &err), 0);
	assert_string_equal(label.benchmark, c->benchmark);
	assert_string_equal(label.params, c->params);
	assert_string_equal(label.unit ? label.unit : "none", c->unit ? c->unit : "none");
	assert_int_equal(label.has_better, c->better != NULL);
	if (c->better)
		assert_string_equal(better_name(label.better), c->better);
}

static void test_labels(void **state)
{
	static const struct label_case cases[] = {
		{"vmark", NULL, "vmark", "", NULL, NULL},
		{"tbench 8", "MB/s, higher", "tbench", "8", "MB/s", "higher"},
		{"tbench 8, MB/s", NULL, "tbench", "8", "MB/s", NULL},
		{"tbench 8, higher is better", NULL, "tbench", "8", NULL, "higher"},
		{"hackbench -l 10000", "s", "hackbench", "-l 10000", "s", NULL},
		{"sched.hackbench", "groups=4,threads=2, s", "sched.hackbench",
		 "groups=4,threads=2", "s", NULL},
		{"tbench", "8", "tbench", "8", NULL, NULL},
		{"schbench -m 2, -t 4", NULL, "schbench", "-m 2, -t 4", NULL, NULL},
		{"fork+exit", "", "fork_exit", "", NULL, NULL},
		{"spin_lock()", NULL, "spin_lock", "", NULL, NULL},
		{"a+*\xc3\xa4z", NULL, "a_z", "", NULL, NULL},
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++)
		expect_label(&cases[i]);
}

static void refuse_label(const char *text, const char *brackets, const char *what)
{
	_cleanup_(error_clear) struct error err = {0};
	struct import_label label;

	assert_int_equal(import_label_parse(&label, text, brackets, &err), -1);
	assert_non_null(strstr(err.message, what));
	assert_null(label.benchmark);
}

static void test_bad_labels(void **state)
{
	char text[600];

	(void)state;
	memset(text, 'a', sizeof(text));
	text[sizeof(text) - 1] = '\0';
	refuse_label(text, NULL, "599 bytes");
	refuse_label("+*", NULL, "without letters");
	refuse_label("fork", "us, ms", "two units");
	refuse_label("fork", "higher, lower", "both");
}

/* What "METRIC UNIT BETTER" becomes of a label, an input's defaults and a unit at the values. */
static void expect_measure(const struct import_input *input, const char *text, const char *brackets,
			   const char *at_values, const char *expected)
{
	_cleanup_(import_measure_release) struct import_measure measure = {0};
	_cleanup_(import_label_release) struct import_label label = {0};
	_cleanup_(error_clear) struct error err = {0};
	_cleanup_free_ char *got = NULL;

	assert_int_equal(import_label_parse(&label, text, brackets, &err), 0);
	if (import_measure_resolve(&measure, input, &label, at_values, &err) < 0)
		got = xstrdup(err.message);
	else
		got = xasprintf("%s %s %s x%g", measure.metric, measure.unit,
				better_name(measure.better), measure.factor);
	assert_string_equal(got, expected);
}

static void test_sources_of_unit_and_direction(void **state)
{
	const struct import_input none = {0};
	const struct import_input unit = {.unit = "usec"};
	const struct import_input lower = {.has_better = true, .better = BETTER_LOWER};
	const struct import_input metric = {.metric = "latency", .unit = "us"};

	(void)state;
	expect_measure(&none, "fork", "us", NULL, "time us lower x1");
	expect_measure(&none, "fork", "min", NULL, "time s lower x60");
	expect_measure(&none, "fork", "min", "s", "time s lower x1");
	expect_measure(&none, "vmark", NULL, NULL, "value  higher x1");
	expect_measure(&none, "kbuild", NULL, "s", "time s lower x1");
	expect_measure(&none, "x", "s, higher", NULL, "time s higher x1");
	expect_measure(&none, "x", "bogons, lower", NULL, "value bogons lower x1");
	expect_measure(&unit, "x", NULL, NULL, "time us lower x1");
	expect_measure(&unit, "x", "MB/s", NULL, "rate MB/s higher x1");
	expect_measure(&lower, "vmark", NULL, NULL, "value  lower x1");
	expect_measure(&lower, "vmark", "higher", NULL, "value  higher x1");
	expect_measure(&metric, "x", NULL, NULL, "latency us lower x1");
	expect_measure(&none, "x", NULL, NULL, "'x' has neither a unit nor a direction");
	expect_measure(&none, "fork", "ms", "us",
		       "mixed units: values in 'us', but 'fork' is in 'ms'");
}

static void test_unknown_direction_names_the_options(void **state)
{
	_cleanup_(import_label_release) struct import_label label = {0};
	_cleanup_(error_clear) struct error err = {0};
	const struct import_input none = {0};
	struct import_measure measure;

	(void)state;
	assert_int_equal(import_label_parse(&label, "x", "bogons", &err), 0);
	assert_int_equal(import_measure_resolve(&measure, &none, &label, NULL, &err), -1);
	assert_non_null(strstr(err.message, "'bogons'"));
	assert_non_null(strstr(err.hint, "--unit"));
	assert_non_null(strstr(err.hint, "--better"));
}

static void test_bad_default_unit(void **state)
{
	_cleanup_(import_label_release) struct import_label label = {0};
	_cleanup_(error_clear) struct error err = {0};
	const struct import_input input = {.unit = "a b"};
	struct import_measure measure;

	(void)state;
	assert_int_equal(import_label_parse(&label, "x", NULL, &err), 0);
	assert_int_equal(import_measure_resolve(&measure, &input, &label, NULL, &err), -1);
	assert_int_equal(err.kind, ERROR_USAGE);
	assert_string_equal(err.message, "'a b' is not a unit");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_labels),
		cmocka_unit_test(test_bad_labels),
		cmocka_unit_test(test_sources_of_unit_and_direction),
		cmocka_unit_test(test_unknown_direction_names_the_options),
		cmocka_unit_test(test_bad_default_unit),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
