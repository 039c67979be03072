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
#include "collector/agent/stopwatch.h"
#include "collector/agent/tool_program.h"

/* What is kept of the output that is not captured, and of it in a message. */
#define REMARKS_MAX (1u << 20)
#define TAIL_MAX    300

/* A server gets this long to open its port. */
#define BESIDE_MS 500

struct shared {
	struct stopwatch watch;
	int exit_code;
	char failed_part[32];
};

struct task {
	const struct plan_tool *tool;
	const char *folder;
	int remarks_fd; /* a file in memory that takes what is not captured */
	struct shared *shared;
};

/* A file in memory that cannot grow above REMARKS_MAX: no program fills up the machine. */
static int open_remarks(void)
{
	int fd = memfd_create("remarks", MFD_CLOEXEC | MFD_ALLOW_SEALING);

	if (fd >= 0 &&
	    (ftruncate(fd, REMARKS_MAX) < 0 || fcntl(fd, F_ADD_SEALS, F_SEAL_GROW) < 0)) {
		close(fd);
		return -1;
	}
	return fd;
}

static int run_before(const struct task *task)
{
	pid_t pid;

	if (!task->tool->before)
		return 0;
	pid = tool_program_start(task->tool->before, task->remarks_fd, task->remarks_fd);
	return pid < 0 ? 127 : tool_program_wait(pid);
}

static int start_beside(const struct task *task)
{
	const struct timespec moment = {0, BESIDE_MS * 1000000L};

	if (!task->tool->beside)
		return 0;
	if (tool_program_start(task->tool->beside, task->remarks_fd, task->remarks_fd) < 0)
		return -1;
	nanosleep(&moment, NULL);
	return 0;
}

static int fail_part(const struct task *task, const char *part, int code)
{
	snprintf(task->shared->failed_part, sizeof(task->shared->failed_part), "%s", part);
	task->shared->exit_code = code;
	return 0;
}

/* In the child. It ends with 0 in any case: how the program ended is in the shared memory. */
static int run_task(void *context, int result_fd)
{
	const struct task *task = context;
	const struct plan_tool *tool = task->tool;
	struct stopwatch *watch = &task->shared->watch;
	int code;
	pid_t pid;

	if (chdir(task->folder) < 0)
		return fail_part(task, "folder", 127);
	code = run_before(task);
	if (code != 0)
		return fail_part(task, "the preparation", code);
	if (start_beside(task) < 0)
		return fail_part(task, "the server", 127);
	stopwatch_start(watch);
	pid = tool_program_start(tool->command,
				 tool->capture == TOOL_STDOUT ? result_fd : task->remarks_fd,
				 tool->capture == TOOL_STDERR ? result_fd : task->remarks_fd);
	code = pid < 0 ? 127 : tool_program_wait(pid);
	stopwatch_stop(watch);
	return code ? fail_part(task, "it", code) : 0;
}

/* The end of a text, on one line. */
static void take_tail(char tail[TAIL_MAX + 1], const char *text, size_t length)
{
	size_t from;

	while (length && (text[length - 1] == '\n' || text[length - 1] == ' '))
		length--;
	from = length > TAIL_MAX ? length - TAIL_MAX : 0;
	memcpy(tail, text + from, length - from);
	tail[length - from] = '\0';
	for (char *at = tail; *at; at++)
		if (*at == '\n' || *at == '\t')
			*at = ' ';
}

static void read_remarks(int fd, char tail[TAIL_MAX + 1])
{
	off_t end = lseek(fd, 0, SEEK_CUR);
	off_t from = end > TAIL_MAX ? end - TAIL_MAX : 0;
	char text[TAIL_MAX];
	ssize_t got = end > 0 ? pread(fd, text, (size_t)(end - from), from) : 0;

	take_tail(tail, text, got > 0 ? (size_t)got : 0);
}

static void explain(const struct task *task, struct tool_result *result)
{
	const struct shared *shared = task->shared;
	char tail[TAIL_MAX + 1];

	read_remarks(task->remarks_fd, tail);
	if (!*tail && result->output)
		take_tail(tail, result->output, result->length);
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
	struct task task = {.tool = tool, .remarks_fd = open_remarks()};
	char folder[PATH_MAX];

	*result = (struct tool_result){.outcome = CHILD_FAILED};
	task.shared = futex_shared_memory(sizeof(*task.shared));
	if (task.remarks_fd < 0 || !task.shared) {
		fault_set_errno(&result->fault, errno, "memory");
	} else if (folder_make_own(folder, &result->fault) == 0) {
		task.folder = folder;
		run_in_child(&task, plan, result);
		folder_remove_own(folder);
	}
	if (task.shared)
		munmap(task.shared, sizeof(*task.shared));
	if (task.remarks_fd >= 0)
		close(task.remarks_fd);
}

void tool_result_release(struct tool_result *result)
{
	free(result->output);
	result->output = NULL;
}
