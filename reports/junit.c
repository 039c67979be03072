/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * JUnit XML in the dialect that the common readers agree on: flat suites, one per variant; no
 * attribute or element beyond the Jenkins xunit schema; exactly one outcome child; times with
 * three places; provenance as properties of the suite.
 */
#include "reports/format.h"
#include "reports/junit_body.h"
#include "reports/junit_document.h"
#include "reports/junit_properties.h"
#include "reports/writers.h"

#define TITLE_LIMIT 4000

/* What `rich` names as a case's file when nothing else is known: what says how to measure. */
#define SOURCE_FILE "kregress.conf"

static bool is_flavour(const struct report *report, enum junit_flavour flavour)
{
	return report->presentation.junit_flavour == flavour;
}

static void count_finding(struct junit_counts *counts, const struct report *report,
			  const struct report_finding *finding)
{
	enum junit_outcome outcome = junit_outcome_of(report, finding);

	counts->tests++;
	counts->failures += outcome == JUNIT_FAILURE;
	counts->errors += outcome == JUNIT_ERROR;
	counts->skipped += outcome == JUNIT_SKIPPED;
	counts->time_s += finding->duration_s;
}

static struct junit_counts count_variant(const struct report *report, size_t index)
{
	struct junit_counts counts = {0};

	array_for_each (series, &report->series)
		if (!series->context)
			count_finding(&counts, report, &series->findings.items[index]);
	if (junit_has_boot_case(&report->variants.items[index])) {
		counts.tests++;
		counts.errors++;
	}
	return counts;
}

static struct junit_counts count_all(const struct report *report)
{
	struct junit_counts all = {0};

	for (size_t i = 0; i < report->variants.count; i++) {
		struct junit_counts one = count_variant(report, i);

		all.tests += one.tests;
		all.failures += one.failures;
		all.errors += one.errors;
		all.skipped += one.skipped;
		all.time_s += one.time_s;
	}
	return all;
}

/* A case that passed says what it measured; Ant's schema has no place for that in a case. */
static void passed(struct junit *junit, const struct report *report,
		   const struct report_finding *finding, struct strbuf *message)
{
	if (is_flavour(report, JUNIT_ANT))
		return;
	strbuf_printf(message, "; finding %s\n", finding->id);
	junit_element(junit, "system-out", message);
}

static void attachments(struct junit *junit, const struct report *report,
			const struct report_finding *finding)
{
	_cleanup_(strbuf_release) struct strbuf text = STRBUF_INIT;

	junit_attachments(&text, report, finding);
	if (text.length && !is_flavour(report, JUNIT_ANT))
		junit_element(junit, "system-out", &text);
}

static void case_outcome(struct junit *junit, const struct report *report,
			 const struct report_series *series, const struct report_finding *finding)
{
	static const char *const names[] = {
		[JUNIT_FAILURE] = "failure",
		[JUNIT_ERROR] = "error",
		[JUNIT_SKIPPED] = "skipped",
	};
	enum junit_outcome kind = junit_outcome_of(report, finding);
	_cleanup_(strbuf_release) struct strbuf message = STRBUF_INIT;
	_cleanup_(strbuf_release) struct strbuf body = STRBUF_INIT;

	junit_message(&message, report, series, finding);
	if (kind == JUNIT_PASSED) {
		passed(junit, report, finding, &message);
		return;
	}
	junit_body(&body, report, series, finding);
	junit_outcome(junit, names[kind], junit_outcome_type(report, finding), &message, &body);
	if (kind != JUNIT_SKIPPED)
		attachments(junit, report, finding);
}

static void source_place(struct junit *junit, const struct report *report)
{
	const char *file = report->presentation.source_file;

	if (!is_flavour(report, JUNIT_RICH))
		return;
	junit_attribute_line(junit, "file", file ? file : SOURCE_FILE);
	junit_attribute_count(junit, "line", 1);
}

static void open_case(struct junit *junit, const struct report *report, const char *classname,
		      const char *name, double duration_s)
{
	junit_open(junit, "testcase");
	junit_attribute(junit, "classname", classname);
	junit_attribute(junit, "name", name);
	junit_attribute_time(junit, duration_s);
	source_place(junit, report);
}

/* Where several variants share the document, their cases would overwrite each other by name. */
static const char *case_variant(const struct report *report, size_t variant)
{
	return report->variants.count > 1 ? report->variants.items[variant].name : NULL;
}

static void write_case(struct junit *junit, const struct report *report,
		       const struct report_series *series, const struct report_finding *finding)
{
	_cleanup_free_ char *classname = junit_classname(series->benchmark);
	_cleanup_free_ char *name =
		junit_case_name(&junit->names, classname, series->benchmark, series->metric,
				series->params, case_variant(report, finding->variant));

	open_case(junit, report, classname, name, finding->duration_s);
	if (is_flavour(report, JUNIT_RICH))
		junit_case_properties(junit, series, finding);
	case_outcome(junit, report, series, finding);
	junit_close(junit);
}

static void write_boot_case(struct junit *junit, const struct report *report, size_t index)
{
	const struct report_variant *variant = &report->variants.items[index];
	_cleanup_free_ char *name = junit_case_name(&junit->names, "boot", "boot", "boot", "",
						    case_variant(report, index));
	_cleanup_(strbuf_release) struct strbuf message = STRBUF_INIT;
	_cleanup_(strbuf_release) struct strbuf body = STRBUF_INIT;

	junit_boot_message(&message, variant);
	junit_boot_body(&body, variant);
	open_case(junit, report, "boot", name, 0);
	junit_outcome(junit, "error", "benchmark-crash", &message, &body);
	junit_close(junit);
}

static void suite_attributes(struct junit *junit, const struct report *report, size_t index)
{
	struct junit_counts counts = count_variant(report, index);
	_cleanup_free_ char *name = junit_suite_name(&junit->names, &report->variants.items[index]);

	junit_attribute(junit, "name", name);
	junit_suite_counts(junit, &counts);
	junit_attribute_line(junit, "timestamp", report->created_at);
	junit_attribute_line(junit, "hostname", report->hostname);
	junit_attribute_count(junit, "id", index);
	junit_attribute(junit, "package", "kregress");
}

/* What cases have to say, and their files, where they have no output of their own. */
static void append_case_outputs(struct strbuf *out, const struct report *report, size_t index)
{
	array_for_each (series, &report->series) {
		const struct report_finding *finding = &series->findings.items[index];
		enum junit_outcome kind = junit_outcome_of(report, finding);
		_cleanup_(strbuf_release) struct strbuf name = STRBUF_INIT;

		if (series->context || kind == JUNIT_SKIPPED)
			continue;
		if (kind != JUNIT_PASSED) {
			junit_attachments(out, report, finding);
			continue;
		}
		format_series_name(&name, series);
		junit_line(out, strbuf_text(&name), TITLE_LIMIT);
		strbuf_append(out, ": ");
		junit_message(out, report, series, finding);
		strbuf_printf(out, "; finding %s\n", finding->id);
	}
}

static void suite_output(struct junit *junit, const struct report *report, size_t index)
{
	_cleanup_(strbuf_release) struct strbuf out = STRBUF_INIT;
	_cleanup_(strbuf_release) struct strbuf failed = STRBUF_INIT;
	_cleanup_free_ char *line =
		xasprintf("%s against the base %s: kregress " KREGRESS_VERSION,
			  report->variants.items[index].name, report->base.name);

	junit_line(&out, line, TITLE_LIMIT);
	strbuf_append_char(&out, '\n');
	if (is_flavour(report, JUNIT_ANT))
		append_case_outputs(&out, report, index);
	junit_element(junit, "system-out", &out);
	junit_failed_boots(&failed, &report->base);
	junit_failed_boots(&failed, &report->variants.items[index]);
	junit_element(junit, "system-err", &failed);
}

static void write_suite(struct junit *junit, const struct report *report, size_t index)
{
	junit_open(junit, "testsuite");
	suite_attributes(junit, report, index);
	junit_suite_properties(junit, report, index);
	if (junit_has_boot_case(&report->variants.items[index]))
		write_boot_case(junit, report, index);
	array_for_each (series, &report->series)
		if (!series->context)
			write_case(junit, report, series, &series->findings.items[index]);
	suite_output(junit, report, index);
	junit_close(junit);
}

static void write_suites(struct junit *junit, const void *report)
{
	for (size_t i = 0; i < ((const struct report *)report)->variants.count; i++)
		write_suite(junit, report, i);
}

int report_write_junit(const struct report *report, struct strbuf *out, struct error *err)
{
	struct junit_counts counts = count_all(report);

	return junit_document_write(write_suites, report, report->presentation.junit_flavour,
				    &counts, out, err);
}
