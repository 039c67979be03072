/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "collector/agent/run_user.h"

#include "collector/agent/user_runner.h"

static void record_result(const struct run *run, const struct user_bench *bench,
			  uint64_t invocation, const struct user_result *result)
{
	bool insn = run->plan->clock_insn;
	struct record_series series = {
		.benchmark = bench->name,
		.params = bench->params,
		.metric = insn ? "insn" : "time",
		.unit = insn ? "insn/op" : bench->unit,
		.better = "lower",
	};

	record_sample(run->writer, &series, invocation, result->loops, result->values,
		      result->count);
}

bool run_user(struct run *run, const struct user_bench *bench)
{
	for (uint64_t i = 0; i < run->plan->invocations && run_may_go_on(run); i++) {
		struct user_result result;

		record_begin(run->writer, bench->name, bench->params);
		user_runner_run(bench, run->plan, &result);
		if (result.outcome != CHILD_DONE) {
			run->stuck = result.outcome == CHILD_STUCK;
			record_failed(run->writer, bench->name, bench->params, result.fault.text);
			return false;
		}
		record_result(run, bench, i, &result);
	}
	return true;
}
