/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "collector/agent/tool_runner.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#include "collector/agent/folder.h"
#include "collector/agent/futex.h"
#include "collector/agent/remarks.h"
#include "collector/agent/stopwatch.h"
#include "collector/agent/tool_program.h"

/* A server gets this long to open its port. */
#define BESIDE_MS 500

struct shared {
	struct stopwatch watch;
	int exit_code;
	char failed_part[32];
	char tail[REMARKS_TAIL_MAX + 1]; /* of what is not captured */
};

struct task {
	const struct plan_tool *tool;
	const char *folder;
	struct remarks remarks;
	struct shared *shared;
};

static int run_before(const struct task *task)
{
	pid_t pid;

	if (!task->tool->before)
		return 0;
	pid = tool_program_start(task->tool->before, task->remarks.write_fd,
				 task->remarks.write_fd);
	return pid < 0 ? 127 : tool_program_wait(pid);
}

static int start_beside(const struct task *task)
{
	const struct timespec moment = {0, BESIDE_MS * 1000000L};

	if (!task->tool->beside)
		return 0;
	if (tool_program_start(task->tool->beside, task->remarks.write_fd, task->remarks.write_fd) <
	    0)
		return -1;
	nanosleep(&moment, NULL);
	return 0;
}

static int fail_part(struct task *task, const char *part, int code)
{
	remarks_settle(&task->remarks);
	snprintf(task->shared->failed_part, sizeof(task->shared->failed_part), "%s", part);
	task->shared->exit_code = code;
	return 0;
}

static int fail_start(struct task *task, const char *part)
{
	snprintf(task->shared->failed_part, sizeof(task->shared->failed_part), "%s", part);
	task->shared->exit_code = 127;
	return 0;
}

/* In the child. It ends with 0 in any case: how the program ended is in the shared memory. */
static int run_task(void *context, int result_fd)
{
	struct task *task = context;
	const struct plan_tool *tool = task->tool;
	struct stopwatch *watch = &task->shared->watch;
	int code;
	pid_t pid;

	if (remarks_open(&task->remarks, task->shared->tail) < 0)
		return fail_start(task, "the pipe");
	if (chdir(task->folder) < 0)
		return fail_part(task, "folder", 127);
	code = run_before(task);
	if (code != 0)
		return fail_part(task, "the preparation", code);
	if (start_beside(task) < 0)
		return fail_part(task, "the server", 127);
	stopwatch_start(watch);
	pid = tool_program_start(tool->command,
				 tool->capture == TOOL_STDOUT ? result_fd : task->remarks.write_fd,
				 tool->capture == TOOL_STDERR ? result_fd : task->remarks.write_fd);
	code = pid < 0 ? 127 : tool_program_wait(pid);
	stopwatch_stop(watch);
	return code ? fail_part(task, "it", code) : 0;
}

static void explain(const struct task *task, struct tool_result *result)
{
	const struct shared *shared = task->shared;
	char tail[REMARKS_TAIL_MAX + 1];

	remarks_take_tail(tail, shared->tail, strlen(shared->tail));
	if (!*tail && result->output)
		remarks_take_tail(tail, result->output, result->length);
	result->outcome = CHILD_FAILED;
	fault_set(&result->fault, "%s ended with exit code %d%s%s", shared->failed_part,
		  shared->exit_code, *tail ? ": " : "", tail);
}

static void run_in_child(struct task *task, const struct plan *plan, struct tool_result *result)
{
	struct child_result child;

	task->shared->watch.tsc = plan->clock_insn;
	child_run(run_task, task, plan->timeout_s, &child);
	result->outcome = child.outcome;
	result->fault = child.fault;
	result->output = child.output;
	result->length = child.length;
	result->elapsed = task->shared->watch.elapsed;
	if (child.outcome != CHILD_DONE)
		return;
	if (task->shared->exit_code) {
		explain(task, result);
	} else if (child.length > TOOL_OUTPUT_MAX) {
		result->outcome = CHILD_FAILED;
		fault_set(&result->fault, "it wrote more than %u bytes", TOOL_OUTPUT_MAX);
	}
}

void tool_runner_run(const struct plan_tool *tool, const struct plan *plan,
		     struct tool_result *result)
{
	struct task task = {.tool = tool};
	char folder[PATH_MAX];

	*result = (struct tool_result){.outcome = CHILD_FAILED};
	task.shared = futex_shared_memory(sizeof(*task.shared));
	if (!task.shared) {
		fault_set_errno(&result->fault, errno, "memory");
	} else if (folder_make_own(folder, &result->fault) == 0) {
		task.folder = folder;
		run_in_child(&task, plan, result);
		folder_remove_own(folder);
	}
	if (task.shared)
		munmap(task.shared, sizeof(*task.shared));
}

void tool_result_release(struct tool_result *result)
{
	free(result->output);
	result->output = NULL;
}
