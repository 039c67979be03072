/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/collecting.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>

#include "collector/collect.h"
#include "cli/quieting.h"
#include "common/number.h"
#include "reports/look.h"

/* Fewer boots a side tell too little about their own spread to look at. */
enum { FIRST_LOOK_BLOCKS = 3, DEFAULT_BOOTS_MAX = 30 };

static int choose_seed(const char *text, uint64_t *seed, struct error *err)
{
	if (text) {
		if (number_parse_uint(text, UINT64_MAX, seed, err) == 0)
			return 0;
		err->kind = ERROR_USAGE;
		return error_wrap(err, "option --seed");
	}
	if (getrandom(seed, sizeof(*seed), 0) != (ssize_t)sizeof(*seed))
		return error_set_errno(err, ERROR_IO, errno, "cannot draw a seed");
	return 0;
}

static void override_count(uint64_t *count, uint64_t wanted)
{
	if (wanted)
		*count = wanted;
}

static bool wants_auto(const struct collecting_options *options)
{
	return options->boots && !strcmp(options->boots, "auto");
}

static int choose_boots(const struct collecting_options *options, uint64_t *boots,
			struct error *err)
{
	if (wants_auto(options)) {
		*boots = options->boots_max ? options->boots_max : DEFAULT_BOOTS_MAX;
		if (*boots >= FIRST_LOOK_BLOCKS)
			return 0;
		return error_set(err, ERROR_USAGE, "option --boots-max: at least %d are needed",
				 FIRST_LOOK_BLOCKS);
	}
	if (options->boots_max || options->budget_s > 0)
		return error_set(err, ERROR_USAGE,
				 "options --boots-max and --budget go with --boots auto");
	if (!options->boots || number_parse_uint(options->boots, 10000, boots, err) == 0)
		return 0;
	err->kind = ERROR_USAGE;
	return error_wrap(err, "option --boots: neither auto nor a number");
}

static int make_plan(const struct session *session, const struct collecting_options *options,
		     struct plan *plan, struct error *err)
{
	const struct suite_config *suite =
		config_suite(&session->config, options->suite ? options->suite : "core", err);

	if (!suite)
		return -1;
	plan_init(plan, suite);
	if (plan_set_load(plan, suite->load, suite->load_cpus, err) < 0)
		return error_wrap(err, "suite.%s", suite->name);
	if (plan_set_load(plan, options->load, options->load_cpus, err) < 0)
		return -1;
	if (choose_boots(options, &plan->boots, err) < 0)
		return -1;
	override_count(&plan->repetitions, options->repetitions);
	override_count(&plan->invocations, options->invocations);
	if (options->sample_time_s > 0)
		plan->sample_time_s = options->sample_time_s;
	if (options->bench.count) {
		string_list_release(&plan->bench);
		array_for_each (pattern, &options->bench)
			string_list_add(&plan->bench, *pattern);
	}
	return 0;
}

struct judge {
	const struct session *session;
	const struct reporting_options *options;
};

/* Whether no finding is left that more boots could decide. */
static bool all_decided(void *context, const struct run_set_list *sets, uint32_t blocks)
{
	const struct judge *judge = context;
	_cleanup_(error_clear) struct error ignored = {0};
	struct report report;
	size_t open = 0;

	if (blocks < FIRST_LOOK_BLOCKS ||
	    reporting_build(judge->session, judge->options, sets, &report, &ignored) < 0)
		return false;
	array_for_each (series, &report.series)
		array_for_each (finding, &series->findings)
			open += !series->context && finding->problem == PROBLEM_NONE &&
				finding->comparison.verdict == VERDICT_INCONCLUSIVE;
	log_note(&judge->session->log, "after block %u: %zu series are not decided", blocks, open);
	report_release(&report);
	return open == 0;
}

/* The options that judge must be right before hours of measuring begin. */
static int check_judgement(const struct collecting_options *options,
			   const struct string_list *words, struct error *err)
{
	if (!wants_auto(options) || words->count > 1)
		return 0;
	return error_set(err, ERROR_USAGE,
			 "--boots auto needs a base and at least one more variant to decide about");
}

static int collect_until_decided(const struct collect_request *request, const struct judge *judge,
				 const struct collecting_options *options, struct store *store,
				 char **collection_id, struct error *err)
{
	struct look_plan looks = {FIRST_LOOK_BLOCKS, (uint32_t)request->plan->boots};
	_cleanup_free_ char *extra = look_plan_write(&looks);
	struct collect_stop stop = {all_decided, (void *)judge, options->budget_s};

	struct collect_request looked_at = *request;

	looked_at.stop = &stop;
	looked_at.extra = extra;
	return collect(&looked_at, store, collection_id, err);
}

int collecting_run(struct session *session, const struct collecting_options *options,
		   const struct reporting_options *reporting, const struct string_list *words,
		   char **collection_id, struct error *err)
{
	_cleanup_(plan_release) struct plan plan = {0};
	struct judge judge = {session, reporting};
	struct quieting quieting = {0};
	struct collect_request request = {
		.config = &session->config,
		.plan = &plan,
		.variants = words,
		.jobs = options->jobs,
		.fresh = options->fresh,
		.log = &session->log,
	};
	int result;

	*collection_id = NULL;
	if (check_judgement(options, words, err) < 0 || reporting_check(reporting, err) < 0 ||
	    choose_seed(options->seed, &request.seed, err) < 0 ||
	    make_plan(session, options, &plan, err) < 0)
		return -1;
	if (options->fix && quieting_begin(&quieting, false, &session->log, err) < 0)
		return -1;
	result = wants_auto(options) ? collect_until_decided(&request, &judge, options,
							     session->store, collection_id, err)
				     : collect(&request, session->store, collection_id, err);
	session_clear_progress(session);
	quieting_end(&quieting, &session->log);
	return result;
}
