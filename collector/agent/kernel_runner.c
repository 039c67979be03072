/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "collector/agent/kernel_runner.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "collector/agent/input.h"
#include "collector/agent/stop.h"

#define PATH_SIZE 512

/* Two times the rows of the largest plan, at their longest, and more. */
#define TEXT_MAX (2u << 20)

struct task {
	char path[PATH_SIZE];
	char words[BENCH_LABEL_MAX + 256];
};

static void file_path(char path[PATH_SIZE], const char *debugfs, const char *name)
{
	snprintf(path, PATH_SIZE, "%s/kregress/%s", debugfs, name);
}

bool kernel_runner_present(const char *debugfs)
{
	char path[PATH_SIZE];

	file_path(path, debugfs, "list");
	return access(path, F_OK) == 0;
}

int kernel_runner_list(const char *debugfs, struct kernel_list *list, struct fault *fault)
{
	char path[PATH_SIZE];
	char *text;
	size_t length;

	file_path(path, debugfs, "list");
	text = input_read_file(path, TEXT_MAX, &length);
	if (text)
		return kernel_list_parse(list, text, fault);
	if (errno == EACCES)
		return fault_set_errno(fault, errno, "%s (it takes root)", path);
	return fault_set_errno(fault, errno,
			       "%s (is the module loaded, and debugfs mounted? mount -t debugfs "
			       "none %s)",
			       path, debugfs);
}

/* In the child: the write returns when the run is over. */
static int run_task(void *context, int result_fd)
{
	const struct task *task = context;
	size_t length = strlen(task->words);
	int failed = 0;
	int fd = open(task->path, O_WRONLY | O_CLOEXEC);

	if (fd < 0 || write(fd, task->words, length) != (ssize_t)length)
		failed = errno ? errno : EIO;
	return stop_write(result_fd, (const char *)&failed, sizeof(failed)) < 0;
}

static void set_words(struct task *task, const struct kernel_bench *bench, const struct plan *plan)
{
	char label[BENCH_LABEL_MAX];

	bench_label(label, bench->name, bench->params);
	snprintf(task->words, sizeof(task->words),
		 "bench=%s reps=%llu warmup=%llu loops=0 time_ns=%llu cpus=%llu", label,
		 (unsigned long long)plan->repetitions, (unsigned long long)plan->warmup,
		 (unsigned long long)plan->sample_time_ns, (unsigned long long)plan->cpus);
}

/* Reads the results; after a refused write they tell the reason, where they tell any. */
static int read_results(const char *debugfs, const char *label, int failed,
			struct kernel_outcome *outcome)
{
	char path[PATH_SIZE];
	char *text;
	size_t length;
	int parsed;
	bool told;

	file_path(path, debugfs, "results");
	text = input_read_file(path, TEXT_MAX, &length);
	if (!text)
		return fault_set_errno(&outcome->fault, errno, "%s", path);
	told = strstr(text, "\nerror\t") != NULL;
	parsed = kernel_results_parse(&outcome->results, label, text, &outcome->fault);
	free(text);
	if (failed && !(told && parsed < 0))
		return fault_set(&outcome->fault, "the module refused the run: %s",
				 strerror(failed));
	return parsed;
}

static int check_count(const struct plan *plan, struct kernel_outcome *outcome)
{
	uint64_t expected = plan->repetitions * plan->cpus;

	if (outcome->results.samples.count == expected &&
	    outcome->results.baseline.count <= PLAN_VALUES_MAX)
		return 0;
	return fault_set(&outcome->fault, "the module gave %zu rows where %llu were asked for",
			 outcome->results.samples.count, (unsigned long long)expected);
}

static int take_results(const char *debugfs, const struct kernel_bench *bench,
			const struct plan *plan, const struct child_result *child,
			struct kernel_outcome *outcome)
{
	char label[BENCH_LABEL_MAX];
	int failed = EIO;

	if (child->length == sizeof(failed))
		memcpy(&failed, child->output, sizeof(failed));
	bench_label(label, bench->name, bench->params);
	if (read_results(debugfs, label, failed, outcome) < 0)
		return -1;
	return check_count(plan, outcome);
}

void kernel_runner_run(const char *debugfs, const struct kernel_bench *bench,
		       const struct plan *plan, struct kernel_outcome *outcome)
{
	struct child_result child;
	struct task task;

	*outcome = (struct kernel_outcome){0};
	file_path(task.path, debugfs, "run");
	set_words(&task, bench, plan);
	child_run(run_task, &task, plan->timeout_s, &child);
	outcome->outcome = child.outcome;
	outcome->fault = child.fault;
	if (child.outcome == CHILD_DONE && take_results(debugfs, bench, plan, &child, outcome) < 0)
		outcome->outcome = CHILD_FAILED;
	free(child.output);
}
