/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Round trips over loopback, after lat_tcp and lat_udp of lmbench. */
#include "collector/agent/loopback.h"
#include "collector/agent/pingpong.h"

static int start(struct bench_run *run, const int ends[2])
{
	return pingpong_start(run, &(struct pingpong){
					   .write_fd = ends[0],
					   .read_fd = ends[0],
					   .partner_read_fd = ends[1],
					   .partner_write_fd = ends[1],
				   });
}

int bench_net_tcp_setup(struct bench_run *run)
{
	int ends[2];

	return loopback_tcp_pair(ends) < 0 ? bench_setup_fail(run, "TCP over loopback")
					   : start(run, ends);
}

int bench_net_udp_setup(struct bench_run *run)
{
	int ends[2];

	return loopback_udp_pair(ends) < 0 ? bench_setup_fail(run, "UDP over loopback")
					   : start(run, ends);
}
