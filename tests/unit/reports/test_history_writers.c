/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>

#include <git2.h>
#include <jansson.h>
#include <libxml/parser.h>

#include "common/file.h"
#include "common/text.h"
#include "tests/unit/reports/histories.h"
#include "tests/unit/reports/junit_document.h"
#include "tests/unit/reports/python.h"

#define JENKINS_SCHEMA SHARED_DATA "/xsd/jenkins-junit-10.xsd"
#define ANT_SCHEMA     SHARED_DATA "/xsd/windyroad-JUnit.xsd"

static char *write_history(const struct history_report *report, const char *format)
{
	_cleanup_(error_clear) struct error err = {0};
	const struct history_writer *writer = history_writer_find(format);
	struct strbuf out = STRBUF_INIT;

	assert_non_null(writer);
	if (writer->write(report, &out, &err) < 0)
		fail_msg("%s: %s", format, err.message);
	return strbuf_take(&out);
}

static void assert_contains(const char *text, const char *part)
{
	if (!strstr(text, part))
		fail_msg("\"%s\" is not in\n%s", part, text);
}

static void ids_are_the_same_in_every_format(void **state)
{
	struct history_rig rig;
	size_t formats = 0;

	(void)state;
	history_rig_usual(&rig);
	for (const struct history_writer *writer = history_writers; writer->name; writer++) {
		_cleanup_free_ char *text = write_history(&rig.report, writer->name);

		formats++;
		array_for_each (finding, &rig.findings)
			assert_contains(text, finding->id);
	}
	assert_int_equal(formats, 5);
	assert_null(history_writer_find("kcidb"));
	history_rig_release(&rig);
}

static void text_is_a_line_per_change_and_the_rest_in_words(void **state)
{
	static const char *const lines[] = {
		"mm.mmap time            regressed (reopened)",
		"+28.9% .. +30.4%",
		"lock.improved time      improved (new)",
		"; likely cause: microcode: 0xf0 -> 0xf4; finding ",
		"; note: being looked at; finding ",
		"; one of 2 changes in group 00112233aabbccdd; finding ",
		"note: points are taken by time: no repository was named\n",
		"\n2 regressed, 1 acknowledged, 1 known, 1 improved, 1 changed, 1 fixed, 1 unsure, "
		"1 withdrawn (10 series with 1000 points, 1 of them without a change; alpha 0.05, "
		"method segmentation)\n",
	};
	_cleanup_free_ char *text = NULL;
	struct history_rig rig;

	(void)state;
	history_rig_usual(&rig);
	text = write_history(&rig.report, "text");
	for (size_t i = 0; i < ARRAY_SIZE(lines); i++)
		assert_contains(text, lines[i]);
	assert_null(strchr(text, '\033'));
	history_rig_release(&rig);
}

static void assert_narrow(const char *text, size_t columns)
{
	while (*text) {
		size_t length = strcspn(text, "\n");
		_cleanup_free_ char *line = xstrndup(text, length);

		if (text_width(line) > columns)
			fail_msg("more than %zu columns: %s", columns, line);
		text += length + (text[length] == '\n');
	}
}

static void text_takes_the_width_of_the_terminal(void **state)
{
	struct history_rig rig;

	(void)state;
	history_rig_usual(&rig);
	for (size_t columns = 80; columns <= 200; columns += 10) {
		_cleanup_free_ char *text = NULL;

		rig.report.presentation.columns = columns;
		text = write_history(&rig.report, "text");
		assert_narrow(text, columns);
		assert_contains(text, "regressed (reopened)");
	}
	history_rig_release(&rig);
}

static void text_is_coloured_on_request(void **state)
{
	_cleanup_free_ char *text = NULL;
	struct history_rig rig;

	(void)state;
	history_rig_usual(&rig);
	rig.report.presentation.colour = true;
	text = write_history(&rig.report, "text");
	assert_contains(text, "\033[1;31mregressed (new)\033[0m");
	assert_contains(text, "\033[32mimproved (new)\033[0m");
	history_rig_release(&rig);
}

static void junit_fails_for_alerts_alone(void **state)
{
	static const struct {
		const char *benchmark;
		const char *outcome;
	} rows[] = {
		{"mm.fork", "failure"},	      {"mm.mmap", "failure"},
		{"lock.known", "system-out"}, {"lock.acknowledged", "skipped"},
		{"lock.fixed", "system-out"}, {"lock.improved", "system-out"},
		{"mm.unsure", "system-out"},  {"lock.withdrawn", "system-out"},
		{"sched.pipe", "system-out"}, {"mm.unremembered", "system-out"},
	};
	_cleanup_free_ char *text = NULL;
	struct history_rig rig;
	xmlDoc *document;

	(void)state;
	history_rig_usual(&rig);
	text = write_history(&rig.report, "junit");
	document = junit_parse(text);
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		_cleanup_free_ char *path =
			xasprintf("name(//testcase[@classname='%s']/*)", rows[i].benchmark);

		junit_expect(document, path, rows[i].outcome);
	}
	junit_expect(document, "string(/testsuites/@failures)", "2");
	junit_expect(document, "string(//testsuite/@skipped)", "1");
	junit_expect(document, "string(//testsuite/@name)",
		     "kregress.history.x86_64-tcg.voluntary");
	junit_expect(document, "string(//failure/@type)", "performance-regression");
	junit_expect(document, "string(//testcase[@classname='sched.pipe']/@name)",
		     "time [groups=4]");
	junit_expect(document,
		     "starts-with(//testcase[@classname='sched.pipe']/system-out,"
		     "'no change in 100 run sets')",
		     "true");
	junit_expect(document, "starts-with(//failure, //failure/@message)", "true");
	xmlFreeDoc(document);
	history_rig_release(&rig);
}

static void junit_shows_what_was_not_searched(void **state)
{
	static const struct history_shape shapes[] = {{"few", "", 5, 100, 1, 0, 1, 0},
						      {"gap", "", 50, 100, 1, 0, 1, 0},
						      {"bare", "", 0, 100, 1, 0, 1, 0}};
	_cleanup_free_ char *text = NULL;
	struct history_rig rig;
	xmlDoc *document;

	(void)state;
	history_rig_init(&rig);
	history_rig_add(&rig, &shapes[0]);
	history_rig_add(&rig, &shapes[1])->known = false;
	history_rig_add(&rig, &shapes[2])->run_sets = 50;
	history_rig_finish(&rig);
	text = write_history(&rig.report, "junit");
	document = junit_parse(text);
	junit_expect(document, "string(//testcase[@classname='few']/skipped/@message)",
		     "too few run sets to find a change");
	junit_expect(document, "string(//testcase[@classname='gap']/skipped/@message)",
		     "not searched: a value is not finite");
	junit_expect(document,
		     "starts-with(//testcase[@classname='bare']/system-out,"
		     "'no change in 50 run sets')",
		     "true");
	xmlFreeDoc(document);
	history_rig_release(&rig);
}

static void improvements_are_shown_as_asked_for(void **state)
{
	_cleanup_free_ char *text = NULL;
	struct history_rig rig;
	xmlDoc *document;

	(void)state;
	history_rig_usual(&rig);
	rig.report.presentation.improvement = SHOWN_FAILED;
	text = write_history(&rig.report, "junit");
	document = junit_parse(text);
	junit_expect(document, "string(//testcase[@classname='lock.improved']/failure/@type)",
		     "performance-improvement");
	xmlFreeDoc(document);
	history_rig_release(&rig);
}

/* The flavours promise what docs/reports.md says, of a usual and of a hostile history. */
static void flavours_suit_their_schemas(void **state)
{
	static const struct {
		enum junit_flavour flavour;
		bool jenkins, ant;
	} rows[] = {
		{JUNIT_JENKINS, true, false}, {JUNIT_RICH, false, false}, {JUNIT_ANT, true, true}};

	(void)state;
	if (!file_exists(JENKINS_SCHEMA) || !file_exists(ANT_SCHEMA)) {
		print_message("skipped: no reference data in %s\n", SHARED_DATA);
		skip();
	}
	for (size_t i = 0; i < 2 * ARRAY_SIZE(rows); i++) {
		_cleanup_free_ char *text = NULL;
		struct history_rig rig;
		xmlDoc *document;

		if (i % 2)
			history_rig_hostile(&rig);
		else
			history_rig_usual(&rig);
		rig.report.presentation.junit_flavour = rows[i / 2].flavour;
		text = write_history(&rig.report, "junit");
		document = junit_parse(text);
		assert_int_equal(junit_is_valid(JENKINS_SCHEMA, document), rows[i / 2].jenkins);
		assert_int_equal(junit_is_valid(ANT_SCHEMA, document), rows[i / 2].ant);
		xmlFreeDoc(document);
		history_rig_release(&rig);
	}
}

/* Whatever comes in, no format lets it out as something else. */
static void hostile_text_stays_text(void **state)
{
	_cleanup_free_ char *text = NULL, *markdown = NULL, *html = NULL;
	struct history_rig rig;

	(void)state;
	history_rig_hostile(&rig);
	text = write_history(&rig.report, "text");
	for (const char *byte = text; *byte; byte++)
		assert_true((unsigned char)*byte >= 0x20 || *byte == '\n');
	assert_int_equal(text_utf8_error(text, strlen(text)), strlen(text));
	markdown = write_history(&rig.report, "markdown");
	assert_null(strstr(markdown, "<script"));
	assert_null(strstr(markdown, "<img"));
	assert_null(strstr(markdown, "@all"));
	html = write_history(&rig.report, "html");
	assert_null(strstr(html, "<script"));
	assert_null(strstr(html, "<img"));
	assert_null(strstr(html, "\xe2\x80\xae"));
	history_rig_release(&rig);
}

static void json_has_the_numbers(void **state)
{
	_cleanup_free_ char *text = NULL;
	struct history_rig rig;
	json_t *root, *series, *change;

	(void)state;
	history_rig_usual(&rig);
	text = write_history(&rig.report, "json");
	root = json_loads(text, JSON_REJECT_DUPLICATES, NULL);
	assert_non_null(root);
	series = json_array_get(json_object_get(root, "series"), 6);
	assert_string_equal(json_string_value(json_object_get(series, "benchmark")), "mm.mmap");
	assert_int_equal(json_array_size(json_object_get(series, "points")), 100);
	change = json_array_get(json_object_get(series, "change_points"), 0);
	assert_int_equal(json_integer_value(json_object_get(change, "index")), 60);
	assert_true(fabs(json_real_value(json_object_get(change, "ratio")) - 1.3) < 0.02);
	assert_string_equal(json_string_value(json_object_get(change, "grade")), "regressed");
	json_decref(root);
	history_rig_release(&rig);
}

/* Numbers of a plain file: neither finding, nor variant, nor commit. */
static void a_file_of_numbers_has_lines(void **state)
{
	static const struct history_shape shape = {"boot.csv", "", 60, 100, 1, 30, 1.2, 0};
	_cleanup_free_ char *text = NULL, *html = NULL, *junit = NULL;
	struct history_series *series;
	struct history_rig rig;

	(void)state;
	history_rig_init(&rig);
	series = history_rig_add(&rig, &shape);
	series->order = HISTORY_BY_LINES;
	*series->metric = *series->unit = '\0';
	free(take_pointer(series->variant));
	free(take_pointer(series->machine));
	array_for_each (point, &series->points) {
		free(take_pointer(point->run_set));
		free(take_pointer(point->commit));
		free(take_pointer(point->time));
	}
	history_rig_finish(&rig);
	text = write_history(&rig.report, "text");
	assert_contains(text, "boot.csv  changed  line 31  ");
	html = write_history(&rig.report, "html");
	assert_contains(html, "line 31");
	junit = write_history(&rig.report, "junit");
	assert_contains(junit, "name=\"value\"");
	history_rig_release(&rig);
}

static void every_format_takes_an_empty_history(void **state)
{
	struct history_rig rig;

	(void)state;
	history_rig_empty(&rig);
	for (const struct history_writer *writer = history_writers; writer->name; writer++) {
		_cleanup_free_ char *text = write_history(&rig.report, writer->name);

		assert_true(strlen(text) > 20);
	}
	history_rig_release(&rig);
}

/* Long histories stay small on the page, and it says what it leaves out. */
static void pages_are_thinned_with_a_note(void **state)
{
	enum { SERIES = 3, POINTS = 20000, MOST_BYTES = 100000 };
	_cleanup_free_ char *html = NULL;
	struct history_rig rig;

	(void)state;
	history_rig_large(&rig, SERIES, POINTS);
	html = write_history(&rig.report, "html");
	if (strlen(html) > SERIES * MOST_BYTES)
		fail_msg("%zu bytes", strlen(html));
	assert_contains(html, "Of every 20 points the smallest and the largest are drawn.");
	assert_contains(html, "200 of 20000 points as a table");
	assert_contains(html, "older ones are in the JSON report");
	history_rig_release(&rig);
}

static const char validate[] =
	"import json, sys\n"
	"def refuse(name): raise ValueError(name)\n"
	"try: import jsonschema\n"
	"except ImportError: sys.exit(77)\n"
	"schema = json.load(open(sys.argv[1]))\n"
	"validator = jsonschema.validators.validator_for(schema)\n"
	"validator.check_schema(schema)\n"
	"document = json.load(open(sys.argv[2]), parse_constant=refuse)\n"
	"valid = validator(schema)\n"
	"for error in valid.iter_errors(document):\n"
	"    print(error.json_path, error.message)\n"
	"    sys.exit(1)\n"
	"for change in (lambda d: d.pop('series'), lambda d: d.update(format='x'),\n"
	"               lambda d: d['series'][0].update(order='size'),\n"
	"               lambda d: d['series'][0]['change_points'][0].update(p=2),\n"
	"               lambda d: d['series'][0]['change_points'][0].pop('finding'),\n"
	"               lambda d: d['series'][0]['points'][0].update(value='1')):\n"
	"    broken = json.loads(json.dumps(document))\n"
	"    change(broken)\n"
	"    if not list(valid.iter_errors(broken)): sys.exit(2)\n";

static int validate_history(const char *folder, bool hostile)
{
	_cleanup_(error_clear) struct error err = {0};
	_cleanup_free_ char *path = path_below(folder, "history.json");
	_cleanup_free_ char *text = NULL;
	struct history_rig rig;

	if (hostile)
		history_rig_hostile(&rig);
	else
		history_rig_usual(&rig);
	text = write_history(&rig.report, "json");
	history_rig_release(&rig);
	if (file_write(path, text, strlen(text), &err) < 0)
		fail_msg("%s", err.message);
	return run_python(validate, DOCS "/history.schema.json", path);
}

static void json_suits_the_published_schema(void **state)
{
	_cleanup_(error_clear) struct error err = {0};
	_cleanup_free_ char *folder = NULL;
	int usual, hostile;

	(void)state;
	assert_int_equal(folder_make_temporary(&folder, &err), 0);
	usual = validate_history(folder, false);
	hostile = validate_history(folder, true);
	assert_int_equal(folder_remove(folder, &err), 0);
	if (usual == 77 || usual == 127) {
		print_message("skipped: python3 with jsonschema is not installed\n");
		skip();
	}
	assert_int_equal(usual, 0);
	assert_int_equal(hostile, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(ids_are_the_same_in_every_format),
		cmocka_unit_test(text_is_a_line_per_change_and_the_rest_in_words),
		cmocka_unit_test(text_takes_the_width_of_the_terminal),
		cmocka_unit_test(text_is_coloured_on_request),
		cmocka_unit_test(junit_fails_for_alerts_alone),
		cmocka_unit_test(junit_shows_what_was_not_searched),
		cmocka_unit_test(improvements_are_shown_as_asked_for),
		cmocka_unit_test(flavours_suit_their_schemas),
		cmocka_unit_test(hostile_text_stays_text),
		cmocka_unit_test(json_has_the_numbers),
		cmocka_unit_test(a_file_of_numbers_has_lines),
		cmocka_unit_test(every_format_takes_an_empty_history),
		cmocka_unit_test(pages_are_thinned_with_a_note),
		cmocka_unit_test(json_suits_the_published_schema),
	};
	int failed;

	git_libgit2_init();
	failed = cmocka_run_group_tests(tests, NULL, NULL);
	git_libgit2_shutdown();
	xmlCleanupParser();
	return failed;
}
