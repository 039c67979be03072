/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * JUnit XML in the dialect that the common readers agree on: flat suites, one per variant; no
 * attribute or element beyond the Jenkins xunit schema; exactly one outcome child; times with
 * three places; provenance as properties of the suite.
 */
#include <libxml/xmlwriter.h>

#include "common/number.h"
#include "reports/format.h"
#include "reports/junit_body.h"
#include "reports/junit_check.h"
#include "reports/junit_names.h"
#include "reports/writers.h"

#define PROPERTY_LIMIT 4000

/* A document being written; `failed` sticks. */
struct junit {
	xmlTextWriterPtr writer;
	struct junit_names names;
	bool failed;
};

static void open_element(struct junit *junit, const char *name)
{
	junit->failed |= xmlTextWriterStartElement(junit->writer, BAD_CAST name) < 0;
}

/* With an end tag of its own even when empty: some readers take no empty-element tag here. */
static void close_element(struct junit *junit)
{
	junit->failed |= xmlTextWriterFullEndElement(junit->writer) < 0;
}

/* `value` is fit for XML. */
static void attribute(struct junit *junit, const char *name, const char *value)
{
	junit->failed |=
		xmlTextWriterWriteAttribute(junit->writer, BAD_CAST name, BAD_CAST value) < 0;
}

static void attribute_count(struct junit *junit, const char *name, size_t count)
{
	_cleanup_free_ char *text = xasprintf("%zu", count);

	attribute(junit, name, text);
}

static void attribute_line(struct junit *junit, const char *name, const char *value)
{
	_cleanup_(strbuf_release) struct strbuf line = STRBUF_INIT;

	junit_line(&line, value, PROPERTY_LIMIT);
	attribute(junit, name, strbuf_text(&line));
}

static void attribute_time(struct junit *junit, double seconds)
{
	_cleanup_(strbuf_release) struct strbuf text = STRBUF_INIT;

	number_append_fixed(&text, seconds, 3);
	attribute(junit, "time", strbuf_text(&text));
}

static void content(struct junit *junit, const struct strbuf *text)
{
	junit->failed |= xmlTextWriterWriteString(junit->writer, BAD_CAST strbuf_text(text)) < 0;
}

static void element(struct junit *junit, const char *name, const struct strbuf *text)
{
	open_element(junit, name);
	content(junit, text);
	close_element(junit);
}

static void count_finding(struct junit_counts *counts, const struct report_finding *finding)
{
	enum junit_outcome outcome = junit_outcome_of(finding);

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
			count_finding(&counts, &series->findings.items[index]);
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

static void property(struct junit *junit, const char *name, const char *value)
{
	open_element(junit, "property");
	attribute_line(junit, "name", name);
	attribute_line(junit, "value", value);
	junit->failed |= xmlTextWriterEndElement(junit->writer) < 0;
}

static void property_text(struct junit *junit, const char *name, struct strbuf *value)
{
	property(junit, name, strbuf_text(value));
	strbuf_clear(value);
}

/* One side of the comparison; `role` is "base" or "new". */
static void side_properties(struct junit *junit, const char *role,
			    const struct report_variant *variant)
{
	_cleanup_free_ char *kernel = xasprintf("%s.kernel", role);
	_cleanup_free_ char *cmdline = xasprintf("%s.cmdline", role);
	_cleanup_free_ char *id = xasprintf("%s.run_set", role);
	_cleanup_free_ char *boots = xasprintf("%s.boots", role);
	_cleanup_free_ char *boots_value =
		xasprintf("%zu ok, %zu failed", variant->boots_ok, variant->boots_failed);
	_cleanup_free_ char *level = xasprintf("%s.level", role);

	property(junit, role, variant->name);
	property(junit, id, variant->run_set_id);
	property(junit, kernel, variant->kernel ? variant->kernel : "unknown");
	property(junit, cmdline, variant->cmdline ? variant->cmdline : "unknown");
	property(junit, boots, boots_value);
	property(junit, level, variant->level);
	array_for_each (item, &variant->environment) {
		_cleanup_free_ char *name = xasprintf("%s.environment.%s", role, item->key);

		property(junit, name, item->value);
	}
}

static void analysis_properties(struct junit *junit, const struct report *report)
{
	_cleanup_(strbuf_release) struct strbuf value = STRBUF_INIT;

	property(junit, "tool.version", KREGRESS_VERSION);
	number_append_exact(&value, report->alpha);
	property_text(junit, "alpha", &value);
	property(junit, "method", method_name(report->method));
	format_fraction(&value, report->limit_frac);
	property_text(junit, "limit", &value);
	strbuf_printf(&value, "%llu", (unsigned long long)report->seed);
	property_text(junit, "seed", &value);
	if (report->machine)
		property(junit, "machine", report->machine);
	array_for_each (note, &report->notes)
		property(junit, "note", *note);
}

/* Findings worth tracking, by id; an improvement would not show in a case that passed. */
static void finding_properties(struct junit *junit, const struct report *report, size_t variant)
{
	array_for_each (series, &report->series) {
		const struct report_finding *finding = &series->findings.items[variant];
		enum verdict verdict = finding->comparison.verdict;
		_cleanup_(strbuf_release) struct strbuf value = STRBUF_INIT;
		_cleanup_free_ char *name = NULL;

		if (series->context || verdict == VERDICT_EQUIVALENT ||
		    verdict == VERDICT_INCONCLUSIVE)
			continue;
		name = xasprintf("finding.%s", finding->id);
		format_series_name(&value, series);
		strbuf_append_char(&value, ' ');
		report_explain(&value, report, series, finding);
		property_text(junit, name, &value);
	}
}

static void properties(struct junit *junit, const struct report *report, size_t variant)
{
	open_element(junit, "properties");
	analysis_properties(junit, report);
	side_properties(junit, "base", &report->base);
	side_properties(junit, "new", &report->variants.items[variant]);
	finding_properties(junit, report, variant);
	close_element(junit);
}

/* The outcome child. Its message is also the body's first line, as GitLab drops the attribute. */
static void outcome(struct junit *junit, const char *name, const char *type,
		    const struct strbuf *message, const struct strbuf *body)
{
	open_element(junit, name);
	if (type)
		attribute(junit, "type", type);
	attribute(junit, "message", strbuf_text(message));
	content(junit, body);
	close_element(junit);
}

static void case_outcome(struct junit *junit, const struct report *report,
			 const struct report_series *series, const struct report_finding *finding)
{
	static const char *const names[] = {
		[JUNIT_FAILURE] = "failure",
		[JUNIT_ERROR] = "error",
		[JUNIT_SKIPPED] = "skipped",
	};
	enum junit_outcome kind = junit_outcome_of(finding);
	_cleanup_(strbuf_release) struct strbuf message = STRBUF_INIT;
	_cleanup_(strbuf_release) struct strbuf body = STRBUF_INIT;

	junit_message(&message, report, series, finding);
	if (kind == JUNIT_PASSED) {
		strbuf_printf(&message, "; finding %s\n", finding->id);
		element(junit, "system-out", &message);
		return;
	}
	junit_body(&body, report, series, finding);
	outcome(junit, names[kind], junit_outcome_type(finding), &message, &body);
}

static void open_case(struct junit *junit, const char *classname, const char *name,
		      double duration_s)
{
	open_element(junit, "testcase");
	attribute(junit, "classname", classname);
	attribute(junit, "name", name);
	attribute_time(junit, duration_s);
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

	open_case(junit, classname, name, finding->duration_s);
	case_outcome(junit, report, series, finding);
	close_element(junit);
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
	open_case(junit, "boot", name, 0);
	outcome(junit, "error", "benchmark-crash", &message, &body);
	close_element(junit);
}

static void suite_attributes(struct junit *junit, const struct report *report, size_t index)
{
	struct junit_counts counts = count_variant(report, index);
	_cleanup_free_ char *name = junit_suite_name(&junit->names, &report->variants.items[index]);

	attribute(junit, "name", name);
	attribute_count(junit, "tests", counts.tests);
	attribute_count(junit, "failures", counts.failures);
	attribute_count(junit, "errors", counts.errors);
	attribute_count(junit, "skipped", counts.skipped);
	attribute_time(junit, counts.time_s);
	attribute_line(junit, "timestamp", report->created_at);
	attribute_line(junit, "hostname", report->hostname);
	attribute_count(junit, "id", index);
	attribute(junit, "package", "kregress");
}

static void suite_output(struct junit *junit, const struct report *report, size_t index)
{
	_cleanup_(strbuf_release) struct strbuf out = STRBUF_INIT;
	_cleanup_(strbuf_release) struct strbuf failed = STRBUF_INIT;
	_cleanup_free_ char *line =
		xasprintf("%s against the base %s: kregress " KREGRESS_VERSION,
			  report->variants.items[index].name, report->base.name);

	junit_line(&out, line, PROPERTY_LIMIT);
	strbuf_append_char(&out, '\n');
	element(junit, "system-out", &out);
	junit_failed_boots(&failed, &report->base);
	junit_failed_boots(&failed, &report->variants.items[index]);
	element(junit, "system-err", &failed);
}

static void write_suite(struct junit *junit, const struct report *report, size_t index)
{
	open_element(junit, "testsuite");
	suite_attributes(junit, report, index);
	properties(junit, report, index);
	if (junit_has_boot_case(&report->variants.items[index]))
		write_boot_case(junit, report, index);
	array_for_each (series, &report->series)
		if (!series->context)
			write_case(junit, report, series, &series->findings.items[index]);
	suite_output(junit, report, index);
	close_element(junit);
}

static void write_document(struct junit *junit, const struct report *report,
			   const struct junit_counts *counts)
{
	junit->failed |= xmlTextWriterSetIndent(junit->writer, 1) < 0;
	junit->failed |= xmlTextWriterStartDocument(junit->writer, NULL, "UTF-8", NULL) < 0;
	open_element(junit, "testsuites");
	attribute(junit, "name", "kregress");
	attribute_count(junit, "tests", counts->tests);
	attribute_count(junit, "failures", counts->failures);
	attribute_count(junit, "errors", counts->errors);
	attribute_time(junit, counts->time_s);
	for (size_t i = 0; i < report->variants.count; i++)
		write_suite(junit, report, i);
	close_element(junit);
	junit->failed |= xmlTextWriterEndDocument(junit->writer) < 0;
}

static int write_and_check(xmlBufferPtr buffer, const struct report *report, struct error *err)
{
	struct junit_counts counts = count_all(report);
	struct junit junit = {.writer = xmlNewTextWriterMemory(buffer, 0)};

	if (!junit.writer)
		return error_set(err, ERROR_IO, "JUnit: libxml2 gave no writer");
	write_document(&junit, report, &counts);
	xmlFreeTextWriter(junit.writer);
	junit_names_release(&junit.names);
	if (junit.failed)
		return error_set(err, ERROR_IO, "JUnit: libxml2 could not write the document");
	return junit_check((const char *)xmlBufferContent(buffer), (size_t)xmlBufferLength(buffer),
			   &counts, err);
}

int report_write_junit(const struct report *report, struct strbuf *out, struct error *err)
{
	xmlBufferPtr buffer = xmlBufferCreate();
	int result;

	if (!buffer)
		return error_set(err, ERROR_IO, "JUnit: libxml2 gave no buffer");
	result = write_and_check(buffer, report, err);
	if (result == 0)
		strbuf_append_bytes(out, xmlBufferContent(buffer), (size_t)xmlBufferLength(buffer));
	xmlBufferFree(buffer);
	return result;
}
