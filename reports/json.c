/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * kregress-comparison-1: one entry per series and variant. A value that is not known is null;
 * text that is no UTF-8 has its ill-formed bytes written as \xNN.
 */
#include "common/text.h"
#include "reports/json_value.h"
#include "reports/writers.h"

/* The keys of an estimate with its CI. */
static json_t *estimate_value(double value, bool known, const struct interval *interval)
{
	json_t *object = json_object();
	bool has_interval = known && interval->known;

	json_object_set_new(object, "value", json_number(value, known));
	json_object_set_new(object, "low", json_number(interval->low, has_interval));
	json_object_set_new(object, "high", json_number(interval->high, has_interval));
	return object;
}

static json_t *values_array(const struct value_list *values)
{
	json_t *array = json_array();

	array_for_each (value, values)
		json_array_append_new(array, json_number(*value, true));
	return array;
}

static json_t *levels_value(const struct variance_components *components)
{
	static const char *const names[VARIANCE_LEVELS] = {
		[VARIANCE_BOOT] = "boot",
		[VARIANCE_INVOCATION] = "invocation",
		[VARIANCE_ITERATION] = "iteration",
	};
	json_t *object = json_object();

	for (int level = VARIANCE_LEVELS - 1; level >= 0; level--) {
		bool known = components->known && components->estimable[level];
		json_t *entry = json_object();

		json_object_set_new(entry, "variance",
				    json_number(components->variance[level], known));
		json_object_set_new(entry, "share",
				    json_number(components->share_frac[level], known));
		json_object_set_new(entry, "share_of_mean",
				    json_number(components->mean_share_frac[level], known));
		json_object_set_new(object, names[level], entry);
	}
	return object;
}

static json_t *modes_value(const struct modes *modes)
{
	json_t *array = json_array();
	const struct mode *const both[] = {&modes->low, &modes->high};

	for (size_t i = 0; modes->known && i < ARRAY_SIZE(both); i++) {
		json_t *mode = json_object();

		json_object_set_new(mode, "samples", json_count(both[i]->n));
		json_object_set_new(mode, "median", json_number(both[i]->median, true));
		json_array_append_new(array, mode);
	}
	return array;
}

/* What the samples of a side are like. */
static json_t *quality_value(const struct data_quality *quality)
{
	json_t *object = json_object();

	json_object_set_new(object, "levels", levels_value(&quality->components));
	json_object_set_new(object, "drift_p", json_number(quality->drift.p, quality->drift.known));
	json_object_set_new(object, "drift_slope",
			    json_number(quality->drift.slope, quality->drift.known));
	json_object_set_new(
		object, "autocorrelation",
		json_number(quality->autocorrelation.lag1, quality->autocorrelation.known));
	json_object_set_new(
		object, "effective_boots",
		json_number(quality->autocorrelation.effective_n, quality->autocorrelation.known));
	json_object_set_new(object, "warm_up_samples", json_count(quality->warm_up));
	json_object_set_new(object, "outliers", json_count(quality->outliers));
	json_object_set_new(object, "modes", modes_value(&quality->modes));
	return object;
}

static json_t *summary_value(const struct summary *summary, const struct report_variant *variant,
			     const struct value_list *values, size_t samples,
			     const struct data_quality *quality)
{
	json_t *object = json_object();
	bool known = summary->n > 0;

	json_object_set_new(object, "n", json_count(summary->n));
	json_object_set_new(object, "level", json_text(variant->level));
	json_object_set_new(object, "samples", json_count(samples));
	json_object_set_new(object, "mean", json_number(summary->mean, known));
	json_object_set_new(object, "median", json_number(summary->median, known));
	json_object_set_new(object, "sd", json_number(summary->sd, summary->n > 1));
	json_object_set_new(object, "min", json_number(summary->min, known));
	json_object_set_new(object, "max", json_number(summary->max, known));
	json_object_set_new(object, "values", values_array(values));
	json_object_set_new(object, "quality", quality_value(quality));
	return object;
}

static json_t *boots_needed_value(const struct comparison *comparison)
{
	bool open = comparison->verdict == VERDICT_INCONCLUSIVE ||
		    comparison->verdict == VERDICT_FAILED;

	if (open && !comparison->boots_needed)
		return json_null();
	return json_count(comparison->boots_needed);
}

static void set_statistics(json_t *object, const struct comparison *comparison, bool compared)
{
	bool tested = compared && comparison->p_known;

	json_object_set_new(object, "ratio",
			    estimate_value(comparison->ratio, compared && comparison->ratio_known,
					   &comparison->ratio_ci));
	json_object_set_new(object, "shift",
			    estimate_value(comparison->shift, compared, &comparison->shift_ci));
	json_object_set_new(object, "difference",
			    estimate_value(comparison->candidate.mean - comparison->base.mean,
					   compared, &comparison->difference_ci));
	json_object_set_new(object, "p", json_number(comparison->p, tested));
	json_object_set_new(object, "q", json_number(comparison->q, tested));
	json_object_set_new(object, "equivalence_p",
			    json_number(comparison->equivalence_p, compared));
	json_object_set_new(object, "effect",
			    json_number(comparison->effect, compared && comparison->effect_known));
	json_object_set_new(object, "detectable",
			    json_number(comparison->detectable_frac,
					compared && comparison->detectable_frac > 0));
	json_object_set_new(object, "method", json_string(method_name(comparison->method)));
	json_object_set_new(object, "method_reason",
			    json_string(method_reason_text(comparison->method_reason)));
	json_object_set_new(object, "blocks", json_count(comparison->blocks));
}

static void set_judgement(json_t *object, const struct report *report,
			  const struct report_series *series, const struct report_finding *finding)
{
	_cleanup_(strbuf_release) struct strbuf explanation = STRBUF_INIT;
	bool failed = finding->problem != PROBLEM_NONE;

	report_explain(&explanation, report, series, finding);
	json_object_set_new(object, "limit", json_number(finding->limit_frac, true));
	json_object_set_new(object, "verdict",
			    json_string(verdict_name(finding->comparison.verdict)));
	json_object_set_new(object, "problem",
			    failed ? json_string(finding_problem_name(finding->problem))
				   : json_null());
	json_object_set_new(object, "explanation", json_text(strbuf_text(&explanation)));
	json_object_set_new(object, "boots_needed", boots_needed_value(&finding->comparison));
	json_object_set_new(object, "duration_s",
			    json_number(finding->duration_s, finding->duration_s > 0));
	json_object_set_new(
		object, "noise_floor",
		json_number(finding->calibration.noise_floor_frac, finding->calibration.boots > 0));
	json_object_set_new(
		object, "false_alarm_rate",
		json_number(finding->calibration.false_alarm_frac, finding->calibration.boots > 0));
	json_object_set_new(object, "finding", json_string(finding->id));
}

static json_t *quantiles_value(const struct comparison_effects *effects)
{
	json_t *array = json_array();

	for (size_t i = 0; i < COMPARISON_QUANTILES; i++) {
		const struct shift_point *point = &effects->quantiles[i];
		json_t *entry = estimate_value(point->shift, point->known, &point->interval);

		json_object_set_new(entry, "quantile", json_number(point->fraction, true));
		json_object_set_new(entry, "base", json_number(point->base, point->known));
		json_object_set_new(entry, "new", json_number(point->candidate, point->known));
		json_array_append_new(array, entry);
	}
	return array;
}

/* The same change sized in other ways. */
static json_t *effects_value(const struct comparison_effects *effects)
{
	json_t *object = json_object();

	json_object_set_new(
		object, "hedges_g",
		estimate_value(effects->hedges.g, effects->hedges.known, &effects->hedges_ci));
	json_object_set_new(object, "cliffs_delta",
			    estimate_value(effects->cliff.delta, effects->cliff.known,
					   &effects->cliff.interval));
	json_object_set_new(object, "ratio_of_medians",
			    estimate_value(effects->medians.value, effects->medians.known,
					   &effects->medians.interval));
	json_object_set_new(object, "ratio_of_geometric_means",
			    estimate_value(effects->geometric_means.value,
					   effects->geometric_means.known,
					   &effects->geometric_means.interval));
	json_object_set_new(object, "ratio_bootstrap",
			    estimate_value(effects->means.ratio, effects->means.known,
					   &effects->means.interval));
	json_object_set_new(object, "spread_ratio",
			    json_number(effects->spread.ratio, effects->spread.known));
	json_object_set_new(object, "spread_p",
			    json_number(effects->spread.p, effects->spread.known));
	json_object_set_new(object, "quantiles", quantiles_value(effects));
	return object;
}

static json_t *mode_value(const struct comparison *comparison)
{
	json_t *object =
		estimate_value(comparison->ratio, comparison->ratio_known, &comparison->ratio_ci);

	json_object_set_new(object, "p", json_number(comparison->p, comparison->p_known));
	return object;
}

static json_t *mode_comparison_value(const struct mode_comparison *modes)
{
	json_t *object = json_object();

	if (!modes->known) {
		json_decref(object);
		return json_null();
	}
	json_object_set_new(object, "threshold", json_number(modes->threshold, true));
	json_object_set_new(object, "low", mode_value(&modes->low));
	json_object_set_new(object, "high", mode_value(&modes->high));
	json_object_set_new(object, "high_share_base",
			    json_number(modes->share.base.mean / 100, true));
	json_object_set_new(object, "high_share_new",
			    json_number(modes->share.candidate.mean / 100, true));
	json_object_set_new(object, "high_share_p",
			    json_number(modes->share.p, modes->share.p_known));
	return object;
}

static json_t *finding_value(const struct report *report, const struct report_series *series,
			     const struct report_finding *finding)
{
	const struct report_variant *variant = &report->variants.items[finding->variant];
	json_t *object = json_object();

	json_object_set_new(object, "benchmark", json_text(series->benchmark));
	json_object_set_new(object, "params", json_text(series->params));
	json_object_set_new(object, "metric", json_text(series->metric));
	json_object_set_new(object, "unit", json_text(series->unit));
	json_object_set_new(object, "better", json_string(better_name(series->better)));
	json_object_set_new(object, "variant", json_text(variant->name));
	json_object_set_new(object, "base",
			    summary_value(&finding->comparison.base, &report->base,
					  &series->base_values, finding->base_samples,
					  &series->base_quality));
	json_object_set_new(object, "new",
			    summary_value(&finding->comparison.candidate, variant, &finding->values,
					  finding->samples, &finding->quality));
	set_statistics(object, &finding->comparison, finding->problem == PROBLEM_NONE);
	set_judgement(object, report, series, finding);
	json_object_set_new(object, "by_mode", mode_comparison_value(&finding->modes));
	if (report->effects && finding->problem == PROBLEM_NONE)
		json_object_set_new(object, "effects", effects_value(&finding->effects));
	return object;
}

static json_t *series_array(const struct report *report, bool context)
{
	json_t *array = json_array();

	array_for_each (series, &report->series) {
		if (series->context != context)
			continue;
		array_for_each (finding, &series->findings)
			json_array_append_new(array, finding_value(report, series, finding));
	}
	return array;
}

static json_t *text_array(const struct string_list *list)
{
	json_t *array = json_array();

	array_for_each (item, list)
		json_array_append_new(array, json_text(*item));
	return array;
}

static json_t *environment_value(const struct report_variant *variant)
{
	json_t *object = json_object();

	array_for_each (item, &variant->environment) {
		_cleanup_(strbuf_release) struct strbuf key = STRBUF_INIT;

		text_append_visible(&key, item->key);
		json_object_set_new(object, strbuf_text(&key), json_text(item->value));
	}
	return object;
}

static json_t *run_set_value(const struct report_variant *variant)
{
	json_t *object = json_object();

	json_object_set_new(object, "name", json_text(variant->name));
	json_object_set_new(object, "id", json_text(variant->run_set_id));
	json_object_set_new(object, "target", json_text(variant->target));
	json_object_set_new(object, "machine", json_text(variant->machine));
	json_object_set_new(object, "kernel", json_text(variant->kernel));
	json_object_set_new(object, "cmdline", json_text(variant->cmdline));
	json_object_set_new(object, "level", json_text(variant->level));
	json_object_set_new(object, "boots_ok", json_count(variant->boots_ok));
	json_object_set_new(object, "boots_failed", json_count(variant->boots_failed));
	json_object_set_new(object, "failures", text_array(&variant->failures));
	json_object_set_new(object, "environment", environment_value(variant));
	return object;
}

static json_t *run_sets_array(const struct report *report)
{
	json_t *array = json_array();

	json_array_append_new(array, run_set_value(&report->base));
	array_for_each (variant, &report->variants)
		json_array_append_new(array, run_set_value(variant));
	return array;
}

static json_t *names_array(const struct report *report)
{
	json_t *array = json_array();

	array_for_each (variant, &report->variants)
		json_array_append_new(array, json_text(variant->name));
	return array;
}

static json_t *counts_value(const struct report *report)
{
	static const enum verdict verdicts[] = {VERDICT_REGRESSED, VERDICT_IMPROVED,
						VERDICT_EQUIVALENT, VERDICT_INCONCLUSIVE,
						VERDICT_FAILED};
	json_t *object = json_object();

	for (size_t i = 0; i < ARRAY_SIZE(verdicts); i++)
		json_object_set_new(object, verdict_name(verdicts[i]),
				    json_count(report_count(report, verdicts[i])));
	return object;
}

/* The seed is text: readers that keep numbers as doubles lose digits of 64 bits. */
static json_t *seed_value(uint64_t seed)
{
	_cleanup_free_ char *text = xasprintf("%llu", (unsigned long long)seed);

	return json_string(text);
}

static json_t *document(const struct report *report)
{
	json_t *root = json_object();

	json_object_set_new(root, "format", json_string("kregress-comparison-1"));
	json_object_set_new(root, "generator", json_string("kregress " KREGRESS_VERSION));
	json_object_set_new(root, "created_at", json_text(report->created_at));
	json_object_set_new(root, "hostname", json_text(report->hostname));
	json_object_set_new(root, "machine", json_text(report->machine));
	json_object_set_new(root, "base", json_text(report->base.name));
	json_object_set_new(root, "variants", names_array(report));
	json_object_set_new(root, "alpha", json_number(report->alpha, true));
	json_object_set_new(root, "limit", json_number(report->limit_frac, true));
	json_object_set_new(root, "method", json_string(method_name(report->method)));
	json_object_set_new(root, "seed", seed_value(report->seed));
	json_object_set_new(root, "counts", counts_value(report));
	json_object_set_new(root, "series", series_array(report, false));
	json_object_set_new(root, "context", series_array(report, true));
	json_object_set_new(root, "run_sets", run_sets_array(report));
	json_object_set_new(root, "notes", text_array(&report->notes));
	return root;
}

int report_write_json(const struct report *report, struct strbuf *out, struct error *err)
{
	return json_append(out, document(report), err);
}
