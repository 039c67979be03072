/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A TCP connection made, accepted and closed, after lat_connect of lmbench. */
#include <netinet/in.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <unistd.h>

#include "collector/agent/loopback.h"
#include "collector/agent/user_bench.h"

int bench_net_tcp_connect_setup(struct bench_run *run)
{
	struct sockaddr_in *address = malloc(sizeof(*address));

	run->data = address;
	run->fd = address ? loopback_listen(address) : -1;
	return run->fd < 0 ? bench_setup_fail(run, "TCP over loopback") : 0;
}

/* The end that resets leaves no port behind that waits for a minute. */
static int close_at_once(int fd)
{
	struct linger at_once = {.l_onoff = 1, .l_linger = 0};

	setsockopt(fd, SOL_SOCKET, SO_LINGER, &at_once, sizeof(at_once));
	return close(fd);
}

int bench_net_tcp_connect_run(struct bench_run *run, uint64_t loops)
{
	stopwatch_start(&run->watch);
	for (uint64_t i = 0; i < loops; i++) {
		int client, server;

		plant(run->plant);
		client = loopback_connect(run->data);
		server = client < 0 ? -1 : loopback_accept(run->fd);
		if (server < 0 || close_at_once(client) < 0 || close(server) < 0)
			return bench_fail(run, "connection");
	}
	stopwatch_stop(&run->watch);
	return 0;
}
