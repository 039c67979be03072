/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/collecting.h"

#include <errno.h>
#include <sys/random.h>

#include "collector/collect.h"
#include "common/number.h"

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

static int make_plan(const struct session *session, const struct collecting_options *options,
		     struct plan *plan, struct error *err)
{
	const struct suite_config *suite =
		config_suite(&session->config, options->suite ? options->suite : "core", err);

	if (!suite)
		return -1;
	plan_init(plan, suite);
	override_count(&plan->boots, options->boots);
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

int collecting_run(struct session *session, const struct collecting_options *options,
		   const struct string_list *words, char **collection_id, struct error *err)
{
	_cleanup_(plan_release) struct plan plan = {0};
	struct collect_request request = {
		.config = &session->config,
		.plan = &plan,
		.variants = words,
		.jobs = options->jobs,
		.fresh = options->fresh,
		.log = &session->log,
	};

	*collection_id = NULL;
	if (choose_seed(options->seed, &request.seed, err) < 0 ||
	    make_plan(session, options, &plan, err) < 0)
		return -1;
	return collect(&request, session->store, collection_id, err);
}
