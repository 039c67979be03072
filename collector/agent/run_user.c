/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "collector/agent/run_user.h"

#include <stdio.h>

#include "collector/agent/disturbance.h"
#include "collector/agent/params.h"
#include "collector/agent/rounds.h"
#include "collector/agent/user_runner.h"

static void record_extra(const struct run *run, const struct user_bench *bench, const char *params,
			 uint64_t invocation, const struct user_result *result)
{
	for (size_t i = 0; i < BENCH_EXTRA_MAX && bench->extra[i]; i++) {
		struct record_series series = {
			.benchmark = bench->name,
			.params = params,
			.metric = bench->extra[i],
			.unit = "ns",
			.better = "lower",
		};

		record_sample(run->writer, &series, invocation, result->loops, result->extra[i],
			      result->count);
	}
}

static void record_result(const struct run *run, const struct user_bench *bench, const char *params,
			  uint64_t invocation, const struct user_result *result)
{
	bool insn = run->plan->clock_insn;
	struct record_series series = {
		.benchmark = bench->name,
		.params = params,
		.metric = insn ? "insn" : user_bench_metric(bench),
		.unit = insn ? "insn/op" : bench->unit,
		.better = insn ? "lower" : user_bench_better(bench),
	};

	record_sample(run->writer, &series, invocation, result->loops, result->values,
		      result->count);
	if (!insn)
		record_extra(run, bench, params, invocation, result);
}

static enum attempt start(struct run *run, const void *benchmark, const char *params,
			  uint64_t invocation)
{
	static struct user_result result;
	const struct user_bench *bench = benchmark;
	struct disturbance before = disturbance_now(run);

	record_begin(run->writer, bench->name, params);
	user_runner_run(bench, run->plan, &result);
	if (result.outcome != CHILD_DONE && result.unavailable) {
		record_unavailable(run->writer, bench->name, params, result.fault.text);
		return ATTEMPT_UNAVAILABLE;
	}
	if (result.outcome != CHILD_DONE) {
		run->stuck = result.outcome == CHILD_STUCK;
		record_failed(run->writer, bench->name, params, result.fault.text);
		return ATTEMPT_FAILED;
	}
	record_result(run, bench, params, invocation, &result);
	disturbance_record(run, &before, bench->name, params, invocation,
			   result.known ? result.disturbances : NULL, run->plan->repetitions);
	return ATTEMPT_DONE;
}

bool run_user(struct run *run, const struct user_bench *bench)
{
	char params[PARAMS_MAX];

	snprintf(params, sizeof(params), "%s", bench->params);
	params_add_plan(params, run->plan, user_runner_copies(bench, run->plan));
	return rounds_run(run, run->plan->rounds, start, bench, params);
}
