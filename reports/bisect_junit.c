/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A bisection as JUnit XML: one suite with a case for each commit that was tested, and one for the
 * answer, which fails with the credible set when there is one.
 */
#include <string.h>

#include "common/number.h"
#include "reports/bisect_report.h"
#include "reports/junit_body.h"
#include "reports/junit_document.h"
#include "reports/xml_text.h"

#define CLASS_COMMIT "bisect.commit"
#define CLASS_ANSWER "bisect.answer"

static bool has_failed(const struct bisect_report *report)
{
	return report->first_bad || !strcmp(report->state, "found among") ||
	       !strcmp(report->state, "exhausted");
}

static bool is_tested(const struct bisect_commit *commit)
{
	return commit->state != BISECT_UNTESTED;
}

static struct junit_counts count(const struct bisect_report *report)
{
	struct junit_counts counts = {.tests = 1, .failures = has_failed(report)};

	counts.skipped = !report->finished;
	array_for_each (commit, &report->commits) {
		if (!is_tested(commit))
			continue;
		counts.tests++;
		counts.failures += commit->state == BISECT_SLOW;
		counts.skipped += commit->state == BISECT_SKIPPED;
		counts.time_s += commit->duration_s;
	}
	return counts;
}

static void open_case(struct junit *junit, const char *classname, const char *name,
		      double duration_s)
{
	junit_open(junit, "testcase");
	junit_attribute(junit, "classname", classname);
	junit_attribute(junit, "name", name);
	junit_attribute_time(junit, duration_s);
}

/* An outcome child; the message is the body's first line, too. */
static void outcome(struct junit *junit, const char *name, const char *type,
		    const struct strbuf *body)
{
	_cleanup_(strbuf_release) struct strbuf clean = STRBUF_INIT;
	_cleanup_(strbuf_release) struct strbuf message = STRBUF_INIT;
	_cleanup_free_ char *first = xstrndup(strbuf_text(body), strcspn(strbuf_text(body), "\n"));

	junit_line(&message, first, JUNIT_MESSAGE_LIMIT);
	xml_append_text(&clean, strbuf_text(body));
	junit_outcome(junit, name, type, &message, &clean);
}

static void describe_commit(struct strbuf *out, const struct bisect_commit *commit)
{
	strbuf_append(out, bisect_commit_state_name(commit->state));
	if (commit->reason)
		strbuf_printf(out, ": %s", commit->reason);
	if (commit->count) {
		strbuf_append(out, ": mean ");
		number_append_significant(out, commit->mean, 6);
		strbuf_printf(out, ", n = %zu", commit->count);
	}
	if (commit->count > 1) {
		strbuf_append(out, ", sd ");
		number_append_significant(out, commit->sd, 3);
	}
	strbuf_printf(out, "\n%s\nsubject: %s\nauthor: %s\ndate: %s\n", commit->id, commit->subject,
		      commit->author, commit->author_date);
}

static void write_commit(struct junit *junit, const struct bisect_commit *commit)
{
	_cleanup_(strbuf_release) struct strbuf body = STRBUF_INIT;
	_cleanup_(strbuf_release) struct strbuf clean = STRBUF_INIT;

	describe_commit(&body, commit);
	open_case(junit, CLASS_COMMIT, commit->id, commit->duration_s);
	if (commit->state == BISECT_SLOW) {
		outcome(junit, "failure", "slow", &body);
	} else if (commit->state == BISECT_SKIPPED) {
		outcome(junit, "skipped", NULL, &body);
	} else {
		xml_append_text(&clean, strbuf_text(&body));
		junit_element(junit, "system-out", &clean);
	}
	junit_close(junit);
}

static void describe_change(struct strbuf *out, const struct bisect_effect *effect,
			    const struct bisect_proof *proof, const struct bisect_proof *revert)
{
	bisect_report_effect(out, effect);
	strbuf_append_char(out, '\n');
	bisect_report_proof(out, proof, false);
	strbuf_append_char(out, '\n');
	bisect_report_proof(out, revert, true);
	strbuf_append_char(out, '\n');
}

static void describe_set(struct strbuf *out, const struct bisect_report *report)
{
	const struct bisect_second *second = &report->second;

	strbuf_append_char(out, '\n');
	array_for_each (commit, &report->commits) {
		if (!commit->in_set)
			continue;
		strbuf_printf(out, "%s probability ", commit->id);
		number_append_significant(out, commit->probability, 4);
		strbuf_printf(out, ", %s, %s, %s\n", commit->author_date, commit->author,
			      commit->subject);
	}
	describe_change(out, &report->effect, &report->proof, &report->revert);
	if (!second->commit)
		return;
	strbuf_printf(out, "\n%s: %s\n", second->fix ? "the fix" : "the second change",
		      second->commit);
	describe_change(out, &second->effect, &second->proof, &second->revert);
}

static void write_answer(struct junit *junit, const struct bisect_report *report)
{
	_cleanup_(strbuf_release) struct strbuf body = STRBUF_INIT;
	_cleanup_(strbuf_release) struct strbuf clean = STRBUF_INIT;

	bisect_report_summary(&body, report);
	describe_set(&body, report);
	open_case(junit, CLASS_ANSWER, "first bad commit", 0);
	if (has_failed(report)) {
		outcome(junit, "failure", "regression", &body);
	} else if (!report->finished) {
		outcome(junit, "skipped", NULL, &body);
	} else {
		xml_append_text(&clean, strbuf_text(&body));
		junit_element(junit, "system-out", &clean);
	}
	junit_close(junit);
}

static void write_properties(struct junit *junit, const struct bisect_report *report)
{
	_cleanup_(strbuf_release) struct strbuf value = STRBUF_INIT;

	junit_open(junit, "properties");
	junit_property(junit, "tool.version", KREGRESS_VERSION);
	junit_property(junit, "repository", report->repository);
	junit_property(junit, "state", report->state);
	if (report->benchmark)
		junit_property(junit, "benchmark", report->benchmark);
	if (report->metric)
		junit_property(junit, "metric", report->metric);
	strbuf_printf(&value, "%zu", report->range);
	junit_property_text(junit, "commits", &value);
	number_append_significant(&value, report->nothing, 4);
	junit_property_text(junit, "probability.nothing", &value);
	junit_close(junit);
}

static void write_suite(struct junit *junit, const void *data)
{
	const struct bisect_report *report = data;
	struct junit_counts counts = count(report);

	junit_open(junit, "testsuite");
	junit_attribute(junit, "name", "kregress.bisect");
	junit_suite_counts(junit, &counts);
	write_properties(junit, report);
	array_for_each (commit, &report->commits)
		if (is_tested(commit))
			write_commit(junit, commit);
	write_answer(junit, report);
	junit_close(junit);
}

int bisect_write_junit(const struct bisect_report *report, struct strbuf *out, struct error *err)
{
	struct junit_counts counts = count(report);

	return junit_document_write(write_suite, report, JUNIT_JENKINS, &counts, out, err);
}
