/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Ping-pong between two processes over two descriptors; pipes and sockets differ in the setup. */
#include <stdlib.h>
#include <sys/socket.h>
#include <unistd.h>

#include "collector/agent/user_bench.h"
#include "collector/agent/worker.h"

struct pair {
	pid_t partner;
	int write_fd, read_fd;		       /* this process's ends */
	int partner_read_fd, partner_write_fd; /* the partner's */
};

static void answer(void *context)
{
	struct pair *pair = context;
	char byte;

	while (read(pair->partner_read_fd, &byte, 1) == 1 &&
	       write(pair->partner_write_fd, &byte, 1) == 1)
		;
}

static int start_partner(struct bench_run *run, const struct pair *ends)
{
	struct pair *pair = malloc(sizeof(*pair));

	if (!pair)
		return bench_fail(run, "memory");
	*pair = *ends;
	run->data = pair;
	if (worker_pin_to_one_cpu() < 0)
		return bench_fail(run, "sched_setaffinity");
	pair->partner = worker_start(answer, pair);
	return pair->partner < 0 ? bench_fail(run, "fork") : 0;
}

int bench_ipc_pipe_setup(struct bench_run *run)
{
	int there[2], back[2];

	if (pipe(there) < 0 || pipe(back) < 0)
		return bench_fail(run, "pipe");
	return start_partner(run, &(struct pair){
					  .write_fd = there[1],
					  .partner_read_fd = there[0],
					  .partner_write_fd = back[1],
					  .read_fd = back[0],
				  });
}

int bench_ipc_unix_setup(struct bench_run *run)
{
	int ends[2];

	if (socketpair(AF_UNIX, SOCK_STREAM, 0, ends) < 0)
		return bench_fail(run, "socketpair");
	return start_partner(run, &(struct pair){
					  .write_fd = ends[0],
					  .read_fd = ends[0],
					  .partner_read_fd = ends[1],
					  .partner_write_fd = ends[1],
				  });
}

int bench_ipc_run(struct bench_run *run, uint64_t loops)
{
	struct pair *pair = run->data;
	char byte = 'k';

	stopwatch_start(&run->watch);
	for (uint64_t i = 0; i < loops; i++)
		if (write(pair->write_fd, &byte, 1) != 1 || read(pair->read_fd, &byte, 1) != 1)
			return bench_fail(run, "round trip");
	stopwatch_stop(&run->watch);
	return 0;
}

void bench_ipc_teardown(struct bench_run *run)
{
	struct pair *pair = run->data;

	worker_stop(pair->partner);
}
