/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Benchmarks that run in userland: the table, and what each of them offers. */
#ifndef KREGRESS_AGENT_USER_BENCH_H
#define KREGRESS_AGENT_USER_BENCH_H

#include <stddef.h>
#include <stdint.h>

#include "collector/agent/fault.h"
#include "collector/agent/stopwatch.h"

/* One start of a benchmark, in a process of its own. */
struct bench_run {
	const struct user_bench *bench;
	struct stopwatch watch;
	void *data;	    /* the benchmark's, from setup to teardown */
	struct fault fault; /* set when setup or run returns -1 */
};

struct user_bench {
	const char *name;
	const char *params; /* "" when there are none */
	const char *unit;   /* of `time`: "ns/op" or "s" */
	const char *summary;
	/* With the clock `time`, a repetition is this many operations, or that times a power of
	 * two. */
	uint64_t min_loops;
	/* What the params say, for the benchmark's own use. */
	size_t size;
	unsigned groups, fan;

	int (*setup)(struct bench_run *run); /* NULL when there is nothing to do */
	/* Does `loops` operations, with the stopwatch going where they are to be measured. */
	int (*run)(struct bench_run *run, uint64_t loops);
	/* The process ends behind it: only what outlives a process needs releasing. NULL for none.
	 */
	void (*teardown)(struct bench_run *run);
};

/* Ended by an entry whose name is NULL. */
extern const struct user_bench user_benches[];

/* Sets the fault to "WHAT: strerror(errno)". Returns -1. */
int bench_fail(struct bench_run *run, const char *what);

int bench_syscall_null_run(struct bench_run *run, uint64_t loops);

int bench_mm_fork_run(struct bench_run *run, uint64_t loops);

int bench_mm_exec_setup(struct bench_run *run);
int bench_mm_exec_run(struct bench_run *run, uint64_t loops);

int bench_mm_mmap_run(struct bench_run *run, uint64_t loops);

int bench_mm_page_fault_run(struct bench_run *run, uint64_t loops);

int bench_ipc_pipe_setup(struct bench_run *run);
int bench_ipc_unix_setup(struct bench_run *run);
int bench_ipc_run(struct bench_run *run, uint64_t loops);
void bench_ipc_teardown(struct bench_run *run);

int bench_lock_futex_wake_setup(struct bench_run *run);
int bench_lock_futex_wake_run(struct bench_run *run, uint64_t loops);
void bench_lock_futex_wake_teardown(struct bench_run *run);

int bench_sched_messaging_setup(struct bench_run *run);
int bench_sched_messaging_run(struct bench_run *run, uint64_t loops);
void bench_sched_messaging_teardown(struct bench_run *run);

#endif
