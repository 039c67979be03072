/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Programs that exit at once: the agent's own file, and a shell that starts it; after lat_proc
 * exec and shell of lmbench. */
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "collector/agent/self.h"
#include "collector/agent/user_bench.h"

#define SHELL "/bin/sh"

int bench_mm_exec_setup(struct bench_run *run)
{
	char *path = self_path();

	run->data = path;
	if (!path)
		return bench_fail(run, SELF_LINK);
	return access(path, X_OK) < 0 ? bench_fail(run, path) : 0;
}

static int start_once(struct bench_run *run, char **arguments)
{
	char *environment[] = {NULL};
	int status;
	pid_t pid = fork();

	if (pid == 0) {
		execve(arguments[0], arguments, environment);
		_exit(127);
	}
	if (pid < 0 || waitpid(pid, &status, 0) != pid)
		return bench_fail(run, "fork");
	if (status != 0)
		return fault_set(&run->fault, "%s cannot be executed: status %#x", arguments[0],
				 (unsigned)status);
	return 0;
}

static int start_loop(struct bench_run *run, char **arguments, uint64_t loops)
{
	stopwatch_start(&run->watch);
	for (uint64_t i = 0; i < loops; i++) {
		plant(run->plant);
		if (start_once(run, arguments) < 0)
			return -1;
	}
	stopwatch_stop(&run->watch);
	return 0;
}

int bench_mm_exec_run(struct bench_run *run, uint64_t loops)
{
	char option[] = SELF_EXIT_OPTION;
	char *arguments[] = {run->data, option, NULL};

	return start_loop(run, arguments, loops);
}

int bench_mm_shell_setup(struct bench_run *run)
{
	char *command = calloc(1, PATH_MAX + 64);

	if (access(SHELL, X_OK) < 0) {
		free(command);
		return bench_unavailable(run, "there is no " SHELL);
	}
	if (!command || bench_mm_exec_setup(run) < 0) {
		free(command);
		return command ? -1 : bench_fail(run, "memory");
	}
	snprintf(command, PATH_MAX + 64, "'%s' " SELF_EXIT_OPTION, (const char *)run->data);
	free(run->data);
	run->data = command;
	return 0;
}

int bench_mm_shell_run(struct bench_run *run, uint64_t loops)
{
	char shell[] = SHELL, option[] = "-c";
	char *arguments[] = {shell, option, run->data, NULL};

	return start_loop(run, arguments, loops);
}
