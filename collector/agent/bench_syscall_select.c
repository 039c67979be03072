/* SPDX-License-Identifier: GPL-2.0-or-later */
/* select over descriptors of which none is ready, after lat_select of lmbench. */
#include <fcntl.h>
#include <stdlib.h>
#include <sys/select.h>
#include <unistd.h>

#include "collector/agent/user_bench.h"

/* run->fd becomes the highest descriptor, run->data the set; they are all the empty pipe's. */
int bench_syscall_select_setup(struct bench_run *run)
{
	fd_set *wanted = calloc(1, sizeof(*wanted));
	int ends[2];

	run->data = wanted;
	if (!wanted || pipe(ends) < 0)
		return bench_setup_fail(run, "pipe");
	for (unsigned i = 0; i < run->bench->fan; i++) {
		int fd = fcntl(ends[0], F_DUPFD_CLOEXEC, run->fd + 1);

		if (fd < 0)
			return bench_fail(run, "dup");
		if (fd >= FD_SETSIZE)
			return bench_unavailable(run, "too many files are open for select");
		FD_SET(fd, wanted);
		run->fd = fd;
	}
	return 0;
}

int bench_syscall_select_run(struct bench_run *run, uint64_t loops)
{
	const fd_set *wanted = run->data;
	fd_set set;

	stopwatch_start(&run->watch);
	for (uint64_t i = 0; i < loops; i++) {
		struct timeval at_once = {0, 0};
		int ready;

		plant(run->plant);
		set = *wanted;
		ready = select(run->fd + 1, &set, NULL, NULL, &at_once);
		if (ready < 0)
			return bench_fail(run, "select");
		if (ready > 0)
			return bench_wrong(run, "an empty pipe was ready");
	}
	stopwatch_stop(&run->watch);
	return 0;
}
