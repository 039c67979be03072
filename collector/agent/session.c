/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "collector/agent/session.h"

#include <stdio.h>
#include <string.h>

#include "collector/agent/environment.h"
#include "collector/agent/input.h"
#include "collector/agent/load.h"
#include "collector/agent/module.h"
#include "collector/agent/run_kernel.h"
#include "collector/agent/run_tool.h"
#include "collector/agent/run_user.h"
#include "collector/agent/selection.h"
#include "collector/agent/stop.h"
#include "collector/agent/stopwatch.h"

enum session_status session_refuse(struct record_writer *writer, const char *message)
{
	record_hello(writer, AGENT_VERSION);
	record_error(writer, message);
	record_end(writer, false);
	return SESSION_REFUSED;
}

/* Names what no pattern found: a misspelt benchmark must not vanish silently. */
static bool record_unknown(struct record_writer *writer, const struct plan *plan,
			   const struct kernel_list *list)
{
	char groups[512], reason[768];
	bool all_known = true;

	selection_groups(list, groups, sizeof(groups));
	for (size_t i = 0; i < plan->pattern_count; i++) {
		if (selection_is_known(plan->patterns[i], list) ||
		    selection_is_tool(plan, plan->patterns[i]))
			continue;
		snprintf(reason, sizeof(reason), "no benchmark matches; the groups are: %s%s",
			 groups, list->text ? "" : " (userland only: no kernel module is loaded)");
		record_failed(writer, plan->patterns[i], "", reason);
		all_known = false;
	}
	return all_known;
}

static int load_module(struct record_writer *writer, const struct plan *plan, bool *loaded,
		       struct fault *fault)
{
	char message[512];
	int result = module_load(plan->module, plan->module_args, fault);

	if (result < 0)
		return -1;
	*loaded = result == 0;
	snprintf(message, sizeof(message), "module %s %s", plan->module,
		 *loaded ? "loaded" : "was loaded before, its parameters stay as they are");
	record_log(writer, message);
	if (*fault->text)
		record_log(writer, fault->text);
	return 0;
}

/* Makes the in-kernel benchmarks known. Without a module that is none, and no error. */
static int open_kernel(struct record_writer *writer, const struct plan *plan, const char *debugfs,
		       struct kernel_list *list, bool *loaded, struct fault *fault)
{
	if (!selection_needs_kernel(plan))
		return 0;
	if (plan->module && load_module(writer, plan, loaded, fault) < 0)
		return -1;
	if (!plan->module && !kernel_runner_present(debugfs))
		return 0;
	return kernel_runner_list(debugfs, list, fault);
}

static bool run_benchmarks(struct run *run, const struct kernel_list *list)
{
	bool ok = record_unknown(run->writer, run->plan, list);

	for (size_t i = 0; i < list->count && run_may_go_on(run); i++)
		if (selection_has(run->plan, list->benches[i].name, list->benches[i].params))
			ok &= run_kernel(run, &list->benches[i]);
	for (const struct user_bench *bench = user_benches; bench->name && run_may_go_on(run);
	     bench++)
		if (selection_has(run->plan, bench->name, bench->params))
			ok &= run_user(run, bench);
	for (size_t i = 0; i < run->plan->tool_count && run_may_go_on(run); i++)
		ok &= run_tool(run, &run->plan->tools[i]);
	return ok;
}

/* All of it beside the plan's load. Samples without the load that they name must not pass. */
static int run_loaded(struct run *run, const struct kernel_list *list, bool *ok,
		      struct fault *fault)
{
	struct load_run load;
	struct fault why;
	bool alive;

	if (load_start(&load, run->plan, fault) < 0)
		return -1;
	*ok = run_benchmarks(run, list);
	alive = load_is_alive(&load, &why);
	load_stop(&load);
	if (alive)
		return 0;
	return fault_set(fault, "the load %s ended before the benchmarks: %.900s", run->plan->load,
			 why.text);
}

/* All of it in the plan's states. A machine that is left in one of them must not go unnoticed. */
static int run_switched(struct run *run, const struct kernel_list *list, bool *ok,
			struct fault *fault)
{
	struct fault left;
	int result;

	if (states_open(run->states, run->plan, run->writer, run->debugfs, fault) < 0)
		return -1;
	result = run_loaded(run, list, ok, fault);
	if (states_close(run->states, &left) == 0)
		return result;
	if (result < 0)
		record_log(run->writer, fault->text);
	*fault = left;
	return -1;
}

static void close_kernel(struct record_writer *writer, const struct plan *plan,
			 struct kernel_list *list, bool loaded)
{
	struct fault fault;

	kernel_list_release(list);
	if (loaded && module_remove(plan->module, &fault) < 0)
		record_log(writer, fault.text);
}

static enum session_status conclude(const struct run *run, bool refused, bool all_ok)
{
	struct record_writer *writer = run->writer;
	char message[128];

	if (!refused && stop_signal()) {
		snprintf(message, sizeof(message), "stopped by signal %d (%s)", stop_signal(),
			 strsignal(stop_signal()));
		record_error(writer, message);
	} else if (!refused && run->stuck) {
		record_error(writer, "a benchmark is stuck in the kernel: nothing after it can be "
				     "measured");
	}
	if (*run->lost.text)
		record_error(writer, run->lost.text);
	refused |= run->stuck || stop_signal() || *run->lost.text;
	record_end(writer, !refused);
	if (refused || writer->broken)
		return SESSION_REFUSED;
	return all_ok ? SESSION_OK : SESSION_BENCH_FAILED;
}

/*
 * A kernel that has given up the time stamp counter counts timer ticks: milliseconds pass between
 * two values of its clock. Times read from that are worth nothing; counts of the counter itself
 * are.
 */
static int check_clock(const struct plan *plan, struct fault *fault)
{
	char source[64];

	if (plan->clock_insn ||
	    !input_read_value(ENVIRONMENT_CLOCKSOURCE, source, sizeof(source)) ||
	    !strstr(source, "jiffies"))
		return 0;
	return fault_set(fault,
			 "the kernel's clock source is %s, which only moves with the timer tick: "
			 "give the kernel a time stamp counter it trusts (tsc=reliable on its "
			 "command line) or another clock",
			 source);
}

static enum session_status run_plan(struct record_writer *writer, const struct plan *plan,
				    const char *debugfs)
{
	struct states states = {.plan = plan};
	struct run run = {.writer = writer, .plan = plan, .debugfs = debugfs, .states = &states};
	struct kernel_list list = {0};
	bool loaded = false, ok = false, refused = false;
	struct fault fault;

	if (check_clock(plan, &fault) < 0 ||
	    open_kernel(writer, plan, debugfs, &list, &loaded, &fault) < 0 ||
	    run_switched(&run, &list, &ok, &fault) < 0) {
		record_error(writer, fault.text);
		refused = true;
	}
	close_kernel(writer, plan, &list, loaded);
	return conclude(&run, refused, ok);
}

enum session_status session_run(struct record_writer *writer, const char *name, const char *text,
				size_t length, const char *debugfs)
{
	enum session_status status;
	struct fault fault;
	struct plan plan;

	if (plan_parse(&plan, name, text, length, &fault) < 0) {
		session_refuse(writer, fault.text);
		return SESSION_BAD_PLAN;
	}
	if (plan.clock_insn && !STOPWATCH_HAS_TSC) {
		status = session_refuse(writer,
					"clock insn: this machine has no time stamp counter");
	} else {
		record_hello(writer, AGENT_VERSION);
		environment_record(writer, debugfs);
		status = run_plan(writer, &plan, debugfs);
	}
	plan_release(&plan);
	return status;
}
