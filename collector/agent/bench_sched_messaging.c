/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Groups of senders and receivers, the load that hackbench describes: within a group every sender
 * sends messages to every receiver, each receiver has a socket pair of its own. One operation is
 * one message from each sender to each receiver. The processes live as long as the benchmark, so
 * that a repetition measures messages and scheduling, not fork.
 */
#include <limits.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <unistd.h>

#include "collector/agent/futex.h"
#include "collector/agent/user_bench.h"
#include "collector/agent/worker.h"

#define MESSAGE_SIZE 100
#define FAN_MAX	     64

/* What all processes share. */
struct arena {
	uint32_t round;	   /* raised to start one: the workers wait on it */
	uint32_t finished; /* workers that are through with it: the measurer waits on it */
	uint32_t failed;   /* a socket refused */
	uint32_t workers;
	uint64_t loops; /* of this round */
	pid_t pids[];
};

/* What a worker knows of its group. */
struct member {
	struct arena *arena;
	unsigned fan;
	int to_receivers[FAN_MAX];
	int from_senders[FAN_MAX];
	unsigned receiver; /* which one a receiver is */
};

static int send_all(struct member *member, uint64_t loops)
{
	char message[MESSAGE_SIZE] = {0};

	for (uint64_t i = 0; i < loops; i++)
		for (unsigned to = 0; to < member->fan; to++)
			if (write(member->to_receivers[to], message, MESSAGE_SIZE) != MESSAGE_SIZE)
				return -1;
	return 0;
}

/* A stream may hand over a message in parts. */
static int receive_all(struct member *member, uint64_t loops)
{
	char message[MESSAGE_SIZE];

	for (uint64_t i = 0; i < loops * member->fan; i++)
		for (size_t got = 0; got < MESSAGE_SIZE;) {
			ssize_t part = read(member->from_senders[member->receiver], message,
					    MESSAGE_SIZE - got);

			if (part <= 0)
				return -1;
			got += (size_t)part;
		}
	return 0;
}

static void take_part(struct member *member, int (*role)(struct member *, uint64_t))
{
	struct arena *arena = member->arena;

	for (uint32_t round = 0;; round++) {
		while (__atomic_load_n(&arena->round, __ATOMIC_SEQ_CST) == round)
			futex_wait(&arena->round, round);
		if (role(member, arena->loops) < 0)
			__atomic_store_n(&arena->failed, 1, __ATOMIC_SEQ_CST);
		if (__atomic_add_fetch(&arena->finished, 1, __ATOMIC_SEQ_CST) == arena->workers)
			futex_wake(&arena->finished, 1);
	}
}

static void sender(void *context)
{
	take_part(context, send_all);
}

static void receiver(void *context)
{
	take_part(context, receive_all);
}

static int add_worker(struct bench_run *run, struct member *member, void (*work)(void *))
{
	struct arena *arena = member->arena;
	pid_t pid = worker_start(work, member);

	if (pid < 0)
		return bench_fail(run, "fork");
	arena->pids[arena->workers++] = pid;
	return 0;
}

static int add_workers(struct bench_run *run, struct member *member)
{
	for (unsigned i = 0; i < member->fan; i++) {
		member->receiver = i;
		if (add_worker(run, member, receiver) < 0 || add_worker(run, member, sender) < 0)
			return -1;
	}
	return 0;
}

static int add_group(struct bench_run *run, struct arena *arena)
{
	struct member member = {.arena = arena, .fan = run->bench->fan};
	unsigned made = 0;
	int result = 0;

	while (made < member.fan && result == 0) {
		int ends[2];

		if (socketpair(AF_UNIX, SOCK_STREAM, 0, ends) < 0) {
			result = bench_fail(run, "socketpair");
			break;
		}
		member.to_receivers[made] = ends[1];
		member.from_senders[made++] = ends[0];
	}
	if (result == 0)
		result = add_workers(run, &member);
	while (made--) {
		close(member.to_receivers[made]);
		close(member.from_senders[made]);
	}
	return result;
}

int bench_sched_messaging_setup(struct bench_run *run)
{
	const struct user_bench *bench = run->bench;
	size_t workers = (size_t)bench->groups * bench->fan * 2;
	struct arena *arena = futex_shared_memory(sizeof(*arena) + workers * sizeof(pid_t));

	if (!arena)
		return bench_fail(run, "mmap");
	run->data = arena;
	for (unsigned i = 0; i < bench->groups; i++)
		if (add_group(run, arena) < 0)
			return -1;
	return 0;
}

int bench_sched_messaging_run(struct bench_run *run, uint64_t loops)
{
	struct arena *arena = run->data;
	uint32_t finished;

	arena->loops = loops;
	arena->finished = 0;
	stopwatch_start(&run->watch);
	__atomic_add_fetch(&arena->round, 1, __ATOMIC_SEQ_CST);
	futex_wake(&arena->round, INT_MAX);
	while ((finished = __atomic_load_n(&arena->finished, __ATOMIC_SEQ_CST)) != arena->workers)
		futex_wait(&arena->finished, finished);
	stopwatch_stop(&run->watch);
	return arena->failed ? fault_set(&run->fault, "a socket refused a message") : 0;
}

void bench_sched_messaging_teardown(struct bench_run *run)
{
	struct arena *arena = run->data;

	for (uint32_t i = 0; i < arena->workers; i++)
		worker_stop(arena->pids[i]);
}
