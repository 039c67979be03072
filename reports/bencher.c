/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Bencher Metric Format: benchmark -> measure -> value with bounds. The value is the mean of the
 * variant's boots, the bounds are their smallest and largest.
 */
#include "reports/export_names.h"
#include "reports/json_value.h"
#include "reports/writers.h"

static json_t *measure_of(const struct summary *summary)
{
	json_t *measure = json_object();

	json_object_set_new(measure, "value", json_number(summary->mean, true));
	json_object_set_new(measure, "lower_value", json_number(summary->min, true));
	json_object_set_new(measure, "upper_value", json_number(summary->max, true));
	return measure;
}

/* Bencher keeps units with its measures: one measure per metric and unit. */
static char *measure_name(const struct report_series *series)
{
	_cleanup_free_ char *full = *series->unit
					    ? xasprintf("%s (%s)", series->metric, series->unit)
					    : xstrdup(series->metric);
	json_t *visible = json_text(full);
	char *name = xstrdup(json_string_value(visible));

	json_decref(visible);
	return name;
}

static void add_finding(json_t *root, const struct report *report,
			const struct report_series *series, const struct report_finding *finding)
{
	_cleanup_free_ char *label = series_label(series->benchmark, series->params);
	const char *variant = report->variants.items[finding->variant].name;
	_cleanup_free_ char *full =
		report->variants.count > 1 ? xasprintf("%s @%s", label, variant) : xstrdup(label);
	_cleanup_free_ char *measure = measure_name(series);
	json_t *name = json_text(full);
	json_t *benchmark = json_object_get(root, json_string_value(name));

	if (!benchmark) {
		benchmark = json_object();
		json_object_set_new(root, json_string_value(name), benchmark);
	}
	/* What was cleaned to a name that is there already keeps its place under its id. */
	if (json_object_get(benchmark, measure))
		json_object_set_new(benchmark, finding->id,
				    measure_of(&finding->comparison.candidate));
	else
		json_object_set_new(benchmark, measure, measure_of(&finding->comparison.candidate));
	json_decref(name);
}

int report_write_bencher(const struct report *report, struct strbuf *out, struct error *err)
{
	json_t *root = json_object();

	array_for_each (series, &report->series)
		array_for_each (finding, &series->findings)
			if (export_has_value(series, finding))
				add_finding(root, report, series, finding);
	return json_append(out, root, err);
}
