/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Round trips over pipes and local sockets, after lat_pipe and lat_unix of lmbench. */
#include <sys/socket.h>
#include <unistd.h>

#include "collector/agent/pingpong.h"

int bench_ipc_pipe_setup(struct bench_run *run)
{
	int there[2], back[2];

	if (pipe(there) < 0 || pipe(back) < 0)
		return bench_setup_fail(run, "pipe");
	return pingpong_start(run, &(struct pingpong){
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
		return bench_setup_fail(run, "socketpair");
	return pingpong_start(run, &(struct pingpong){
					   .write_fd = ends[0],
					   .read_fd = ends[0],
					   .partner_read_fd = ends[1],
					   .partner_write_fd = ends[1],
				   });
}
