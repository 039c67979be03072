/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Blocks through a pipe, a local socket or a TCP connection to another process on the same CPU,
 * after bw_pipe, bw_unix and bw_tcp of lmbench. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "collector/agent/loopback.h"
#include "collector/agent/team.h"
#include "collector/agent/transfer.h"
#include "collector/agent/worker.h"

#define BLOCK_MAX (64 << 10)

struct stream {
	int fd;
	size_t size;
	uint64_t plant;
};

static char pattern(uint64_t block)
{
	return (char)(block & 0x7f);
}

static int send_blocks(void *context, uint64_t loops)
{
	const struct stream *stream = context;
	char block[BLOCK_MAX];

	memset(block, 0, sizeof(block));
	for (uint64_t i = 0; i < loops; i++) {
		plant(stream->plant);
		block[0] = block[stream->size - 1] = pattern(i);
		if (transfer_write(stream->fd, block, stream->size) < 0)
			return -1;
	}
	return 0;
}

static int receive_blocks(void *context, uint64_t loops)
{
	const struct stream *stream = context;
	char block[BLOCK_MAX];

	memset(block, 0, sizeof(block));
	for (uint64_t i = 0; i < loops; i++)
		if (transfer_read(stream->fd, block, stream->size) < 0 || block[0] != pattern(i) ||
		    block[stream->size - 1] != pattern(i))
			return -1;
	return 0;
}

/* ends[0] receives, ends[1] sends. */
static int start(struct bench_run *run, const int ends[2])
{
	struct stream receiver = {.fd = ends[0], .size = run->bench->size};
	struct stream sender = {.fd = ends[1], .size = run->bench->size, .plant = run->plant};
	struct team *team = team_new();

	if (!team)
		return bench_fail(run, "mmap");
	run->data = team;
	if (worker_pin_to_one_cpu() < 0)
		return bench_fail(run, "sched_setaffinity");
	if (team_add(team, receive_blocks, &receiver, sizeof(receiver), false) < 0 ||
	    team_add(team, send_blocks, &sender, sizeof(sender), false) < 0)
		return bench_fail(run, "fork");
	return 0;
}

int bench_ipc_stream_setup(struct bench_run *run)
{
	int ends[2];

	if (run->bench->pipes ? pipe(ends) < 0 : socketpair(AF_UNIX, SOCK_STREAM, 0, ends) < 0)
		return bench_setup_fail(run, run->bench->pipes ? "pipe" : "socketpair");
	return start(run, ends);
}

int bench_net_tcp_stream_setup(struct bench_run *run)
{
	int ends[2];

	return loopback_tcp_pair(ends) < 0 ? bench_setup_fail(run, "TCP over loopback")
					   : start(run, ends);
}

int bench_ipc_stream_run(struct bench_run *run, uint64_t loops)
{
	return team_round(run->data, run, loops);
}
