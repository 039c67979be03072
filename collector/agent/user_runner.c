/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "collector/agent/user_runner.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "collector/agent/calibrate.h"
#include "collector/agent/disturbance.h"
#include "collector/agent/folder.h"
#include "collector/agent/futex.h"
#include "collector/agent/meeting.h"
#include "collector/agent/settle.h"
#include "collector/agent/stop.h"
#include "collector/agent/worker.h"

/* What the child hands back. */
struct report {
	uint64_t loops;
	uint64_t count; /* 0: the fault says why */
	bool unavailable;
	struct fault fault;
	uint64_t elapsed[PLAN_VALUES_MAX];
	double extra[BENCH_EXTRA_MAX][PLAN_VALUES_MAX];
	uint64_t known; /* repetitions of which the disturbance is */
	struct record_disturbance disturbances[PLAN_VALUES_MAX];
};

/* In memory that the copies share. */
struct shared {
	struct meeting meeting;
	struct report report;
};

struct task {
	const struct user_bench *bench;
	const struct plan *plan;
	const char *folder; /* NULL for none */
	uint64_t copies;
	struct shared *shared;
	uint64_t copy; /* which one this process is */
};

uint64_t user_runner_copies(const struct user_bench *bench, const struct plan *plan)
{
	return bench->spread ? 1 : plan->cpus;
}

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

static void keep(struct report *report, uint64_t at, const struct bench_run *run)
{
	report->elapsed[at] = run->watch.elapsed;
	for (size_t i = 0; i < BENCH_EXTRA_MAX; i++)
		report->extra[i][at] = run->extra[i];
}

/*
 * Most of it is of the whole machine: the first copy reads for all. Nothing is read where
 * instructions are counted, and where there are more repetitions than a record takes.
 */
static struct disturbance read_disturbance(const struct task *task)
{
	if (task->plan->clock_insn || task->copy || task->plan->repetitions > RECORD_CONTEXTS_MAX)
		return (struct disturbance){0};
	return disturbance_read();
}

static void keep_disturbance(const struct task *task, const struct disturbance *before, uint64_t at)
{
	struct report *report = &task->shared->report;
	struct disturbance after = read_disturbance(task);

	if (task->copy == 0)
		report->known += disturbance_between(before, &after, &report->disturbances[at]);
}

/* All copies of a repetition begin together; the first one alone has found the loops before. */
static int repeat(const struct task *task, struct bench_run *run)
{
	const struct plan *plan = task->plan;
	struct report *report = &task->shared->report;
	struct disturbance before;
	uint64_t elapsed;

	if (task->copy == 0 && find_loops(run, plan, &report->loops) < 0)
		return -1;
	for (uint64_t i = 0; i < plan->warmup + plan->repetitions; i++) {
		/* Before they meet: the reading must not let one of them begin late. */
		before = read_disturbance(task);
		if (task->copies > 1 && !meeting_attend(&task->shared->meeting))
			return -1;
		if (measure(run, report->loops, &elapsed) < 0)
			return -1;
		if (i < plan->warmup)
			continue;
		keep_disturbance(task, &before, i - plan->warmup);
		keep(report, (i - plan->warmup) * task->copies + task->copy, run);
	}
	/* The first one reports when all are through. */
	return task->copies > 1 && !meeting_attend(&task->shared->meeting) ? -1 : 0;
}

/* Each copy gets a folder of its own. */
static int take_folder(const struct task *task, struct bench_run *run, char path[PATH_MAX])
{
	if (!task->folder)
		return 0;
	snprintf(path, PATH_MAX, "%s/%llu", task->folder, (unsigned long long)task->copy);
	run->folder = path;
	return mkdir(path, 0700) < 0 ? bench_fail(run, path) : 0;
}

static int run_in_folder(const struct task *task, struct bench_run *run, char path[PATH_MAX])
{
	if (task->copies > 1 && worker_pin_to(task->copy) < 0)
		return bench_fail(run, "sched_setaffinity");
	if (take_folder(task, run, path) < 0 || (run->bench->setup && run->bench->setup(run) < 0) ||
	    repeat(task, run) < 0)
		return -1;
	if (run->bench->teardown)
		run->bench->teardown(run);
	return 0;
}

static int run_copy(const struct task *task, struct bench_run *run)
{
	char path[PATH_MAX];
	int result = run_in_folder(task, run, path);

	run->folder = NULL;
	return result;
}

/* A copy that fails ends the meetings of the others; what it says is what counts. */
static void run_and_report(void *context)
{
	struct task *task = context;
	struct report *report = &task->shared->report;
	struct bench_run run = {.bench = task->bench,
				.watch.tsc = task->plan->clock_insn,
				.plant = task->plan->plant,
				.fd = -1};

	if (run_copy(task, &run) == 0)
		return;
	if (run.fault.text[0]) {
		report->fault = run.fault;
		report->unavailable = run.unavailable;
	}
	meeting_call_off(&task->shared->meeting);
}

static int start_copies(const struct task *task)
{
	for (uint64_t i = 1; i < task->copies; i++) {
		struct task copy = *task;

		copy.copy = i;
		if (worker_start(run_and_report, &copy) < 0)
			return fault_set_errno(&task->shared->report.fault, errno, "fork");
	}
	return 0;
}

/* In the child. */
static int run_task(void *context, int result_fd)
{
	struct task *task = context;
	struct report *report;

	task->shared = futex_shared_memory(sizeof(*task->shared));
	if (!task->shared)
		return 1;
	report = &task->shared->report;
	task->shared->meeting.parties = (uint32_t)task->copies;
	if (start_copies(task) == 0)
		run_and_report(task);
	if (!task->shared->meeting.called_off && !report->fault.text[0])
		report->count = task->plan->repetitions * task->copies;
	return stop_write(result_fd, (const char *)report, sizeof(*report)) < 0;
}

/* Of what was measured with `elapsed` nanoseconds, or instructions. */
static double value_of(const struct task *task, uint64_t loops, uint64_t elapsed)
{
	const struct user_bench *bench = task->bench;
	double per_loop = (double)elapsed / (double)loops;

	if (!strcmp(user_bench_metric(bench), "rate") && !task->plan->clock_insn)
		return (double)bench->amount / (per_loop > 0 ? per_loop : 1) * 1e9;
	if (bench->parts)
		per_loop /= (double)bench->parts;
	return task->plan->clock_insn || strcmp(bench->unit, "s") ? per_loop : per_loop * 1e-9;
}

static void take_report(const struct task *task, const struct report *report,
			struct user_result *result)
{
	if (!report->count) {
		result->outcome = CHILD_FAILED;
		result->unavailable = report->unavailable;
		result->fault = report->fault;
		return;
	}
	result->loops = report->loops;
	result->count = report->count;
	for (size_t i = 0; i < report->count; i++)
		result->values[i] = value_of(task, report->loops, report->elapsed[i]);
	memcpy(result->extra, report->extra, sizeof(result->extra));
	result->known = report->known == task->plan->repetitions;
	memcpy(result->disturbances, report->disturbances, sizeof(result->disturbances));
}

static void run_in_child(struct task *task, struct user_result *result)
{
	struct child_result child;

	child_run(run_task, task, task->plan->timeout_s, &child);
	result->outcome = child.outcome;
	result->fault = child.fault;
	if (child.outcome == CHILD_DONE && child.length == sizeof(struct report)) {
		take_report(task, (const struct report *)(void *)child.output, result);
	} else if (child.outcome == CHILD_DONE) {
		result->outcome = CHILD_FAILED;
		fault_set(&result->fault, "its result has %zu bytes instead of %zu", child.length,
			  sizeof(struct report));
	}
	free(child.output);
}

void user_runner_run(const struct user_bench *bench, const struct plan *plan,
		     struct user_result *result)
{
	struct task task = {
		.bench = bench, .plan = plan, .copies = user_runner_copies(bench, plan)};
	char folder[PATH_MAX];

	result->outcome = CHILD_FAILED;
	result->unavailable = false;
	result->count = 0;
	if (task.copies > worker_cpu_count()) {
		result->unavailable = true;
		fault_set(&result->fault, "it can run on %llu CPUs only",
			  (unsigned long long)worker_cpu_count());
		return;
	}
	if (bench->folder && folder_make_own(folder, &result->fault) < 0)
		return;
	task.folder = bench->folder ? folder : NULL;
	run_in_child(&task, result);
	if (task.folder)
		folder_remove_own(folder);
}
