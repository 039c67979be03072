/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A system call that does nearly nothing, after lat_syscall null of lmbench. */
#include <sys/syscall.h>
#include <unistd.h>

#include "collector/agent/user_bench.h"

int bench_syscall_null_run(struct bench_run *run, uint64_t loops)
{
	stopwatch_start(&run->watch);
	for (uint64_t i = 0; i < loops; i++) {
		plant(run->plant);
		syscall(SYS_getppid);
	}
	stopwatch_stop(&run->watch);
	return 0;
}
