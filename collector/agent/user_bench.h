/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Benchmarks that run in userland: the table, and what each of them offers. */
#ifndef KREGRESS_AGENT_USER_BENCH_H
#define KREGRESS_AGENT_USER_BENCH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "collector/agent/fault.h"
#include "collector/agent/plant.h"
#include "collector/agent/stopwatch.h"

/* Further metrics that a benchmark may give beside its time, in nanoseconds. */
#define BENCH_EXTRA_MAX 2

/* One start of a benchmark, in a process of its own. */
struct bench_run {
	const struct user_bench *bench;
	struct stopwatch watch;
	uint64_t plant;	    /* to be passed to plant() once per operation inside the loop */
	const char *folder; /* empty, the benchmark's own; NULL unless the row asks for it */
	void *data;	    /* the benchmark's, from setup to teardown */
	int fd;		    /* the same, for those with one descriptor */
	struct fault fault; /* set when setup or run returns -1 */
	bool unavailable;   /* set by setup beside the fault: the kernel or machine lacks it */
	double extra[BENCH_EXTRA_MAX]; /* set by run, as the row's `extra` names them */
};

struct user_bench {
	const char *name;
	const char *params; /* "" when there are none */
	/* Of `time`: "ns/op" or "s"; or of `rate`, the higher the better: "1/s" or "B/s". */
	const char *unit;
	const char *summary;
	/* With the clock `time`, a repetition is this many loops, or that times a power of two. */
	uint64_t min_loops;
	/* Operations in a loop, for the units of `time`; 0 stands for 1. */
	uint64_t parts;
	/* What a loop achieves, for the units of `rate`: bytes, messages. */
	uint64_t amount;
	/* What the params say, for the benchmark's own use. */
	size_t size;
	unsigned groups, fan;
	bool threads, pipes;
	bool folder; /* needs a folder for files */
	/* Takes several CPUs by itself. Others run once on each CPU where the plan has several. */
	bool spread;
	const char *extra[BENCH_EXTRA_MAX]; /* names of further metrics, or NULL */

	int (*setup)(struct bench_run *run); /* NULL when there is nothing to do */
	/* Does `loops` loops, with the stopwatch going where they are to be measured. */
	int (*run)(struct bench_run *run, uint64_t loops);
	/*
	 * The process ends behind it, and its process group is killed, so only what outlives them
	 * needs releasing. NULL for none.
	 */
	void (*teardown)(struct bench_run *run);
};

/* Ended by an entry whose name is NULL. */
extern const struct user_bench user_benches[];

/* "time" or "rate"; "lower" or "higher". */
const char *user_bench_metric(const struct user_bench *bench);
const char *user_bench_better(const struct user_bench *bench);

/* Sets the fault to "WHAT: strerror(errno)". Returns -1. */
int bench_fail(struct bench_run *run, const char *what);

/*
 * The same in a setup; where errno says that the kernel does not have it (no such system call,
 * address family, protocol, permission), the benchmark is unavailable. Returns -1.
 */
int bench_setup_fail(struct bench_run *run, const char *what);

/* Unavailable for that reason. Returns -1. */
int bench_unavailable(struct bench_run *run, const char *reason);

/* The operation did something else than it was measured for. Returns -1. */
int bench_wrong(struct bench_run *run, const char *what);

int bench_syscall_null_run(struct bench_run *run, uint64_t loops);

int bench_syscall_read_setup(struct bench_run *run);
int bench_syscall_read_run(struct bench_run *run, uint64_t loops);

int bench_syscall_write_setup(struct bench_run *run);
int bench_syscall_write_run(struct bench_run *run, uint64_t loops);

int bench_syscall_stat_setup(struct bench_run *run);
int bench_syscall_stat_run(struct bench_run *run, uint64_t loops);

int bench_syscall_fstat_run(struct bench_run *run, uint64_t loops);

int bench_syscall_open_close_run(struct bench_run *run, uint64_t loops);

int bench_syscall_select_setup(struct bench_run *run);
int bench_syscall_select_run(struct bench_run *run, uint64_t loops);

int bench_signal_install_run(struct bench_run *run, uint64_t loops);

int bench_signal_deliver_setup(struct bench_run *run);
int bench_signal_deliver_run(struct bench_run *run, uint64_t loops);

int bench_signal_protection_setup(struct bench_run *run);
int bench_signal_protection_run(struct bench_run *run, uint64_t loops);

int bench_mm_fork_run(struct bench_run *run, uint64_t loops);

int bench_mm_exec_setup(struct bench_run *run);
int bench_mm_exec_run(struct bench_run *run, uint64_t loops);

int bench_mm_shell_setup(struct bench_run *run);
int bench_mm_shell_run(struct bench_run *run, uint64_t loops);

int bench_mm_mmap_run(struct bench_run *run, uint64_t loops);

int bench_mm_page_fault_run(struct bench_run *run, uint64_t loops);

int bench_mem_setup(struct bench_run *run);
int bench_mem_read_run(struct bench_run *run, uint64_t loops);
int bench_mem_write_run(struct bench_run *run, uint64_t loops);
int bench_mem_copy_run(struct bench_run *run, uint64_t loops);

int bench_ipc_pipe_setup(struct bench_run *run);
int bench_ipc_unix_setup(struct bench_run *run);

int bench_ipc_stream_setup(struct bench_run *run);
int bench_ipc_stream_run(struct bench_run *run, uint64_t loops);

int bench_ipc_epoll_setup(struct bench_run *run);
int bench_ipc_epoll_run(struct bench_run *run, uint64_t loops);

int bench_net_tcp_setup(struct bench_run *run);
int bench_net_udp_setup(struct bench_run *run);
int bench_net_tcp_stream_setup(struct bench_run *run);

int bench_net_tcp_connect_setup(struct bench_run *run);
int bench_net_tcp_connect_run(struct bench_run *run, uint64_t loops);

int bench_net_file_server_setup(struct bench_run *run);
int bench_net_file_server_run(struct bench_run *run, uint64_t loops);

int bench_net_chat_setup(struct bench_run *run);
int bench_net_chat_run(struct bench_run *run, uint64_t loops);

int bench_file_create_delete_setup(struct bench_run *run);
int bench_file_create_delete_run(struct bench_run *run, uint64_t loops);

int bench_file_reread_setup(struct bench_run *run);
int bench_file_reread_run(struct bench_run *run, uint64_t loops);

int bench_file_lock_setup(struct bench_run *run);
int bench_file_lock_run(struct bench_run *run, uint64_t loops);

int bench_lock_futex_wake_setup(struct bench_run *run);
int bench_lock_futex_wake_run(struct bench_run *run, uint64_t loops);

int bench_lock_futex_hash_setup(struct bench_run *run);
int bench_lock_futex_hash_run(struct bench_run *run, uint64_t loops);

int bench_sched_messaging_setup(struct bench_run *run);
int bench_sched_messaging_run(struct bench_run *run, uint64_t loops);

int bench_sched_context_setup(struct bench_run *run);
int bench_sched_context_run(struct bench_run *run, uint64_t loops);

int bench_sched_yield_setup(struct bench_run *run);
int bench_sched_yield_run(struct bench_run *run, uint64_t loops);

int bench_sched_thread_run(struct bench_run *run, uint64_t loops);

int bench_timer_wakeup_setup(struct bench_run *run);
int bench_timer_wakeup_run(struct bench_run *run, uint64_t loops);

#endif
