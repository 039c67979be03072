/* SPDX-License-Identifier: GPL-2.0-or-later */
/* One byte from /dev/zero, one byte to /dev/null, after lat_syscall read and write of lmbench. */
#include <fcntl.h>
#include <unistd.h>

#include "collector/agent/user_bench.h"

static int open_device(struct bench_run *run, const char *path, int flags)
{
	int *fd = &run->fd;

	*fd = open(path, flags | O_CLOEXEC);
	return *fd < 0 ? bench_setup_fail(run, path) : 0;
}

int bench_syscall_read_setup(struct bench_run *run)
{
	return open_device(run, "/dev/zero", O_RDONLY);
}

int bench_syscall_read_run(struct bench_run *run, uint64_t loops)
{
	char byte = 'k';

	stopwatch_start(&run->watch);
	for (uint64_t i = 0; i < loops; i++) {
		plant(run->plant);
		if (read(run->fd, &byte, 1) != 1)
			return bench_fail(run, "read from /dev/zero");
	}
	stopwatch_stop(&run->watch);
	return byte ? bench_wrong(run, "/dev/zero gave another byte") : 0;
}

int bench_syscall_write_setup(struct bench_run *run)
{
	return open_device(run, "/dev/null", O_WRONLY);
}

int bench_syscall_write_run(struct bench_run *run, uint64_t loops)
{
	char byte = 'k';

	stopwatch_start(&run->watch);
	for (uint64_t i = 0; i < loops; i++) {
		plant(run->plant);
		if (write(run->fd, &byte, 1) != 1)
			return bench_fail(run, "write to /dev/null");
	}
	stopwatch_stop(&run->watch);
	return 0;
}
