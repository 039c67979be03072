/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Clients and the server processes of their connections, over TCP on loopback, after tbench: the
 * network side of a file server without its disk. A loop is a session's worth of requests of each
 * client; what counts is the file data moved.
 */
#include <string.h>
#include <unistd.h>

#include "collector/agent/loopback.h"
#include "collector/agent/team.h"
#include "collector/agent/transfer.h"
#include "collector/agent/worker.h"

#define MESSAGE_MAX (8 << 10)
#define CLIENTS_MAX 64

struct header {
	uint32_t request;  /* bytes, this header included */
	uint32_t response; /* bytes that the server shall answer with, a header included */
	uint64_t tag;
};

/* Open, attributes, four writes and four reads of 4 KiB, close: with the headers a file server has.
 */
static const struct {
	uint32_t request, response;
} session[] = {
	{112, 108}, {80, 104},	{4160, 56}, {4160, 56}, {4160, 56}, {4160, 56},
	{64, 4160}, {64, 4160}, {64, 4160}, {64, 4160}, {48, 40},
};

#define REQUESTS (sizeof(session) / sizeof(session[0]))

struct client {
	int fd;
	uint64_t plant;
};

static int ask(int fd, char *message, uint32_t request, uint32_t response, uint64_t tag)
{
	struct header header = {request, response, tag};

	memcpy(message, &header, sizeof(header));
	if (transfer_write(fd, message, request) < 0 || transfer_read(fd, message, response) < 0)
		return -1;
	memcpy(&header, message, sizeof(header));
	return header.tag == tag && header.request == response ? 0 : -1;
}

static int run_client(void *context, uint64_t loops)
{
	const struct client *client = context;
	char message[MESSAGE_MAX] = {0};

	for (uint64_t i = 0; i < loops; i++) {
		plant(client->plant);
		for (size_t j = 0; j < REQUESTS; j++)
			if (ask(client->fd, message, session[j].request, session[j].response,
				i * REQUESTS + j) < 0)
				return -1;
	}
	return 0;
}

static void serve(void *context)
{
	int fd = *(int *)context;
	char message[MESSAGE_MAX] = {0};
	struct header header;

	while (transfer_read(fd, &header, sizeof(header)) == 0) {
		if (header.request < sizeof(header) || header.request > MESSAGE_MAX ||
		    header.response < sizeof(header) || header.response > MESSAGE_MAX ||
		    transfer_read(fd, message, header.request - sizeof(header)) < 0)
			return;
		header.request = header.response;
		memcpy(message, &header, sizeof(header));
		if (transfer_write(fd, message, header.response) < 0)
			return;
	}
}

static int add_client(struct bench_run *run, struct team *team, bool planted)
{
	struct client client = {.plant = planted ? run->plant : 0};
	int ends[2];
	int result = 0;

	if (loopback_tcp_pair(ends) < 0)
		return bench_setup_fail(run, "TCP over loopback");
	client.fd = ends[0];
	if (worker_start(serve, &ends[1]) < 0 ||
	    team_add(team, run_client, &client, sizeof(client), false) < 0)
		result = bench_fail(run, "fork");
	close(ends[0]);
	close(ends[1]);
	return result;
}

int bench_net_file_server_setup(struct bench_run *run)
{
	struct team *team = team_new();

	if (!team)
		return bench_fail(run, "mmap");
	run->data = team;
	for (unsigned i = 0; i < run->bench->fan && i < CLIENTS_MAX; i++)
		if (add_client(run, team, i == 0) < 0)
			return -1;
	return 0;
}

int bench_net_file_server_run(struct bench_run *run, uint64_t loops)
{
	return team_round(run->data, run, loops);
}
