/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * KCIDB v5.3: a test per finding with its number; what the schema has no field for is in `misc`.
 * A culprit that is known becomes an issue, with an incident for each regression.
 */
#include <string.h>

#include "common/text.h"
#include "reports/export_names.h"
#include "reports/format.h"
#include "reports/json_value.h"
#include "reports/junit_body.h"
#include "reports/writers.h"

#define DEFAULT_ORIGIN "kregress"

/* The schema takes 16384 characters. */
#define EXCERPT_LIMIT 16000

static const char *origin_of(const struct report *report)
{
	return report->presentation.origin ? report->presentation.origin : DEFAULT_ORIGIN;
}

/* "ORIGIN:REST" */
static json_t *id_value(const struct report *report, const char *rest)
{
	_cleanup_free_ char *id = xasprintf("%s:%s", origin_of(report), rest);

	return json_text(id);
}

static char *build_id(const struct report *report, const struct report_variant *variant)
{
	if (report->presentation.build_id)
		return xstrdup(report->presentation.build_id);
	return xasprintf("%s:kernel-of-%s", origin_of(report), variant->run_set_id);
}

static char *test_id(const struct report *report, const struct report_finding *finding)
{
	return xasprintf("%s-%s", report->variants.items[finding->variant].run_set_id, finding->id);
}

static const char *status_of(const struct report_finding *finding)
{
	switch (finding->problem) {
	case PROBLEM_CRASH:
		return "ERROR";
	case PROBLEM_MISSING:
	case PROBLEM_MIXED:
		return "MISS";
	case PROBLEM_UNAVAILABLE:
		return "SKIP";
	case PROBLEM_NEW:
		return "DONE";
	default:
		break;
	}
	switch (finding->comparison.verdict) {
	case VERDICT_REGRESSED:
		return "FAIL";
	case VERDICT_FAILED:
		return "ERROR";
	case VERDICT_INCONCLUSIVE:
		return "DONE";
	default:
		return "PASS";
	}
}

/* Dot-separated segments of [A-Za-z0-9_-], none of them empty. */
static char *path_of(const struct report_series *series)
{
	_cleanup_free_ char *params = export_clean(series->params, "-");
	_cleanup_free_ char *full =
		xasprintf("kregress.%s.%s%s%s", series->benchmark, series->metric,
			  *series->params ? "_" : "", *series->params ? params : "");
	_cleanup_free_ char *clean = export_clean(full, "._-");
	struct strbuf path = STRBUF_INIT;

	for (const char *byte = clean; *byte; byte++) {
		strbuf_append_char(&path, *byte);
		if (*byte == '.' && (byte[1] == '.' || !byte[1]))
			strbuf_append_char(&path, '_');
	}
	return strbuf_take(&path);
}

/* Units to which a prefix can be added. */
static bool takes_prefix(const char *unit)
{
	static const char *const units[] = {"s", "B", "B/s", "1/s", "Hz", "op/s"};

	for (size_t i = 0; i < ARRAY_SIZE(units); i++)
		if (!strcmp(units[i], unit))
			return true;
	return false;
}

static json_t *number_object(const struct report_series *series,
			     const struct report_finding *finding)
{
	json_t *number = json_object();

	json_object_set_new(number, "value", json_number(finding->comparison.candidate.mean, true));
	if (*series->unit)
		json_object_set_new(number, "unit", json_text(series->unit));
	if (takes_prefix(series->unit))
		json_object_set_new(number, "prefix", json_string("metric"));
	return number;
}

static json_t *side_object(const struct report_variant *variant, const struct summary *summary,
			   const struct value_list *values)
{
	json_t *side = json_object();
	json_t *boots = json_array();

	array_for_each (value, values)
		json_array_append_new(boots, json_number(*value, true));
	json_object_set_new(side, "name", json_text(variant->name));
	json_object_set_new(side, "run_set", json_text(variant->run_set_id));
	json_object_set_new(side, "kernel", json_text(variant->kernel));
	json_object_set_new(side, "n", json_count(summary->n));
	json_object_set_new(side, "mean", json_number(summary->mean, summary->n > 0));
	json_object_set_new(side, "median", json_number(summary->median, summary->n > 0));
	json_object_set_new(side, "sd", json_number(summary->sd, summary->n > 1));
	json_object_set_new(side, "values", boots);
	return side;
}

static json_t *misc_object(const struct report *report, const struct report_series *series,
			   const struct report_finding *finding)
{
	const struct comparison *comparison = &finding->comparison;
	const struct report_variant *variant = &report->variants.items[finding->variant];
	bool compared = finding->problem == PROBLEM_NONE;
	bool ratio = compared && comparison->ratio_known;
	bool interval = ratio && comparison->ratio_ci.known;
	bool tested = compared && comparison->p_known;
	json_t *misc = json_object();

	json_object_set_new(misc, "finding", json_string(finding->id));
	json_object_set_new(misc, "verdict", json_string(verdict_name(comparison->verdict)));
	json_object_set_new(misc, "problem", json_string(finding_problem_name(finding->problem)));
	json_object_set_new(misc, "better", json_string(better_name(series->better)));
	json_object_set_new(misc, "base",
			    side_object(&report->base, &comparison->base, &series->base_values));
	json_object_set_new(misc, "new",
			    side_object(variant, &comparison->candidate, &finding->values));
	json_object_set_new(misc, "ratio", json_number(comparison->ratio, ratio));
	json_object_set_new(misc, "ratio_low", json_number(comparison->ratio_ci.low, interval));
	json_object_set_new(misc, "ratio_high", json_number(comparison->ratio_ci.high, interval));
	json_object_set_new(misc, "p", json_number(comparison->p, tested));
	json_object_set_new(misc, "q", json_number(comparison->q, tested));
	json_object_set_new(misc, "limit", json_number(finding->limit_frac, true));
	json_object_set_new(misc, "alpha", json_number(report->alpha, true));
	json_object_set_new(misc, "method", json_string(method_name(comparison->method)));
	return misc;
}

static json_t *environment_object(const struct report *report, const struct report_variant *variant)
{
	json_t *environment = json_object();
	json_t *misc = json_object();

	json_object_set_new(misc, "machine",
			    json_text(variant->machine ? variant->machine : "unknown"));
	json_object_set_new(misc, "target", json_text(variant->target));
	if (variant->cmdline)
		json_object_set_new(misc, "kernel_cmdline", json_text(variant->cmdline));
	json_object_set_new(environment, "comment", json_text(report->hostname));
	json_object_set_new(environment, "misc", misc);
	return environment;
}

/* "2026-11-30T20:33:07+00:00"; nothing for the year that stands for "unknown". */
static void set_start_time(json_t *object, const struct report *report)
{
	_cleanup_free_ char *time = xasprintf("%s+00:00", report->created_at);

	if (strncmp(time, "1970", 4) != 0)
		json_object_set_new(object, "start_time", json_string(time));
}

static void set_log_excerpt(json_t *test, const struct report_variant *variant)
{
	_cleanup_(strbuf_release) struct strbuf boots = STRBUF_INIT;
	_cleanup_(strbuf_release) struct strbuf tail = STRBUF_INIT;

	junit_failed_boots(&boots, variant);
	format_tail(&tail, strbuf_text(&boots), EXCERPT_LIMIT);
	if (tail.length)
		json_object_set_new(test, "log_excerpt", json_text(strbuf_text(&tail)));
}

static json_t *test_object(const struct report *report, const struct report_series *series,
			   const struct report_finding *finding)
{
	const struct report_variant *variant = &report->variants.items[finding->variant];
	_cleanup_(strbuf_release) struct strbuf comment = STRBUF_INIT;
	_cleanup_free_ char *build = build_id(report, variant);
	_cleanup_free_ char *id = test_id(report, finding);
	_cleanup_free_ char *path = path_of(series);
	json_t *test = json_object(), *misc = json_object();

	report_explain(&comment, report, series, finding);
	json_object_set_new(test, "id", id_value(report, id));
	json_object_set_new(test, "build_id", json_text(build));
	json_object_set_new(test, "origin", json_string(origin_of(report)));
	json_object_set_new(test, "path", json_string(path));
	json_object_set_new(test, "status", json_string(status_of(finding)));
	json_object_set_new(test, "comment", json_text(strbuf_text(&comment)));
	set_start_time(test, report);
	if (finding->duration_s > 0)
		json_object_set_new(test, "duration", json_number(finding->duration_s, true));
	if (finding->comparison.candidate.n)
		json_object_set_new(test, "number", number_object(series, finding));
	if (finding->problem == PROBLEM_CRASH)
		set_log_excerpt(test, variant);
	json_object_set_new(test, "environment", environment_object(report, variant));
	json_object_set_new(misc, "kregress", misc_object(report, series, finding));
	json_object_set_new(test, "misc", misc);
	return test;
}

static json_t *tests_array(const struct report *report)
{
	json_t *tests = json_array();

	array_for_each (series, &report->series)
		array_for_each (finding, &series->findings)
			if (!series->context)
				json_array_append_new(tests, test_object(report, series, finding));
	return tests;
}

/* The sources and kernel of a variant whose commit is known. */
static void add_build(const struct report *report, const struct report_variant *variant,
		      json_t *checkouts, json_t *builds)
{
	const char *commit = export_commit(variant);
	_cleanup_free_ char *id = build_id(report, variant);
	json_t *checkout, *build;

	if (!commit || report->presentation.build_id)
		return;
	checkout = json_object();
	json_object_set_new(checkout, "id", id_value(report, commit));
	json_object_set_new(checkout, "origin", json_string(origin_of(report)));
	json_object_set_new(checkout, "git_commit_hash", json_string(commit));
	json_array_append_new(checkouts, checkout);
	build = json_object();
	json_object_set_new(build, "id", json_text(id));
	json_object_set_new(build, "checkout_id", id_value(report, commit));
	json_object_set_new(build, "origin", json_string(origin_of(report)));
	json_object_set_new(build, "status", json_string("PASS"));
	if (variant->kernel)
		json_object_set_new(build, "comment", json_text(variant->kernel));
	json_array_append_new(builds, build);
}

static void set_builds(json_t *root, const struct report *report)
{
	json_t *checkouts = json_array(), *builds = json_array();

	array_for_each (variant, &report->variants)
		add_build(report, variant, checkouts, builds);
	if (json_array_size(builds)) {
		json_object_set(root, "checkouts", checkouts);
		json_object_set(root, "builds", builds);
	}
	json_decref(checkouts);
	json_decref(builds);
}

static json_t *issue_object(const struct report *report, const char *id)
{
	const struct culprit *culprit = &report->presentation.culprit;
	_cleanup_free_ char *comment =
		xasprintf("performance regression introduced by %s%s%s", culprit->commit,
			  culprit->subject ? ": " : "", culprit->subject ? culprit->subject : "");
	json_t *issue = json_object(), *layer = json_object(), *misc = json_object();

	json_object_set_new(layer, "code", json_true());
	json_object_set_new(layer, "tool", json_false());
	json_object_set_new(layer, "harness", json_false());
	json_object_set_new(misc, "first_bad_commit", json_text(culprit->commit));
	json_object_set_new(misc, "probability",
			    json_number(culprit->probability_frac, culprit->probability_frac > 0));
	json_object_set_new(misc, "confirmed", json_boolean(culprit->confirmed));
	json_object_set_new(misc, "restored_by_revert", json_boolean(culprit->restored));
	json_object_set_new(issue, "id", id_value(report, id));
	json_object_set_new(issue, "version", json_integer(1));
	json_object_set_new(issue, "origin", json_string(origin_of(report)));
	json_object_set_new(issue, "culprit", layer);
	json_object_set_new(issue, "comment", json_text(comment));
	json_object_set_new(issue, "misc", misc);
	return issue;
}

static json_t *incident_object(const struct report *report, const char *issue_id,
			       const struct report_finding *finding)
{
	_cleanup_free_ char *test = test_id(report, finding);
	_cleanup_free_ char *id = xasprintf("%s-%s", issue_id, test);
	json_t *incident = json_object();

	json_object_set_new(incident, "id", id_value(report, id));
	json_object_set_new(incident, "origin", json_string(origin_of(report)));
	json_object_set_new(incident, "issue_id", id_value(report, issue_id));
	json_object_set_new(incident, "issue_version", json_integer(1));
	json_object_set_new(incident, "test_id", id_value(report, test));
	json_object_set_new(incident, "present", json_true());
	return incident;
}

static void set_issue(json_t *root, const struct report *report)
{
	const char *commit = report->presentation.culprit.commit;
	_cleanup_free_ char *id = commit ? xasprintf("slower-since-%s", commit) : NULL;
	json_t *issues, *incidents;

	if (!commit || !report_count(report, VERDICT_REGRESSED))
		return;
	issues = json_array();
	incidents = json_array();
	json_array_append_new(issues, issue_object(report, id));
	array_for_each (series, &report->series)
		array_for_each (finding, &series->findings)
			if (!series->context && finding->comparison.verdict == VERDICT_REGRESSED)
				json_array_append_new(incidents,
						      incident_object(report, id, finding));
	json_object_set_new(root, "issues", issues);
	json_object_set_new(root, "incidents", incidents);
}

int report_write_kcidb(const struct report *report, struct strbuf *out, struct error *err)
{
	json_t *root = json_object(), *version = json_object();

	json_object_set_new(version, "major", json_integer(5));
	json_object_set_new(version, "minor", json_integer(3));
	json_object_set_new(root, "version", version);
	set_builds(root, report);
	json_object_set_new(root, "tests", tests_array(report));
	set_issue(root, report);
	return json_append(out, root, err);
}
