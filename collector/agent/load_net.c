/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Data sent over a TCP connection on loopback as fast as it goes. */
#include <errno.h>
#include <signal.h>
#include <sys/prctl.h>
#include <unistd.h>

#include "collector/agent/load.h"
#include "collector/agent/loopback.h"
#include "collector/agent/transfer.h"

#define BLOCK (16 << 10)

const char *load_net(void)
{
	static char block[BLOCK];
	int ends[2];
	pid_t pid;

	if (loopback_tcp_pair(ends) < 0)
		return "TCP over loopback";
	pid = fork();
	if (pid < 0)
		return "fork";
	if (pid == 0) {
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		while (transfer_read(ends[1], block, sizeof(block)) == 0)
			;
		_exit(1);
	}
	for (;;)
		if (transfer_write(ends[0], block, sizeof(block)) < 0)
			return "TCP over loopback";
}
