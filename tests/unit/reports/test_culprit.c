/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "common/file.h"
#include "reports/bisect_report.h"
#include "tests/unit/reports/sets.h"

#define CULPRIT "85e511df3cec46021024176672a748008ed135bf"
#define SUBJECT "sched/eevdf: Allow shorter slices"

static char *folder;

static int make_folder(void **state)
{
	_cleanup_(error_clear) struct error err = {0};

	(void)state;
	return folder_make_temporary(&folder, &err);
}

static int remove_folder(void **state)
{
	_cleanup_(error_clear) struct error err = {0};
	int result = folder_remove(folder, &err);

	(void)state;
	free(folder);
	return result;
}

static struct bisect_proof proof_of(bool confirmed)
{
	return (struct bisect_proof){.present = true,
				     .done = true,
				     .confirmed = confirmed,
				     .verdict = xstrdup(confirmed ? "regressed" : "inconclusive"),
				     .count = 6,
				     .p = 0.001};
}

/* A bisection that found CULPRIT, as `bisect status --json` writes it. */
static struct bisect_report finished(double probability, bool restored)
{
	struct bisect_report report = {
		.repository = xstrdup("/linux"),
		.started_at = xstrdup("2026-11-30T20:33:07"),
		.state = xstrdup("found"),
		.term_bad = xstrdup("bad"),
		.term_good = xstrdup("good"),
		.measures = true,
		.finished = true,
		.first_bad = xstrdup(CULPRIT),
		.proof = proof_of(true),
		.revert = proof_of(restored),
	};

	*array_append(&report.commits) = (struct bisect_commit){
		.id = xstrdup("0123456789abcdef0123456789abcdef01234567"),
		.subject = xstrdup("mm: another"),
		.author = xstrdup("A"),
		.author_date = xstrdup("2026-11-30 20:33:07 +0000"),
		.probability = 1 - probability,
	};
	*array_append(&report.commits) = (struct bisect_commit){
		.id = xstrdup(CULPRIT),
		.subject = xstrdup(SUBJECT),
		.author = xstrdup("B"),
		.author_date = xstrdup("2026-11-30 20:33:07 +0000"),
		.probability = probability,
		.in_set = true,
	};
	return report;
}

/* Writes the report and reads the culprit; releases the report. */
static int load(struct bisect_report *report, struct found_culprit *found, struct error *err)
{
	_cleanup_(strbuf_release) struct strbuf text = STRBUF_INIT;
	_cleanup_free_ char *path = path_below(folder, "bisect.json");

	if (bisect_write_json(report, &text, err) < 0 ||
	    file_write(path, strbuf_text(&text), text.length, err) < 0)
		fail_msg("%s", err->message);
	bisect_report_release(report);
	return found_culprit_load(path, found, err);
}

static char *mail_of(const struct found_culprit *found)
{
	struct report_options options = default_options();
	const struct run_set *candidate;
	struct run_set base, variant;
	struct report report;
	char *text;

	sets_2013(&base, &variant);
	candidate = &variant;
	report = build(&base, &candidate, 1, &options);
	report.presentation.culprit = found_culprit_show(found);
	text = write_report(&report, "mail");
	report_release(&report);
	run_set_release(&base);
	run_set_release(&variant);
	return text;
}

static void assert_mail(const struct found_culprit *found, const char *part)
{
	_cleanup_free_ char *text = mail_of(found);

	if (!strstr(text, part))
		fail_msg("no '%s' in\n%s", part, text);
}

static void finished_bisection_fills_the_mail(void **state)
{
	_cleanup_(error_clear) struct error err = {0};
	struct bisect_report report = finished(0.9768, true);
	struct found_culprit found;

	(void)state;
	assert_int_equal(load(&report, &found, &err), 0);
	assert_string_equal(found.commit, CULPRIT);
	assert_string_equal(found.subject, SUBJECT);
	assert_mail(&found, "\ncommit: " CULPRIT " (\"sched/eevdf:");
	assert_mail(&found, "\nfound by bisection, with a probability of 97.6%\n");
	assert_mail(&found,
		    "\nmeasured again: it is slower than its parent, and a revert restores the "
		    "tip\n");
	assert_mail(&found, "\n#regzbot introduced: " CULPRIT "\n");
	found_culprit_release(&found);
}

static void near_certainty_is_not_certainty(void **state)
{
	_cleanup_(error_clear) struct error err = {0};
	struct bisect_report report = finished(1, false);
	struct found_culprit found;

	(void)state;
	assert_int_equal(load(&report, &found, &err), 0);
	assert_mail(&found, "with a probability of more than 99.9%\n");
	assert_mail(&found, "\nmeasured again: it is slower than its parent\n");
	found_culprit_release(&found);
}

/* Pass and fail tell no probability. */
static void outcomes_have_no_probability(void **state)
{
	_cleanup_(error_clear) struct error err = {0};
	struct bisect_report report = finished(1, false);
	struct found_culprit found;

	(void)state;
	report.measures = false;
	assert_int_equal(load(&report, &found, &err), 0);
	assert_true(found.probability_frac == 0);
	found_culprit_release(&found);
}

static void unfinished_bisection_names_nobody(void **state)
{
	_cleanup_(error_clear) struct error err = {0};
	struct bisect_report report = finished(0.6, false);
	struct found_culprit found;

	(void)state;
	free(take_pointer(report.first_bad));
	free(report.state);
	report.state = xstrdup("measuring");
	assert_int_equal(load(&report, &found, &err), -1);
	assert_int_equal(err.kind, ERROR_DATA);
	assert_non_null(strstr(err.message, "has not found one commit, it is 'measuring'"));
	assert_string_equal(err.hint, "kregress bisect run goes on with it");
	assert_null(found.commit);
}

static void other_files_are_refused(void **state)
{
	static const struct {
		const char *text;
		const char *message;
	} rows[] = {
		{"{}", "not of format kregress-bisect-1"},
		{"[1, 2]", "not of format kregress-bisect-1"},
		{"{\"format\": \"kregress-bisect-1\"", "line 1: "},
		{"{\"format\": \"kregress-bisect-1\", \"first_bad\": \"HEAD\"}",
		 "'HEAD' is no commit"},
	};
	_cleanup_free_ char *path = path_below(folder, "other.json");

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		_cleanup_(error_clear) struct error err = {0};
		struct found_culprit found;

		assert_int_equal(file_write(path, rows[i].text, strlen(rows[i].text), &err), 0);
		assert_int_equal(found_culprit_load(path, &found, &err), -1);
		assert_int_equal(err.kind, ERROR_DATA);
		if (!strstr(err.message, rows[i].message))
			fail_msg("%s: %s", rows[i].text, err.message);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(finished_bisection_fills_the_mail),
		cmocka_unit_test(near_certainty_is_not_certainty),
		cmocka_unit_test(outcomes_have_no_probability),
		cmocka_unit_test(unfinished_bisection_names_nobody),
		cmocka_unit_test(other_files_are_refused),
	};

	return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
