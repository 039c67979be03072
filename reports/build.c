/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "reports/build.h"

#include "common/text.h"
#include "reports/format.h"
#include "reports/look.h"

/* Length of "2026-11-30T20:33:07". */
#define TIMESTAMP_LENGTH 19

/* Stands for a time that no set knows. */
#define UNKNOWN_TIME "1970-01-01T00:00:00"

static bool is_timestamp(const char *text)
{
	static const char shape[] = "dddd-dd-ddTdd:dd:dd";

	for (size_t i = 0; i < TIMESTAMP_LENGTH; i++) {
		bool digit = text[i] >= '0' && text[i] <= '9';

		if (shape[i] == 'd' ? !digit : text[i] != shape[i])
			return false;
	}
	return true;
}

/* The later of two times that sort as text; what is no time does not count. */
static const char *later(const char *time, const char *candidate)
{
	if (!candidate || !is_timestamp(candidate))
		return time;
	return strncmp(candidate, time, TIMESTAMP_LENGTH) > 0 ? candidate : time;
}

static char *creation_time(const struct report_input *input)
{
	const char *time = later(UNKNOWN_TIME, input->options->created_at);

	if (time != input->options->created_at) {
		time = later(time, input->base->created_at);
		for (size_t i = 0; i < input->count; i++)
			time = later(time, input->variants[i]->created_at);
	}
	return xstrndup(time, TIMESTAMP_LENGTH);
}

static char *host_name(const struct report *report, const struct report_options *options)
{
	if (options->hostname && *options->hostname)
		return xstrdup(options->hostname);
	array_for_each (item, &report->base.environment)
		if (!strcmp(item->key, "machine.hostname") && *item->value)
			return xstrdup(item->value);
	return xstrdup("localhost");
}

static void mark_name(struct report_variant *variant)
{
	char *marked = xasprintf("%s@%.8s", variant->name, variant->run_set_id);

	free(variant->name);
	variant->name = marked;
}

/* Sets of one name, as in a comparison of a variant with itself, are told apart by their ids. */
static void distinguish_names(struct report *report)
{
	size_t count = report->variants.count + 1;
	struct report_variant **all = xcalloc(count, sizeof(struct report_variant *));
	bool *twin = xcalloc(count, sizeof(*twin));

	all[0] = &report->base;
	for (size_t i = 1; i < count; i++)
		all[i] = &report->variants.items[i - 1];
	for (size_t i = 0; i < count; i++)
		for (size_t j = 0; j < count; j++)
			twin[i] |= i != j && !strcmp(all[i]->name, all[j]->name);
	for (size_t i = 0; i < count; i++)
		if (twin[i])
			mark_name(all[i]);
	free(twin);
	free(all);
}

static void describe(struct report *report, const struct report_input *input)
{
	const struct report_options *options = input->options;
	_cleanup_(strbuf_release) struct strbuf looks = STRBUF_INIT;

	report_describe_variant(&report->base, input->base);
	for (size_t i = 0; i < input->count; i++)
		report_describe_variant(array_append(&report->variants), input->variants[i]);
	distinguish_names(report);
	report->created_at = creation_time(input);
	report->hostname = host_name(report, options);
	report->machine = xstrdup(report->base.machine);
	report->alpha = look_level(input->base, input->variants, input->count, options->alpha,
				   options->method, &looks);
	report->looked_at = looks.length > 0;
	if (looks.length)
		string_list_add(&report->notes, strbuf_text(&looks));
	report->limit_frac = options->limit_frac;
	report->method = options->method;
	report->adjustment = options->adjustment;
	report->effects = options->effects;
	report->seed = input->base->seed;
}

/*
 * What makes a finding the same finding in another run: names, not set ids. Each part ends with a
 * line feed, so that no two lists of parts give one text.
 */
static char *finding_id(const struct report_input *input, const struct report_series *series,
			const struct report_finding *finding)
{
	_cleanup_(strbuf_release) struct strbuf key = STRBUF_INIT;
	const struct run_set *base = input->base;
	struct strbuf id = STRBUF_INIT;

	strbuf_printf(&key, "%s\n%s\n%s\n%s\n%s\n%s\n", series->benchmark, series->params,
		      series->metric, base->machine ? base->machine : "", base->variant,
		      input->variants[finding->variant]->variant);
	text_append_digest(&id, strbuf_text(&key), key.length, 16);
	return strbuf_take(&id);
}

/* How many series have samples in each boot: they share the boot's duration. */
static size_t series_in_boot(const struct run_set *set, size_t boot)
{
	size_t count = 0;

	array_for_each (series, &set->series) {
		array_for_each (sample, &series->samples) {
			if (sample->boot == boot) {
				count++;
				break;
			}
		}
	}
	return count;
}

/* The time that each series with samples in a boot took, by equal shares; one entry per boot. */
static double *boot_shares_s(const struct run_set *set)
{
	double *shares_s = xcalloc(set->boots.count + 1, sizeof(*shares_s));

	for (size_t i = 0; i < set->boots.count; i++) {
		size_t sharers = series_in_boot(set, i);

		if (sharers && set->boots.items[i].duration_s > 0)
			shares_s[i] = set->boots.items[i].duration_s / (double)sharers;
	}
	return shares_s;
}

static double series_duration_s(const struct run_set *set, const struct series *series,
				const double *shares_s)
{
	double total_s = 0;
	uint32_t last = UINT32_MAX;

	if (!series)
		return 0;
	array_for_each (sample, &series->samples) {
		if (sample->boot != last && sample->boot < set->boots.count)
			total_s += shares_s[sample->boot];
		last = sample->boot;
	}
	return total_s;
}

/* Looks share one level, so they must share one test, too: no change to pairs on the way. */
static enum method method_for(const struct report *report, const struct metric *metric)
{
	bool fixed = report->looked_at && !(metric && metric->deterministic);

	return report->method == METHOD_AUTO && fixed ? METHOD_WELCH : report->method;
}

/* Blocks say something about each other only within one collection. */
static bool interleaved(const struct run_set *base, const struct run_set *set)
{
	return base->collection && set->collection && !strcmp(base->collection, set->collection);
}

static struct comparison_input comparison_input_of(const struct report *report,
						   const struct report_input *input,
						   const struct report_series *series,
						   const struct report_finding *finding)
{
	const struct metric *metric = metric_find(series->metric);
	bool pairs = interleaved(input->base, input->variants[finding->variant]);

	return (struct comparison_input){
		.base = series->base_values.items,
		.n_base = series->base_values.count,
		.candidate = finding->values.items,
		.n_candidate = finding->values.count,
		.better = series->better,
		.deterministic = metric && metric->deterministic,
		.limit_frac = finding->limit_frac,
		.alpha = report->alpha,
		.method = method_for(report, metric),
		.base_block = pairs ? series->base_blocks.items : NULL,
		.candidate_block = pairs ? finding->blocks.items : NULL,
		.seed = (unsigned long)report->seed,
	};
}

static void note_calibration(const struct report_input *input, const struct report_series *series,
			     struct report_finding *finding)
{
	const struct calibration *found = calibration_find(
		input->options->calibrations, series->benchmark, series->params, series->metric);

	if (!found)
		return;
	finding->calibration.boots = found->boots;
	finding->calibration.noise_floor_frac = found->noise_floor_frac;
	finding->calibration.false_alarm_frac = found->false_alarm_frac;
}

static void measure_finding(struct report *report, const struct report_input *input,
			    struct report_series *series, struct report_finding *finding,
			    const struct series *base, size_t base_samples)
{
	const struct run_set *set = input->variants[finding->variant];
	const struct series *candidate =
		run_set_find(set, series->benchmark, series->params, series->metric);
	struct comparison_input numbers;
	enum verdict verdict;
	size_t warm_up = 0;

	finding->id = finding_id(input, series, finding);
	finding->limit_frac = report_limit_for(input->options, series->benchmark, series->params);
	finding->base_samples = base_samples;
	note_calibration(input, series, finding);
	finding->samples =
		report_boot_values(set, candidate, &finding->values, &finding->blocks, &warm_up);
	report_find_problem(report, input, series, finding, candidate);
	if (finding->problem == PROBLEM_MIXED) {
		array_release(&finding->values);
		array_release(&finding->blocks);
		finding->samples = 0;
	}
	finding->quality = data_quality_of(candidate, finding->values.items, finding->values.count,
					   warm_up, report->alpha);
	verdict = finding->comparison.verdict;
	numbers = comparison_input_of(report, input, series, finding);
	finding->comparison = comparison_measure(&numbers);
	if (finding->problem == PROBLEM_NONE &&
	    (series->base_quality.modes.known || finding->quality.modes.known))
		finding->modes = mode_comparison_of(base, candidate, report->alpha);
	if (report->effects)
		finding->effects = comparison_effects_of(&numbers);
	if (finding->problem != PROBLEM_NONE) {
		finding->comparison.verdict = verdict;
		finding->comparison.reason = REASON_NO_SAMPLES;
	}
}

static void measure_series(struct report *report, const struct report_input *input,
			   struct report_series *series)
{
	const struct series *base =
		run_set_find(input->base, series->benchmark, series->params, series->metric);
	size_t warm_up = 0;
	size_t samples = report_boot_values(input->base, base, &series->base_values,
					    &series->base_blocks, &warm_up);

	series->base_quality = data_quality_of(base, series->base_values.items,
					       series->base_values.count, warm_up, report->alpha);
	array_for_each (finding, &series->findings)
		measure_finding(report, input, series, finding, base, samples);
}

static void set_durations(struct report *report, const struct run_set *set, const double *shares_s,
			  size_t variant, bool every_variant)
{
	array_for_each (series, &report->series) {
		double duration_s = series_duration_s(
			set, run_set_find(set, series->benchmark, series->params, series->metric),
			shares_s);

		array_for_each (finding, &series->findings)
			if (every_variant || finding->variant == variant)
				finding->duration_s += duration_s;
	}
}

static void measure_durations(struct report *report, const struct report_input *input)
{
	_cleanup_free_ double *base_s = boot_shares_s(input->base);

	set_durations(report, input->base, base_s, 0, true);
	for (size_t i = 0; i < input->count; i++) {
		_cleanup_free_ double *shares_s = boot_shares_s(input->variants[i]);

		set_durations(report, input->variants[i], shares_s, i, false);
	}
}

typedef ARRAY_OF(struct comparison) comparison_list;

/* Copies the judged comparisons out, or back in. */
static void transfer(struct report *report, comparison_list *list, bool back)
{
	size_t at = 0;

	array_for_each (series, &report->series) {
		array_for_each (finding, &series->findings) {
			if (series->context || finding->problem != PROBLEM_NONE)
				continue;
			if (back && at < list->count)
				finding->comparison = list->items[at++];
			else if (!back)
				*array_append(list) = finding->comparison;
		}
	}
}

static void adjust(struct report *report)
{
	comparison_list judged = {0};

	transfer(report, &judged, false);
	comparison_adjust_by(judged.items, judged.count, report->adjustment);
	transfer(report, &judged, true);
	array_release(&judged);
	array_for_each (series, &report->series)
		array_for_each (finding, &series->findings)
			if (series->context)
				comparison_adjust(&finding->comparison, 1);
}

static void decide(struct report *report, const struct report_input *input)
{
	array_for_each (series, &report->series) {
		array_for_each (finding, &series->findings) {
			struct comparison_input numbers =
				comparison_input_of(report, input, series, finding);

			if (finding->problem == PROBLEM_NONE)
				comparison_decide(&finding->comparison, &numbers);
		}
	}
}

/* Series that are only missing say that the sets have nothing to do with each other. */
/* A variant that never came up is a result, too. */
static bool has_result(const struct report *report)
{
	if (report->base.boots_failed)
		return true;
	array_for_each (variant, &report->variants)
		if (variant->boots_failed)
			return true;
	array_for_each (series, &report->series) {
		if (series->context)
			continue;
		array_for_each (finding, &series->findings)
			if (finding->problem == PROBLEM_NONE || finding->problem == PROBLEM_CRASH ||
			    finding->problem == PROBLEM_MIXED)
				return true;
	}
	return false;
}

/* "lock.a, lock.b", or why there is nothing. */
static char *content_of(const struct run_set *set)
{
	struct string_list names = {0};
	struct strbuf text = STRBUF_INIT;

	array_for_each (series, &set->series) {
		_cleanup_free_ char *label =
			series_label(series->benchmark, series->params ? series->params : "");

		if (!series->samples.count || string_list_contains(&names, label))
			continue;
		strbuf_printf(&text, "%s%s", names.count ? ", " : "", label);
		string_list_add(&names, label);
	}
	for (size_t i = 0; !text.length && i < set->boots.count; i++) {
		_cleanup_free_ char *reason = format_reason(set->boots.items[i].reason);

		if (set->boots.items[i].status == BOOT_FAILED)
			strbuf_printf(&text, "no samples, boot %zu failed: %s", i, reason);
	}
	if (!text.length)
		strbuf_append(&text, "no samples");
	string_list_release(&names);
	return strbuf_take(&text);
}

static int nothing_to_compare(const struct report_input *input, struct error *err)
{
	_cleanup_(strbuf_release) struct strbuf text = STRBUF_INIT;
	_cleanup_free_ char *base = content_of(input->base);

	strbuf_printf(&text, "nothing to compare: no series in common; %s: %s",
		      input->base->variant, base);
	for (size_t i = 0; i < input->count; i++) {
		_cleanup_free_ char *content = content_of(input->variants[i]);

		strbuf_printf(&text, "; %s: %s", input->variants[i]->variant, content);
	}
	error_set(err, ERROR_DATA, "%s", strbuf_text(&text));
	return error_hint(err, "compare sets that ran the same benchmarks with the same parameters "
			       "and metrics");
}

int report_build(const struct run_set *base, const struct run_set *const *variants, size_t count,
		 const struct report_options *options, struct report *report, struct error *err)
{
	struct report_input input = {base, variants, count, options};

	*report = (struct report){0};
	describe(report, &input);
	report_gather_series(report, &input);
	array_for_each (series, &report->series)
		measure_series(report, &input, series);
	if (!has_result(report)) {
		report_release(report);
		return nothing_to_compare(&input, err);
	}
	measure_durations(report, &input);
	adjust(report);
	decide(report, &input);
	report_gather_notes(report, &input);
	return 0;
}
