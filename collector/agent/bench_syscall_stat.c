/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Attributes of the program's own file by path and by descriptor, and opening and closing it;
 * after lat_syscall stat, fstat and open of lmbench. */
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "collector/agent/self.h"
#include "collector/agent/user_bench.h"

int bench_syscall_stat_setup(struct bench_run *run)
{
	char *path = self_path();

	run->data = path;
	if (!path)
		return bench_fail(run, SELF_LINK);
	run->fd = open(path, O_RDONLY | O_CLOEXEC);
	return run->fd < 0 ? bench_fail(run, path) : 0;
}

int bench_syscall_stat_run(struct bench_run *run, uint64_t loops)
{
	const char *path = run->data;
	struct stat info = {0};

	stopwatch_start(&run->watch);
	for (uint64_t i = 0; i < loops; i++) {
		plant(run->plant);
		if (stat(path, &info) < 0)
			return bench_fail(run, path);
	}
	stopwatch_stop(&run->watch);
	return S_ISREG(info.st_mode) ? 0 : bench_wrong(run, "stat found no regular file");
}

int bench_syscall_fstat_run(struct bench_run *run, uint64_t loops)
{
	struct stat info = {0};

	stopwatch_start(&run->watch);
	for (uint64_t i = 0; i < loops; i++) {
		plant(run->plant);
		if (fstat(run->fd, &info) < 0)
			return bench_fail(run, "fstat");
	}
	stopwatch_stop(&run->watch);
	return S_ISREG(info.st_mode) ? 0 : bench_wrong(run, "fstat found no regular file");
}

int bench_syscall_open_close_run(struct bench_run *run, uint64_t loops)
{
	const char *path = run->data;

	stopwatch_start(&run->watch);
	for (uint64_t i = 0; i < loops; i++) {
		int fd;

		plant(run->plant);
		fd = open(path, O_RDONLY);
		if (fd < 0 || close(fd) < 0)
			return bench_fail(run, path);
	}
	stopwatch_stop(&run->watch);
	return 0;
}
