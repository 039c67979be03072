/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A child that exits at once, after lat_proc fork of lmbench. */
#include <sys/wait.h>
#include <unistd.h>

#include "collector/agent/user_bench.h"

int bench_mm_fork_run(struct bench_run *run, uint64_t loops)
{
	stopwatch_start(&run->watch);
	for (uint64_t i = 0; i < loops; i++) {
		pid_t pid;

		plant(run->plant);
		pid = fork();
		if (pid == 0)
			_exit(0);
		if (pid < 0 || waitpid(pid, NULL, 0) != pid)
			return bench_fail(run, "fork");
	}
	stopwatch_stop(&run->watch);
	return 0;
}
