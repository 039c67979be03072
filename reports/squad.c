/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The three files that SQUAD takes for a build and environment: metrics.json with the boots'
 * values, tests.json with the verdicts, metadata.json with where they come from. Method: SQUAD's
 * documentation, "Submitting results".
 */
#include "reports/export_names.h"
#include "reports/format.h"
#include "reports/json_value.h"
#include "reports/writers.h"

/* "sched.hackbench/time [groups=4]": SQUAD takes what stands before the last '/' for the suite. */
static char *metric_name(const struct report *report, const struct report_series *series,
			 const struct report_finding *finding, struct export_names *names)
{
	_cleanup_free_ char *suite = export_clean(series->benchmark, "._-");
	_cleanup_(strbuf_release) struct strbuf name = STRBUF_INIT;
	_cleanup_free_ char *metric = NULL;
	_cleanup_free_ char *full = NULL;

	strbuf_append(&name, series->metric);
	if (*series->params)
		strbuf_printf(&name, " [%s]", series->params);
	if (report->variants.count > 1)
		strbuf_printf(&name, " @%s", report->variants.items[finding->variant].name);
	metric = export_clean(strbuf_text(&name), "._- []=,:@+%");
	full = xasprintf("%s/%s", suite, metric);
	return export_name_claim(names, full, finding);
}

static json_t *metric_value(const struct report_series *series,
			    const struct report_finding *finding)
{
	json_t *object = json_object();
	json_t *values = json_array();

	array_for_each (value, &finding->values)
		json_array_append_new(values, json_number(*value, true));
	json_object_set_new(object, "value", values);
	json_object_set_new(object, "unit", json_text(series->unit));
	return object;
}

static const char *outcome(const struct report_finding *finding)
{
	switch (finding->comparison.verdict) {
	case VERDICT_REGRESSED:
	case VERDICT_FAILED:
		return "fail";
	case VERDICT_INCONCLUSIVE:
		return "skip";
	default:
		return "pass";
	}
}

/* One entry per finding, by the same names in both files. */
static json_t *document(const struct report *report, bool with_values)
{
	struct export_names names = {0};
	json_t *root = json_object();

	array_for_each (series, &report->series) {
		array_for_each (finding, &series->findings) {
			_cleanup_free_ char *name = NULL;

			if (series->context)
				continue;
			name = metric_name(report, series, finding, &names);
			if (!with_values)
				json_object_set_new(root, name, json_string(outcome(finding)));
			else if (export_has_value(series, finding))
				json_object_set_new(root, name, metric_value(series, finding));
		}
	}
	export_names_release(&names);
	return root;
}

int report_write_squad_metrics(const struct report *report, struct strbuf *out, struct error *err)
{
	return json_append(out, document(report, true), err);
}

int report_write_squad_tests(const struct report *report, struct strbuf *out, struct error *err)
{
	return json_append(out, document(report, false), err);
}

static json_t *findings_object(const struct report *report)
{
	struct export_names names = {0};
	json_t *object = json_object();

	array_for_each (series, &report->series) {
		array_for_each (finding, &series->findings) {
			_cleanup_free_ char *name = NULL;

			if (series->context)
				continue;
			name = metric_name(report, series, finding, &names);
			json_object_set_new(object, name, json_string(finding->id));
		}
	}
	export_names_release(&names);
	return object;
}

int report_write_squad_metadata(const struct report *report, struct strbuf *out, struct error *err)
{
	_cleanup_free_ char *datetime = xasprintf("%s+00:00", report->created_at);
	const struct report_variant *variant = report->variants.items;
	json_t *root = json_object();

	json_object_set_new(root, "datetime", json_text(datetime));
	/* Unique per submission, which SQUAD checks. */
	json_object_set_new(root, "job_id", json_text(variant->run_set_id));
	json_object_set_new(root, "job_status", json_string("Complete"));
	json_object_set_new(root, "generator", json_string("kregress " KREGRESS_VERSION));
	json_object_set_new(root, "base", json_text(report->base.name));
	json_object_set_new(root, "variant", json_text(variant->name));
	json_object_set_new(root, "kernel", json_text(variant->kernel));
	json_object_set_new(root, "base_kernel", json_text(report->base.kernel));
	json_object_set_new(root, "machine", json_text(report->machine));
	json_object_set_new(root, "findings", findings_object(report));
	return json_append(out, root, err);
}
