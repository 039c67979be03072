/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Round trips of a byte between two processes on one CPU, over any two descriptors. */
#ifndef KREGRESS_AGENT_PINGPONG_H
#define KREGRESS_AGENT_PINGPONG_H

#include "collector/agent/user_bench.h"

struct pingpong {
	int write_fd, read_fd;		       /* this process's ends */
	int partner_read_fd, partner_write_fd; /* the partner's */
};

/* Starts the partner and keeps the ends as the run's data. */
int pingpong_start(struct bench_run *run, const struct pingpong *ends);

/* The `run` of a benchmark whose setup called pingpong_start(). */
int pingpong_run(struct bench_run *run, uint64_t loops);

#endif
