/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A history as JUnit XML: a suite per variant and machine class, a case per series, named as in the
 * reports of comparisons. An alert fails, an acknowledged regression is skipped, and so is a series
 * that could not be searched; what else there is stands in the output of a case that passed.
 */
#include "common/number.h"
#include "reports/history_describe.h"
#include "reports/junit_body.h"
#include "reports/junit_document.h"

/* What `rich` names as a case's file when nothing else is known: what says how to measure. */
#define SOURCE_FILE "kregress.conf"

/* Series that share a suite: one variant on one machine class. */
struct timeline_range {
	const struct history_report *report;
	size_t first;
	size_t end;
};

static size_t end_of_timeline(const struct history_report *report, size_t first)
{
	const struct history_series *series = report->series.items;
	size_t end = first + 1;

	while (end < report->series.count && history_same_timeline(&series[end], &series[first]))
		end++;
	return end;
}

/* NULL when the series was searched. */
static const char *why_unsearched(const struct history_series *series)
{
	if (!series->known)
		return "not searched: a value is not finite";
	if (series->run_sets && series->run_sets < (size_t)2 * CHANGE_MIN_SEGMENT)
		return "too few run sets to find a change";
	return NULL;
}

static const struct history_change *gravest_of(const struct history_series *series)
{
	const struct history_change *gravest = NULL;

	array_for_each (change, &series->changes)
		if (!gravest || change->grade < gravest->grade)
			gravest = change;
	return gravest;
}

static bool is_fresh_improvement(const struct history_change *change)
{
	return change->grade == HISTORY_IMPROVED && change->finding->state == FINDING_NEW;
}

static enum junit_outcome outcome_of(const struct history_report *report,
				     const struct history_series *series)
{
	const struct history_change *gravest = gravest_of(series);

	if (gravest && gravest->grade == HISTORY_REGRESSED)
		return JUNIT_FAILURE;
	if (gravest && gravest->grade == HISTORY_ACKNOWLEDGED)
		return JUNIT_SKIPPED;
	if (gravest && is_fresh_improvement(gravest))
		return junit_outcome_as(report->presentation.improvement, JUNIT_PASSED);
	if (why_unsearched(series))
		return junit_outcome_as(report->presentation.inconclusive, JUNIT_SKIPPED);
	return JUNIT_PASSED;
}

static const char *type_of(const struct history_series *series)
{
	const struct history_change *gravest = gravest_of(series);

	if (!gravest)
		return "performance-inconclusive";
	return gravest->grade == HISTORY_REGRESSED ? "performance-regression"
						   : "performance-improvement";
}

static struct junit_counts count(const struct timeline_range *range)
{
	struct junit_counts counts = {0};

	for (size_t i = range->first; i < range->end; i++) {
		enum junit_outcome outcome =
			outcome_of(range->report, &range->report->series.items[i]);

		counts.tests++;
		counts.failures += outcome == JUNIT_FAILURE;
		counts.skipped += outcome == JUNIT_SKIPPED;
	}
	return counts;
}

static void change_line(struct strbuf *out, const struct history_report *report,
			const struct history_series *series, const struct history_change *change)
{
	_cleanup_(strbuf_release) struct strbuf text = STRBUF_INIT;

	history_change_sentence(&text, report, series, change);
	junit_line(out, strbuf_text(&text), JUNIT_MESSAGE_LIMIT);
}

/* The gravest change, or what else there is to say, on one line. */
static void message(struct strbuf *out, const struct history_report *report,
		    const struct history_series *series)
{
	const struct history_change *gravest = gravest_of(series);

	if (gravest)
		change_line(out, report, series, gravest);
	else if (why_unsearched(series))
		strbuf_append(out, why_unsearched(series));
	else if (series->run_sets)
		strbuf_printf(out, "no change in %zu run sets", series->run_sets);
	else
		strbuf_append(out, "no change");
}

/* The message, the other changes, and what to do. */
static void body(struct strbuf *out, const struct history_report *report,
		 const struct history_series *series)
{
	const struct history_change *gravest = gravest_of(series);
	_cleanup_(strbuf_release) struct strbuf text = STRBUF_INIT;
	_cleanup_(strbuf_release) struct strbuf name = STRBUF_INIT;

	message(&text, report, series);
	strbuf_append_char(&text, '\n');
	history_series_name(&name, report, series);
	junit_line(&text, strbuf_text(&name), JUNIT_MESSAGE_LIMIT);
	strbuf_printf(&text, ", %s is better, run sets by %s\n", better_name(series->better),
		      history_order_name(series->order));
	array_for_each (change, &series->changes) {
		if (change == gravest)
			continue;
		change_line(&text, report, series, change);
		strbuf_append_char(&text, '\n');
	}
	if (gravest && gravest->grade == HISTORY_REGRESSED)
		strbuf_printf(&text, "find the commit: kregress bisect start --finding %s\n",
			      gravest->finding->id);
	junit_bounded(out, &text, JUNIT_BODY_LIMIT);
}

static void property_number(struct junit *junit, const char *name, double value)
{
	_cleanup_(strbuf_release) struct strbuf text = STRBUF_INIT;

	number_append_significant(&text, value, 6);
	junit_property_text(junit, name, &text);
}

/* Of the gravest change. */
static void case_properties(struct junit *junit, const struct history_series *series)
{
	const struct history_change *gravest = gravest_of(series);

	junit_open(junit, "properties");
	junit_property(junit, "metric", series->metric);
	junit_property(junit, "unit", series->unit);
	junit_property(junit, "better", better_name(series->better));
	if (gravest && gravest->finding) {
		junit_property(junit, "finding", gravest->finding->id);
		junit_property(junit, "state", finding_state_name(gravest->finding->state));
	}
	if (gravest) {
		property_number(junit, "before", gravest->before);
		property_number(junit, "after", gravest->after);
		property_number(junit, "p", gravest->p);
	}
	if (gravest && gravest->q >= 0)
		property_number(junit, "q", gravest->q);
	junit_close(junit);
}

static void open_case(struct junit *junit, const struct timeline_range *range,
		      const struct history_series *series)
{
	const struct presentation *presentation = &range->report->presentation;
	_cleanup_free_ char *variant =
		range->report->several ? xasprintf("%s%s%s", series->variant ? series->variant : "",
						   series->machine ? " " : "",
						   series->machine ? series->machine : "")
				       : NULL;
	_cleanup_free_ char *classname = junit_classname(series->benchmark);
	_cleanup_free_ char *name = junit_case_name(&junit->names, classname, series->benchmark,
						    *series->metric ? series->metric : "value",
						    series->params, variant);

	junit_open(junit, "testcase");
	junit_attribute(junit, "classname", classname);
	junit_attribute(junit, "name", name);
	junit_attribute_time(junit, 0);
	if (presentation->junit_flavour != JUNIT_RICH)
		return;
	junit_attribute_line(junit, "file",
			     presentation->source_file ? presentation->source_file : SOURCE_FILE);
	junit_attribute_count(junit, "line", 1);
	case_properties(junit, series);
}

static void write_case(struct junit *junit, const struct timeline_range *range,
		       const struct history_series *series)
{
	enum junit_outcome outcome = outcome_of(range->report, series);
	_cleanup_(strbuf_release) struct strbuf line = STRBUF_INIT;
	_cleanup_(strbuf_release) struct strbuf text = STRBUF_INIT;

	open_case(junit, range, series);
	message(&line, range->report, series);
	body(&text, range->report, series);
	if (outcome == JUNIT_FAILURE)
		junit_outcome(junit, "failure", type_of(series), &line, &text);
	else if (outcome == JUNIT_SKIPPED)
		junit_outcome(junit, "skipped", NULL, &line, &text);
	else if (range->report->presentation.junit_flavour != JUNIT_ANT)
		junit_element(junit, "system-out", &text);
	junit_close(junit);
}

static void write_properties(struct junit *junit, const struct timeline_range *range)
{
	const struct history_report *report = range->report;
	const struct history_series *series = &report->series.items[range->first];
	_cleanup_(strbuf_release) struct strbuf value = STRBUF_INIT;

	junit_open(junit, "properties");
	junit_property(junit, "tool.version", KREGRESS_VERSION);
	number_append_exact(&value, report->alpha);
	junit_property_text(junit, "alpha", &value);
	junit_property(junit, "method", change_method_name(report->method));
	junit_property(junit, "order", history_order_name(series->order));
	if (report->source)
		junit_property(junit, "source", report->source);
	if (report->repository)
		junit_property(junit, "repository", report->repository);
	if (report->since)
		junit_property(junit, "since", report->since);
	if (series->variant)
		junit_property(junit, "variant", series->variant);
	if (series->machine)
		junit_property(junit, "machine", series->machine);
	array_for_each (note, &report->notes)
		junit_property(junit, "note", *note);
	junit_close(junit);
}

/* Ant's schema has no output of cases: what passed says it here. */
static void suite_output(struct junit *junit, const struct timeline_range *range)
{
	const struct history_report *report = range->report;
	_cleanup_(strbuf_release) struct strbuf out = STRBUF_INIT;
	_cleanup_(strbuf_release) struct strbuf nothing = STRBUF_INIT;

	history_counts(&out, report);
	strbuf_append(&out, ": kregress " KREGRESS_VERSION "\n");
	for (size_t i = range->first; i < range->end; i++) {
		const struct history_series *series = &report->series.items[i];
		_cleanup_(strbuf_release) struct strbuf name = STRBUF_INIT;

		if (report->presentation.junit_flavour != JUNIT_ANT ||
		    outcome_of(report, series) != JUNIT_PASSED || !series->changes.count)
			continue;
		history_series_name(&name, report, series);
		junit_line(&out, strbuf_text(&name), JUNIT_MESSAGE_LIMIT);
		strbuf_append(&out, ": ");
		message(&out, report, series);
		strbuf_append_char(&out, '\n');
	}
	junit_element(junit, "system-out", &out);
	junit_element(junit, "system-err", &nothing);
}

static void write_suite(struct junit *junit, const struct timeline_range *range, size_t id)
{
	const struct history_report *report = range->report;
	const struct history_series *first = &report->series.items[range->first];
	struct report_variant variant = {
		.name = first->variant ? first->variant : first->benchmark,
		.target = (char *)"history",
		.machine = first->machine,
	};
	_cleanup_free_ char *name = junit_suite_name(&junit->names, &variant);
	struct junit_counts counts = count(range);

	junit_open(junit, "testsuite");
	junit_attribute(junit, "name", name);
	junit_suite_counts(junit, &counts);
	junit_attribute_line(junit, "timestamp",
			     report->created_at ? report->created_at : "1970-01-01T00:00:00");
	junit_attribute_line(junit, "hostname", report->hostname ? report->hostname : "localhost");
	junit_attribute_count(junit, "id", id);
	junit_attribute(junit, "package", "kregress");
	write_properties(junit, range);
	for (size_t i = range->first; i < range->end; i++)
		write_case(junit, range, &report->series.items[i]);
	suite_output(junit, range);
	junit_close(junit);
}

static void write_suites(struct junit *junit, const void *data)
{
	const struct history_report *report = data;
	struct timeline_range range = {.report = report};

	for (size_t id = 0; range.first < report->series.count; id++) {
		range.end = end_of_timeline(report, range.first);
		write_suite(junit, &range, id);
		range.first = range.end;
	}
}

int history_write_junit(const struct history_report *report, struct strbuf *out, struct error *err)
{
	struct timeline_range all = {report, 0, report->series.count};
	struct junit_counts counts = count(&all);

	return junit_document_write(write_suites, report, report->presentation.junit_flavour,
				    &counts, out, err);
}
