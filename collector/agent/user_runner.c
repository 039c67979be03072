/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "collector/agent/user_runner.h"

#include <stdlib.h>
#include <string.h>

#include "collector/agent/calibrate.h"
#include "collector/agent/settle.h"
#include "collector/agent/stop.h"

struct task {
	const struct user_bench *bench;
	const struct plan *plan;
};

/* What the child hands back. */
struct report {
	uint64_t loops;
	uint64_t count; /* 0: the fault says why */
	struct fault fault;
	uint64_t elapsed[PLAN_VALUES_MAX];
};

static int measure(void *context, uint64_t loops, uint64_t *elapsed)
{
	struct bench_run *run = context;

	if (run->watch.tsc)
		settle();
	run->watch.elapsed = 0;
	if (run->bench->run(run, loops) < 0)
		return -1;
	*elapsed = run->watch.elapsed;
	return 0;
}

static int find_loops(struct bench_run *run, const struct plan *plan, uint64_t *loops)
{
	/* Exact counts need no averaging over many operations. */
	uint64_t first = plan->clock_insn ? 1 : run->bench->min_loops;
	int found = calibrate(measure, run, first, plan->sample_time_ns, loops);

	if (found > 0)
		return fault_set(&run->fault, "no number of loops reaches the sample time");
	return found;
}

static int repeat(struct bench_run *run, const struct plan *plan, struct report *report)
{
	uint64_t elapsed;

	if (find_loops(run, plan, &report->loops) < 0)
		return -1;
	for (uint64_t i = 0; i < plan->warmup; i++)
		if (measure(run, report->loops, &elapsed) < 0)
			return -1;
	for (uint64_t i = 0; i < plan->repetitions; i++)
		if (measure(run, report->loops, &report->elapsed[i]) < 0)
			return -1;
	return 0;
}

/* In the child. */
static int run_task(void *context, int result_fd)
{
	const struct task *task = context;
	struct bench_run run = {.bench = task->bench, .watch.tsc = task->plan->clock_insn};
	struct report *report = calloc(1, sizeof(*report));

	if (!report)
		return 1;
	if ((!run.bench->setup || run.bench->setup(&run) == 0) &&
	    repeat(&run, task->plan, report) == 0) {
		report->count = task->plan->repetitions;
		if (run.bench->teardown)
			run.bench->teardown(&run);
	}
	report->fault = run.fault;
	return stop_write(result_fd, (const char *)report, sizeof(*report)) < 0;
}

static void take_report(const struct task *task, const struct report *report,
			struct user_result *result)
{
	double scale = 1;

	if (!report->count) {
		result->outcome = CHILD_FAILED;
		result->fault = report->fault;
		return;
	}
	if (!task->plan->clock_insn && !strcmp(task->bench->unit, "s"))
		scale = 1e-9;
	result->loops = report->loops;
	result->count = report->count;
	for (size_t i = 0; i < report->count; i++)
		result->values[i] = (double)report->elapsed[i] / (double)report->loops * scale;
}

void user_runner_run(const struct user_bench *bench, const struct plan *plan,
		     struct user_result *result)
{
	struct task task = {.bench = bench, .plan = plan};
	struct child_result child;

	child_run(run_task, &task, plan->timeout_s, &child);
	result->outcome = child.outcome;
	result->fault = child.fault;
	result->count = 0;
	if (child.outcome == CHILD_DONE && child.length == sizeof(struct report)) {
		take_report(&task, (const struct report *)(void *)child.output, result);
	} else if (child.outcome == CHILD_DONE) {
		result->outcome = CHILD_FAILED;
		fault_set(&result->fault, "its result has %zu bytes instead of %zu", child.length,
			  sizeof(struct report));
	}
	free(child.output);
}
