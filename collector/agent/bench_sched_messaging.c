/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Groups of senders and receivers, the load that hackbench describes: within a group every sender
 * sends messages to every receiver, each receiver has a socket pair or a pipe of its own. One
 * operation is one message from each sender to each receiver. Members are processes or threads.
 */
#include <sys/socket.h>
#include <unistd.h>

#include "collector/agent/team.h"
#include "collector/agent/transfer.h"

#define MESSAGE_SIZE 100
#define FAN_MAX	     64

/* What a member knows of its group. */
struct member {
	unsigned fan;
	int to_receivers[FAN_MAX];
	int from_senders[FAN_MAX];
	unsigned receiver; /* which one a receiver is */
	uint64_t plant;
};

static int send_all(void *context, uint64_t loops)
{
	const struct member *member = context;
	char message[MESSAGE_SIZE] = {0};

	for (uint64_t i = 0; i < loops; i++) {
		plant(member->plant);
		for (unsigned to = 0; to < member->fan; to++)
			if (write(member->to_receivers[to], message, MESSAGE_SIZE) != MESSAGE_SIZE)
				return -1;
	}
	return 0;
}

static int receive_all(void *context, uint64_t loops)
{
	const struct member *member = context;
	char message[MESSAGE_SIZE];

	for (uint64_t i = 0; i < loops * member->fan; i++)
		if (transfer_read(member->from_senders[member->receiver], message, MESSAGE_SIZE) <
		    0)
			return -1;
	return 0;
}

static int add_members(struct bench_run *run, struct team *team, struct member *member, bool first)
{
	bool thread = run->bench->threads;

	for (unsigned i = 0; i < member->fan; i++) {
		member->receiver = i;
		member->plant = first && i == 0 ? run->plant : 0;
		if (team_add(team, receive_all, member, sizeof(*member), thread) < 0 ||
		    team_add(team, send_all, member, sizeof(*member), thread) < 0)
			return bench_fail(run, thread ? "thread" : "fork");
	}
	return 0;
}

static int make_channel(const struct user_bench *bench, int ends[2])
{
	return bench->pipes ? pipe(ends) : socketpair(AF_UNIX, SOCK_STREAM, 0, ends);
}

static int add_group(struct bench_run *run, struct team *team, bool first)
{
	struct member member = {.fan = run->bench->fan};
	unsigned made = 0;
	int result = 0;

	while (made < member.fan && result == 0) {
		int ends[2];

		if (make_channel(run->bench, ends) < 0) {
			result = bench_setup_fail(run, run->bench->pipes ? "pipe" : "socketpair");
			break;
		}
		member.to_receivers[made] = ends[1];
		member.from_senders[made++] = ends[0];
	}
	if (result == 0)
		result = add_members(run, team, &member, first);
	/* Threads go on to use them. */
	while (!run->bench->threads && made--) {
		close(member.to_receivers[made]);
		close(member.from_senders[made]);
	}
	return result;
}

int bench_sched_messaging_setup(struct bench_run *run)
{
	struct team *team = team_new();

	if (!team)
		return bench_fail(run, "mmap");
	run->data = team;
	for (unsigned i = 0; i < run->bench->groups; i++)
		if (add_group(run, team, i == 0) < 0)
			return -1;
	return 0;
}

int bench_sched_messaging_run(struct bench_run *run, uint64_t loops)
{
	return team_round(run->data, run, loops);
}
