/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A thread made and joined. */
#include <errno.h>
#include <pthread.h>

#include "collector/agent/user_bench.h"

static void *end_at_once(void *context)
{
	return context;
}

int bench_sched_thread_run(struct bench_run *run, uint64_t loops)
{
	stopwatch_start(&run->watch);
	for (uint64_t i = 0; i < loops; i++) {
		pthread_t thread;
		void *returned;

		plant(run->plant);
		errno = pthread_create(&thread, NULL, end_at_once, run);
		if (errno != 0)
			return bench_fail(run, "pthread_create");
		errno = pthread_join(thread, &returned);
		if (errno != 0)
			return bench_fail(run, "pthread_join");
		if (returned != run)
			return bench_wrong(run, "the thread returned something else");
	}
	stopwatch_stop(&run->watch);
	return 0;
}
