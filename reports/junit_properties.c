/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "reports/junit_properties.h"

#include "common/number.h"
#include "reports/format.h"

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

	junit_property(junit, role, variant->name);
	junit_property(junit, id, variant->run_set_id);
	junit_property(junit, kernel, variant->kernel ? variant->kernel : "unknown");
	junit_property(junit, cmdline, variant->cmdline ? variant->cmdline : "unknown");
	junit_property(junit, boots, boots_value);
	junit_property(junit, level, variant->level);
	array_for_each (item, &variant->environment) {
		_cleanup_free_ char *name = xasprintf("%s.environment.%s", role, item->key);

		junit_property(junit, name, item->value);
	}
}

static void analysis_properties(struct junit *junit, const struct report *report)
{
	_cleanup_(strbuf_release) struct strbuf value = STRBUF_INIT;

	junit_property(junit, "tool.version", KREGRESS_VERSION);
	number_append_exact(&value, report->alpha);
	junit_property_text(junit, "alpha", &value);
	junit_property(junit, "method", method_name(report->method));
	format_fraction(&value, report->limit_frac);
	junit_property_text(junit, "limit", &value);
	strbuf_printf(&value, "%llu", (unsigned long long)report->seed);
	junit_property_text(junit, "seed", &value);
	if (report->machine)
		junit_property(junit, "machine", report->machine);
	array_for_each (note, &report->notes)
		junit_property(junit, "note", *note);
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
		junit_property_text(junit, name, &value);
	}
}

void junit_suite_properties(struct junit *junit, const struct report *report, size_t variant)
{
	junit_open(junit, "properties");
	analysis_properties(junit, report);
	side_properties(junit, "base", &report->base);
	side_properties(junit, "new", &report->variants.items[variant]);
	finding_properties(junit, report, variant);
	junit_close(junit);
}

static void property_number(struct junit *junit, const char *name, double value)
{
	_cleanup_(strbuf_release) struct strbuf text = STRBUF_INIT;

	number_append_significant(&text, value, 6);
	junit_property_text(junit, name, &text);
}

static void estimate_properties(struct junit *junit, const struct comparison *comparison)
{
	property_number(junit, "base.mean", comparison->base.mean);
	property_number(junit, "new.mean", comparison->candidate.mean);
	property_number(junit, "base.n", (double)comparison->base.n);
	property_number(junit, "new.n", (double)comparison->candidate.n);
	if (comparison->ratio_known)
		property_number(junit, "ratio", comparison->ratio);
	if (comparison->ratio_known && comparison->ratio_ci.known) {
		property_number(junit, "ratio.low", comparison->ratio_ci.low);
		property_number(junit, "ratio.high", comparison->ratio_ci.high);
	}
	if (comparison->p_known) {
		property_number(junit, "p", comparison->p);
		property_number(junit, "q", comparison->q);
	}
}

void junit_case_properties(struct junit *junit, const struct report_series *series,
			   const struct report_finding *finding)
{
	junit_open(junit, "properties");
	junit_property(junit, "finding", finding->id);
	junit_property(junit, "verdict", verdict_name(finding->comparison.verdict));
	junit_property(junit, "metric", series->metric);
	junit_property(junit, "unit", series->unit);
	junit_property(junit, "better", better_name(series->better));
	property_number(junit, "limit", finding->limit_frac);
	if (finding->problem == PROBLEM_NONE)
		estimate_properties(junit, &finding->comparison);
	else
		junit_property(junit, "problem", finding_problem_name(finding->problem));
	junit_close(junit);
}
