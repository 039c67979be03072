/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "collector/agent/self.h"
#include "collector/agent/user_bench.h"

/* Resolved once: following the link of procfs is no part of what is measured. */
int bench_mm_exec_setup(struct bench_run *run)
{
	char *path = calloc(1, PATH_MAX);

	if (!path || readlink(SELF_LINK, path, PATH_MAX - 1) < 0)
		return bench_fail(run, SELF_LINK);
	if (access(path, X_OK) < 0)
		return bench_fail(run, path);
	run->data = path;
	return 0;
}

static int exec_once(struct bench_run *run)
{
	char *path = run->data;
	char option[] = SELF_EXIT_OPTION;
	char *arguments[] = {path, option, NULL};
	char *environment[] = {NULL};
	int status;
	pid_t pid = fork();

	if (pid == 0) {
		execve(path, arguments, environment);
		_exit(127);
	}
	if (pid < 0 || waitpid(pid, &status, 0) != pid)
		return bench_fail(run, "fork");
	if (status != 0)
		return fault_set(&run->fault, "%s cannot be executed: status %#x", path,
				 (unsigned)status);
	return 0;
}

int bench_mm_exec_run(struct bench_run *run, uint64_t loops)
{
	stopwatch_start(&run->watch);
	for (uint64_t i = 0; i < loops; i++)
		if (exec_once(run) < 0)
			return -1;
	stopwatch_stop(&run->watch);
	return 0;
}
