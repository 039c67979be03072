/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <string.h>

#include "analyzer/noise_floor.h"
#include "cli/collecting.h"
#include "cli/reporting.h"
#include "cli/table_out.h"
#include "collector/host.h"

struct options {
	struct common_options common;
	struct collecting_options collecting;
	bool json;
};

static const struct option_spec specs[] = {
	OPTION_ROW(struct options, json, OPTION_FLAG, "json", 0, NULL, "print JSON"),
	COLLECTING_OPTIONS(struct options),
	COMMON_OPTIONS(struct options),
	OPTION_END,
};

static const double alpha = 0.05;

/* The boots of a series by block, where both sides have one. */
struct pairs {
	ARRAY_OF(double) first;
	ARRAY_OF(double) second;
};

static void pair_up(struct pairs *pairs, const struct report_series *series,
		    const struct report_finding *finding)
{
	for (size_t i = 0; i < series->base_values.count; i++)
		for (size_t j = 0; j < finding->values.count; j++) {
			if (series->base_blocks.items[i] != finding->blocks.items[j])
				continue;
			*array_append(&pairs->first) = series->base_values.items[i];
			*array_append(&pairs->second) = finding->values.items[j];
		}
}

static struct noise_floor measure(const struct report *report, const struct report_series *series,
				  const struct report_finding *finding)
{
	const struct metric *metric = metric_find(series->metric);
	struct pairs pairs = {0};
	struct noise_floor_input input;
	struct noise_floor floor;

	pair_up(&pairs, series, finding);
	input = (struct noise_floor_input){
		.first = pairs.first.items,
		.second = pairs.second.items,
		.n_blocks = pairs.first.count,
		.better = series->better,
		.deterministic = metric && metric->deterministic,
		.alpha = alpha,
		.seed = (unsigned long)report->seed,
	};
	floor = noise_floor_of(&input);
	array_release(&pairs.first);
	array_release(&pairs.second);
	return floor;
}

static void add_calibration(struct calibration_list *list, const struct report *report,
			    const struct report_series *series, const struct noise_floor *floor)
{
	*array_append(list) = (struct calibration){
		.machine = xstrdup(report->machine ? report->machine : ""),
		.benchmark = xstrdup(series->benchmark),
		.params = xstrdup(series->params),
		.metric = xstrdup(series->metric),
		.variant = xstrdup(report->base.name),
		.created_at = host_utc_now(),
		.boots = (uint32_t)floor->blocks,
		.false_alarm_frac = floor->false_alarm_frac,
		.noise_floor_frac = floor->floor_frac,
		.alpha = alpha,
	};
}

static void measure_all(const struct report *report, struct calibration_list *list)
{
	array_for_each (series, &report->series) {
		const struct report_finding *finding = series->findings.items;
		struct noise_floor floor;

		if (series->context || finding->problem != PROBLEM_NONE)
			continue;
		floor = measure(report, series, finding);
		if (floor.known)
			add_calibration(list, report, series, &floor);
	}
}

static int print_list(const struct calibration_list *list, bool json, struct error *err)
{
	static const char *const columns[] = {"benchmark",   "metric",	     "boots a side",
					      "noise floor", "false alarms", NULL};
	_cleanup_(table_out_release) struct table_out table = table_out_new(columns);

	array_for_each (item, list) {
		_cleanup_free_ char *label = series_label(item->benchmark, item->params);
		_cleanup_free_ char *boots = xasprintf("%u", item->boots);
		_cleanup_free_ char *floor = xasprintf("%.2f%%", 100 * item->noise_floor_frac);
		_cleanup_free_ char *alarms = xasprintf("%.1f%%", 100 * item->false_alarm_frac);

		table_out_add(&table,
			      (const char *const[]){label, item->metric, boots, floor, alarms});
	}
	return table_out_print(&table, json, err);
}

static int calibrate(struct session *session, const struct options *options,
		     const char *collection_id, struct error *err)
{
	const struct reporting_options judgement = {0};
	_cleanup_(run_set_list_release) struct run_set_list sets = {0};
	_cleanup_(calibration_list_release) struct calibration_list list = {0};
	struct report report;
	int result = -1;

	if (store_load_collection(session->store, collection_id, &sets, err) < 0 ||
	    reporting_build(session, &judgement, &sets, &report, err) < 0)
		return -1;
	measure_all(&report, &list);
	if (!list.count) {
		error_set(err, ERROR_DATA, "nothing to calibrate: no series has three blocks");
		error_hint(err, "collect more: --boots 10");
	} else if (store_put_calibrations(session->store, &list, err) == 0) {
		result = print_list(&list, options->json, err);
	}
	report_release(&report);
	return result;
}

static int run(int argc, char **argv, struct error *err)
{
	_cleanup_(session_close) struct session session = {0};
	_cleanup_(string_list_release) struct string_list words = {0}, twice = {0};
	_cleanup_free_ char *collection_id = NULL;
	const struct reporting_options judgement = {0};
	struct options options = {.collecting.boots = "10"};
	int result = -1;

	if (options_parse(specs, &options, argc, argv, &words, err) < 0 ||
	    check_words(&command_calibrate, &words, 1, 1, err) < 0)
		goto out;
	string_list_add(&twice, words.items[0]);
	string_list_add(&twice, words.items[0]);
	if (session_open(&session, &options.common, true, err) == 0 &&
	    collecting_run(&session, &options.collecting, &judgement, &twice, &collection_id,
			   err) == 0)
		result = calibrate(&session, &options, collection_id, err);
out:
	string_list_release(&options.collecting.bench);
	return result;
}

const struct command command_calibrate = {
	.name = "calibrate",
	.arguments = "VARIANT",
	.summary = "measure what this machine finds where there is nothing to find",
	.description =
		"Collects VARIANT twice, interleaved with itself, and compares the two over and "
		"over "
		"with the boots of each block exchanged at random. Prints, per series, the noise "
		"floor (the change that one in twenty such comparisons exceeds) and the "
		"false-alarm "
		"rate of the default method at 5%.\n\n"
		"Both are kept in the store for this class of machine and printed beside every "
		"later "
		"effect. By default 10 boots a side.",
	.examples = "  kregress calibrate voluntary --suite core\n",
	.options = specs,
	.run = run,
};
