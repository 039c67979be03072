/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "collector/agent/run_tool.h"

#include <stdio.h>
#include <string.h>

#include "collector/agent/params.h"
#include "collector/agent/rounds.h"
#include "collector/agent/tool_program.h"
#include "collector/agent/tool_runner.h"

/* Why it cannot run; false when it can. */
static bool is_lacking(const struct plan_tool *tool, char *reason, size_t size)
{
	const char *commands[] = {tool->command, tool->before, tool->beside};

	if (tool->lacks) {
		snprintf(reason, size, "%s", tool->lacks);
		return true;
	}
	for (size_t i = 0; i < sizeof(commands) / sizeof(commands[0]); i++) {
		if (!commands[i] || tool_program_exists(commands[i]))
			continue;
		snprintf(reason, size, "there is no program %.*s in PATH%s%s%s",
			 (int)strcspn(commands[i], " \t"), commands[i],
			 tool->package ? " (Debian: package " : "",
			 tool->package ? tool->package : "", tool->package ? ")" : "");
		return true;
	}
	return false;
}

/* What the program printed is for times; where instructions are counted, the whole run counts. */
static void record_result(const struct run *run, const struct plan_tool *tool, const char *params,
			  uint64_t invocation, const struct tool_result *result)
{
	bool insn = run->plan->clock_insn;
	struct record_series series = {
		.benchmark = tool->name,
		.params = params,
		.metric = insn ? "insn" : "time",
		.unit = insn ? "insn/op" : "s",
		.better = "lower",
	};
	double value = insn ? (double)result->elapsed : (double)result->elapsed * 1e-9;

	if (insn || tool->capture == TOOL_TIME)
		record_sample(run->writer, &series, invocation, 1, &value, 1);
	else
		record_output(run->writer, tool->name, params, invocation, result->output,
			      result->length);
}

static enum attempt start(struct run *run, const void *benchmark, const char *params,
			  uint64_t invocation)
{
	const struct plan_tool *tool = benchmark;
	struct tool_result result;
	char reason[512];
	bool done;

	if (is_lacking(tool, reason, sizeof(reason))) {
		record_unavailable(run->writer, tool->name, params, reason);
		return ATTEMPT_UNAVAILABLE;
	}
	record_begin(run->writer, tool->name, params);
	tool_runner_run(tool, run->plan, &result);
	done = result.outcome == CHILD_DONE;
	if (done)
		record_result(run, tool, params, invocation, &result);
	else
		record_failed(run->writer, tool->name, params, result.fault.text);
	run->stuck = result.outcome == CHILD_STUCK;
	tool_result_release(&result);
	return done ? ATTEMPT_DONE : ATTEMPT_FAILED;
}

/* A program's run is long, and has no repetitions. */
bool run_tool(struct run *run, const struct plan_tool *tool)
{
	char params[PARAMS_MAX];

	snprintf(params, sizeof(params), "%s", tool->params);
	params_add_plan(params, run->plan, 1);
	return rounds_run(run, run->plan->invocations, start, tool, params);
}
