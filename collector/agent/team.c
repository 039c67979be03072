/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "collector/agent/team.h"

#include <errno.h>
#include <limits.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "collector/agent/futex.h"
#include "collector/agent/worker.h"

/* Hundreds of threads must fit into a small guest. */
#define STACK_SIZE (64 << 10)

struct member {
	struct team *team;
	team_work *work;
	void *context;
};

struct team *team_new(void)
{
	return futex_shared_memory(sizeof(struct team));
}

static void take_part(void *context)
{
	struct member *member = context;
	struct team *team = member->team;

	for (uint32_t round = 0;; round++) {
		while (__atomic_load_n(&team->round, __ATOMIC_SEQ_CST) == round)
			futex_wait(&team->round, round);
		if (member->work(member->context, team->loops) < 0)
			__atomic_add_fetch(&team->failed, 1, __ATOMIC_SEQ_CST);
		if (__atomic_add_fetch(&team->finished, 1, __ATOMIC_SEQ_CST) == team->members)
			futex_wake(&team->finished, 1);
	}
}

static void *take_part_as_thread(void *context)
{
	take_part(context);
	return NULL;
}

int team_start_thread(void *(*work)(void *), const void *context, size_t size)
{
	void *copy = malloc(size);
	pthread_attr_t attributes;
	pthread_t thread;

	if (!copy)
		return -1;
	memcpy(copy, context, size);
	pthread_attr_init(&attributes);
	pthread_attr_setstacksize(&attributes, STACK_SIZE);
	pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
	errno = pthread_create(&thread, &attributes, work, copy);
	pthread_attr_destroy(&attributes);
	if (errno == 0)
		return 0;
	free(copy);
	return -1;
}

int team_add(struct team *team, team_work *work, const void *context, size_t size, bool thread)
{
	struct member member = {team, work, malloc(size)};
	int result;

	if (!member.context)
		return -1;
	memcpy(member.context, context, size);
	result = thread ? team_start_thread(take_part_as_thread, &member, sizeof(member))
			: (int)worker_start(take_part, &member);
	/* A process has its own copy, a thread uses this one. */
	if (!thread || result < 0)
		free(member.context);
	if (result < 0)
		return -1;
	team->members++;
	return 0;
}

int team_round(struct team *team, struct bench_run *run, uint64_t loops)
{
	uint32_t finished;

	team->loops = loops;
	team->finished = 0;
	stopwatch_start(&run->watch);
	__atomic_add_fetch(&team->round, 1, __ATOMIC_SEQ_CST);
	futex_wake(&team->round, INT_MAX);
	while ((finished = __atomic_load_n(&team->finished, __ATOMIC_SEQ_CST)) != team->members)
		futex_wait(&team->finished, finished);
	stopwatch_stop(&run->watch);
	return team->failed ? bench_wrong(run, "a transfer was refused or came out wrong") : 0;
}
