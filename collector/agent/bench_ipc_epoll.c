/* SPDX-License-Identifier: GPL-2.0-or-later */
/* An event among many descriptors: it is raised, epoll_wait finds it, it is read. */
#include <stdlib.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include "collector/agent/user_bench.h"

/* run->fd is the epoll descriptor, run->data the event descriptors. */
int bench_ipc_epoll_setup(struct bench_run *run)
{
	unsigned count = run->bench->fan;
	int *events = calloc(count, sizeof(*events));

	run->data = events;
	run->fd = epoll_create1(EPOLL_CLOEXEC);
	if (!events || run->fd < 0)
		return bench_setup_fail(run, "epoll_create1");
	for (unsigned i = 0; i < count; i++) {
		struct epoll_event event = {.events = EPOLLIN, .data.u32 = i};

		events[i] = eventfd(0, EFD_CLOEXEC);
		if (events[i] < 0)
			return bench_setup_fail(run, "eventfd");
		if (epoll_ctl(run->fd, EPOLL_CTL_ADD, events[i], &event) < 0)
			return bench_setup_fail(run, "epoll_ctl");
	}
	return 0;
}

static int raise_and_find(struct bench_run *run, const int *events, unsigned which)
{
	struct epoll_event found;
	uint64_t value = 1;

	if (write(events[which], &value, sizeof(value)) != sizeof(value) ||
	    epoll_wait(run->fd, &found, 1, -1) != 1 ||
	    read(events[which], &value, sizeof(value)) != sizeof(value))
		return bench_fail(run, "event");
	if (found.data.u32 != which || value != 1)
		return bench_wrong(run, "epoll_wait found another event");
	return 0;
}

int bench_ipc_epoll_run(struct bench_run *run, uint64_t loops)
{
	unsigned count = run->bench->fan, which = 0;

	stopwatch_start(&run->watch);
	for (uint64_t i = 0; i < loops; i++) {
		plant(run->plant);
		if (raise_and_find(run, run->data, which) < 0)
			return -1;
		which = which + 1 == count ? 0 : which + 1;
	}
	stopwatch_stop(&run->watch);
	return 0;
}
