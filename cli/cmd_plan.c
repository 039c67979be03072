/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <math.h>
#include <stdint.h>

#include "analyzer/moments.h"
#include "analyzer/plan.h"
#include "cli/reporting.h"
#include "cli/table_out.h"
#include "common/number.h"
#include "reports/quality.h"

struct options {
	struct common_options common;
	double change_frac;
	double power_frac;
	double alpha_frac;
	double budget_s;
	double boot_cost_s;
	double sample_cost_s;
	bool json;
};

static const struct option_spec specs[] = {
	OPTION_ROW(struct options, change_frac, OPTION_FRACTION, "change", 'c', "CHANGE",
		   "change that is to be found (default 2%)"),
	OPTION_ROW(struct options, power_frac, OPTION_FRACTION, "power", 'p', "POWER",
		   "how surely it is to be found (default 80%)"),
	OPTION_ROW(struct options, alpha_frac, OPTION_FRACTION, "alpha", 'a', "RATE",
		   "error level (default 5%)"),
	OPTION_ROW(struct options, budget_s, OPTION_DURATION, "budget", 0, "TIME",
		   "at most so long; says then what can be found in it"),
	OPTION_ROW(struct options, boot_cost_s, OPTION_DURATION, "boot-cost", 0, "TIME",
		   "of a boot without its samples (default: what the stored boots took)"),
	OPTION_ROW(struct options, sample_cost_s, OPTION_DURATION, "sample-cost", 0, "TIME",
		   "of one sample (default 1ms)"),
	OPTION_ROW(struct options, json, OPTION_FLAG, "json", 0, NULL, "print JSON"),
	COMMON_OPTIONS(struct options),
	OPTION_END,
};

static int check_options(const struct options *options, struct error *err)
{
	if (options->change_frac <= 0 || options->change_frac >= 1)
		return error_set(err, ERROR_USAGE,
				 "option --change: must be above 0 and below 100%%");
	if (options->alpha_frac <= 0 || options->alpha_frac >= 0.5)
		return error_set(err, ERROR_USAGE,
				 "option --alpha: must be above 0 and below 50%%");
	if (options->power_frac <= options->alpha_frac || options->power_frac >= 1)
		return error_set(err, ERROR_USAGE,
				 "option --power: must be above the error level and below 100%%");
	return 0;
}

static double mean_boot_s(const struct run_set *set)
{
	double total_s = 0;
	size_t n = 0;

	array_for_each (boot, &set->boots) {
		if (boot->status != BOOT_OK || boot->duration_s <= 0)
			continue;
		total_s += boot->duration_s;
		n++;
	}
	return n ? total_s / (double)n : 0;
}

static struct plan_request request_for(const struct options *options, const struct run_set *set,
				       const struct data_quality *quality, bool deterministic)
{
	const struct variance_components *components = &quality->components;
	struct plan_request request = {
		.mean = components->mean,
		.change_frac = options->change_frac,
		.alpha = options->alpha_frac,
		.power = options->power_frac,
		.budget_s = options->budget_s,
		.iteration_inflation = deterministic ? 1 : PLAN_MEDIAN_INFLATION,
	};

	for (int level = 0; level < VARIANCE_LEVELS; level++)
		request.variance[level] = components->held[level];
	request.costs.seconds[VARIANCE_BOOT] =
		options->boot_cost_s > 0 ? options->boot_cost_s : mean_boot_s(set);
	request.costs.seconds[VARIANCE_ITERATION] =
		options->sample_cost_s > 0 ? options->sample_cost_s : 1e-3;
	return request;
}

/* A boot of a deterministic metric is its smallest sample: only these vary between boots. */
static void keep_floors(const struct series *series, struct plan_request *request)
{
	ARRAY_OF(double) floors = {0};
	struct moments moments;

	for (size_t i = 0; i < series->samples.count; i++) {
		const struct sample *sample = &series->samples.items[i];
		bool new_boot = i == 0 || sample[-1].boot != sample->boot;

		if (new_boot)
			*array_append(&floors) = sample->value;
		else
			floors.items[floors.count - 1] =
				fmin(floors.items[floors.count - 1], sample->value);
	}
	moments = moments_of(floors.items, floors.count);
	request->mean = moments.mean;
	for (int level = 0; level < VARIANCE_LEVELS; level++)
		request->variance[level] = 0;
	request->variance[VARIANCE_BOOT] = moments.sd * moments.sd;
	array_release(&floors);
}

static char *duration_text(double seconds)
{
	return seconds < 120 ? xasprintf("%.0f s", seconds) : xasprintf("%.0f min", seconds / 60);
}

static void add_row(struct table_out *table, const struct run_set *set, const struct series *series,
		    const struct plan *plan)
{
	_cleanup_free_ char *label = series_label(series->benchmark, series->params);
	_cleanup_free_ char *boots = xasprintf("%zu", plan->boots);
	_cleanup_free_ char *invocations = xasprintf("%zu", plan->invocations);
	_cleanup_free_ char *iterations = xasprintf("%zu", plan->iterations);
	_cleanup_free_ char *time = duration_text(plan->seconds);
	_cleanup_free_ char *finds = xasprintf("%.2f%%", 100 * plan->detectable_frac);
	const char *none = "unknown: it needs at least two boots, and values above 0";

	if (plan->known)
		table_out_add(table,
			      (const char *const[]){set->variant, label, series->metric, boots,
						    invocations, iterations, time, finds});
	else
		table_out_add(table, (const char *const[]){set->variant, label, series->metric, "-",
							   "-", "-", "-", none});
}

static void plan_set(const struct options *options, const struct run_set *set,
		     struct table_out *table)
{
	array_for_each (series, &set->series) {
		const struct metric *metric = metric_find(series->metric);
		bool deterministic = metric && metric->deterministic;
		struct data_quality quality =
			data_quality_of(series, NULL, 0, 0, options->alpha_frac);
		struct plan_request request = request_for(options, set, &quality, deterministic);
		struct plan plan;

		if (!strcmp(series->benchmark, "loop.empty"))
			continue;
		if (deterministic)
			keep_floors(series, &request);
		plan = plan_repetitions(&request);
		plan.known &= set->boots.count > 1;
		add_row(table, set, series, &plan);
	}
}

static int run(int argc, char **argv, struct error *err)
{
	static const char *const columns[] = {"run set",      "benchmark",   "metric",
					      "boots a side", "invocations", "iterations",
					      "time",	      "finds",	     NULL};
	_cleanup_(session_close) struct session session = {0};
	_cleanup_(string_list_release) struct string_list words = {0};
	_cleanup_(run_set_list_release) struct run_set_list sets = {0};
	_cleanup_(table_out_release) struct table_out table = table_out_new(columns);
	struct options options = {.change_frac = 0.02, .power_frac = 0.8, .alpha_frac = 0.05};

	if (options_parse(specs, &options, argc, argv, &words, err) < 0 ||
	    check_words(&command_plan, &words, 1, SIZE_MAX, err) < 0 ||
	    check_options(&options, err) < 0 ||
	    session_open(&session, &options.common, true, err) < 0 ||
	    load_sets(session.store, &words, &sets, err) < 0)
		return -1;
	array_for_each (set, &sets)
		plan_set(&options, *set, &table);
	return table_out_print(&table, options.json, err);
}

const struct command command_plan = {
	.name = "plan",
	.arguments = "RUN-SET...",
	.summary = "how many boots find a change of a given size, and how long they take",
	.description =
		"From the variance between and within the boots of stored run sets, and from what "
		"boots cost, prints for every series the cheapest numbers of boots, invocations "
		"and "
		"iterations that find the change with the power asked for. With --budget, what can "
		"be "
		"found in that time where it does not suffice.",
	.examples = "  kregress plan voluntary --change 1% --power 90%\n",
	.options = specs,
	.run = run,
};
