/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "collector/agent/user_bench.h"

#include <errno.h>

int bench_fail(struct bench_run *run, const char *what)
{
	return fault_set_errno(&run->fault, errno, "%s", what);
}

#define MESSAGING                                                                                  \
	.name = "sched.messaging", .unit = "s", .min_loops = 16,                                   \
	.setup = bench_sched_messaging_setup, .run = bench_sched_messaging_run,                    \
	.teardown = bench_sched_messaging_teardown

const struct user_bench user_benches[] = {
	{
		.name = "syscall.null",
		.params = "",
		.unit = "ns/op",
		.summary = "getppid system call",
		.min_loops = 1,
		.run = bench_syscall_null_run,
	},
	{
		.name = "mm.fork",
		.params = "",
		.unit = "ns/op",
		.summary = "fork, exit of the child and wait for it",
		.min_loops = 1,
		.run = bench_mm_fork_run,
	},
	{
		.name = "mm.exec",
		.params = "",
		.unit = "ns/op",
		.summary = "fork, exec of a static program that exits at once and wait for it",
		.min_loops = 1,
		.setup = bench_mm_exec_setup,
		.run = bench_mm_exec_run,
	},
	{
		.name = "mm.mmap",
		.params = "size=64k",
		.unit = "ns/op",
		.summary = "mmap of 64 KiB of anonymous memory, touch of each page, munmap",
		.min_loops = 1,
		.size = 64 << 10,
		.run = bench_mm_mmap_run,
	},
	{
		.name = "mm.mmap",
		.params = "size=1M",
		.unit = "ns/op",
		.summary = "mmap of 1 MiB of anonymous memory, touch of each page, munmap",
		.min_loops = 1,
		.size = 1 << 20,
		.run = bench_mm_mmap_run,
	},
	{
		.name = "mm.page_fault",
		.params = "",
		.unit = "ns/op",
		.summary = "first touch of a page of fresh anonymous memory",
		.min_loops = 1,
		.run = bench_mm_page_fault_run,
	},
	{
		.name = "ipc.pipe",
		.params = "",
		.unit = "ns/op",
		.summary = "round trip of a byte between two processes on one CPU over two pipes",
		.min_loops = 1,
		.setup = bench_ipc_pipe_setup,
		.run = bench_ipc_run,
		.teardown = bench_ipc_teardown,
	},
	{
		.name = "ipc.unix",
		.params = "",
		.unit = "ns/op",
		.summary =
			"round trip of a byte between two processes on one CPU over a socket pair",
		.min_loops = 1,
		.setup = bench_ipc_unix_setup,
		.run = bench_ipc_run,
		.teardown = bench_ipc_teardown,
	},
	{
		.name = "lock.futex_wake",
		.params = "",
		.unit = "ns/op",
		.summary = "round trip of two processes on one CPU that wake each other by futex",
		.min_loops = 1,
		.setup = bench_lock_futex_wake_setup,
		.run = bench_lock_futex_wake_run,
		.teardown = bench_lock_futex_wake_teardown,
	},
	{
		MESSAGING,
		.params = "groups=1,fan=5",
		.summary = "5 senders send 100 bytes to each of 5 receivers over socket pairs",
		.groups = 1,
		.fan = 5,
	},
	{
		MESSAGING,
		.params = "groups=1",
		.summary = "20 senders send 100 bytes to each of 20 receivers over socket pairs",
		.groups = 1,
		.fan = 20,
	},
	{
		MESSAGING,
		.params = "groups=4",
		.summary = "in each of 4 groups, 20 senders send 100 bytes to each of 20 receivers",
		.groups = 4,
		.fan = 20,
	},
	{.name = NULL},
};
