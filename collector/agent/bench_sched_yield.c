/* SPDX-License-Identifier: GPL-2.0-or-later */
/* sched_yield, alone or among processes on one CPU that do nothing else. */
#include <sched.h>

#include "collector/agent/user_bench.h"
#include "collector/agent/worker.h"

static void yield_always(void *context)
{
	(void)context;
	for (;;)
		sched_yield();
}

int bench_sched_yield_setup(struct bench_run *run)
{
	if (worker_pin_to_one_cpu() < 0)
		return bench_fail(run, "sched_setaffinity");
	for (unsigned i = 1; i < run->bench->fan; i++)
		if (worker_start(yield_always, NULL) < 0)
			return bench_fail(run, "fork");
	return 0;
}

int bench_sched_yield_run(struct bench_run *run, uint64_t loops)
{
	stopwatch_start(&run->watch);
	for (uint64_t i = 0; i < loops; i++) {
		plant(run->plant);
		if (sched_yield() < 0)
			return bench_fail(run, "sched_yield");
	}
	stopwatch_stop(&run->watch);
	return 0;
}
