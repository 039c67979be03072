/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Pairs of processes that send each other messages without a pause. */
#include <errno.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <unistd.h>

#include "collector/agent/load.h"
#include "collector/agent/transfer.h"

#define PAIRS	     4
#define MESSAGE_SIZE 100

static const char *pass_messages(int from, int to)
{
	char message[MESSAGE_SIZE];

	for (;;)
		if (transfer_read(from, message, sizeof(message)) < 0 ||
		    transfer_write(to, message, sizeof(message)) < 0)
			return "a socket";
}

const char *load_messaging(void)
{
	char message[MESSAGE_SIZE] = {0};

	/* A ring: each process hands on what it gets; as many messages are on their way as pairs.
	 */
	int first[2], ends[2];

	if (socketpair(AF_UNIX, SOCK_STREAM, 0, first) < 0)
		return "socketpair";
	ends[0] = first[0];
	for (int i = 1; i < 2 * PAIRS; i++) {
		int next[2];
		pid_t pid;

		if (socketpair(AF_UNIX, SOCK_STREAM, 0, next) < 0)
			return "socketpair";
		pid = fork();
		if (pid < 0)
			return "fork";
		if (pid == 0) {
			prctl(PR_SET_PDEATHSIG, SIGKILL);
			pass_messages(ends[0], next[1]);
			_exit(1);
		}
		ends[0] = next[0];
	}
	for (int i = 0; i < PAIRS; i++)
		if (transfer_write(first[1], message, sizeof(message)) < 0)
			return "a socket";
	return pass_messages(ends[0], first[1]);
}
