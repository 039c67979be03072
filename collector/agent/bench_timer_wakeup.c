/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * How late a process wakes up from a sleep to a point in time, after cyclictest. The value is the
 * mean latency of a repetition's wake-ups; p99 and max are further metrics. A clock that counts
 * instructions is read as the monotonic clock, whose nanosecond is an instruction there: the time
 * asleep must not count.
 */
#include <errno.h>
#include <sched.h>
#include <stdlib.h>
#include <time.h>

#include "collector/agent/user_bench.h"
#include "collector/agent/worker.h"

/* Latencies kept for the percentile; later ones count for mean and maximum only. */
#define KEPT_MAX 65536

#define NS_PER_S 1000000000

int bench_timer_wakeup_setup(struct bench_run *run)
{
	struct sched_param param = {.sched_priority = (int)run->bench->groups};

	run->data = calloc(KEPT_MAX, sizeof(uint64_t));
	if (!run->data)
		return bench_fail(run, "memory");
	if (worker_pin_to_one_cpu() < 0)
		return bench_fail(run, "sched_setaffinity");
	if (param.sched_priority && sched_setscheduler(0, SCHED_FIFO, &param) < 0)
		return bench_setup_fail(run, "real-time priority");
	return 0;
}

static int64_t now_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (int64_t)now.tv_sec * NS_PER_S + now.tv_nsec;
}

/* Sleeps to the time; returns how late it is then, or -1. */
static int64_t sleep_until(int64_t goal_ns, uint64_t planted)
{
	struct timespec goal = {goal_ns / NS_PER_S, goal_ns % NS_PER_S};

	errno = clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &goal, NULL);
	plant(planted); /* where it counts: behind the wake-up */
	return errno == 0 ? now_ns() - goal_ns : -1;
}

static int compare(const void *a, const void *b)
{
	uint64_t left = *(const uint64_t *)a, right = *(const uint64_t *)b;

	return (left > right) - (left < right);
}

/* The smallest latency that 99 of 100 do not exceed. */
static void summarise(struct bench_run *run, size_t count, int64_t max_ns)
{
	uint64_t *latencies = run->data;
	size_t rank = (count * 99 + 99) / 100;

	qsort(latencies, count, sizeof(*latencies), compare);
	run->extra[0] = (double)latencies[rank - 1];
	run->extra[1] = (double)max_ns;
}

int bench_timer_wakeup_run(struct bench_run *run, uint64_t loops)
{
	uint64_t *latencies = run->data;
	int64_t interval_ns = (int64_t)run->bench->size;
	int64_t goal = now_ns(), max_ns = 0;

	for (uint64_t i = 0; i < loops; i++) {
		int64_t late;

		goal += interval_ns;
		late = sleep_until(goal, run->plant);
		if (late < 0)
			return errno ? bench_fail(run, "clock_nanosleep")
				     : bench_wrong(run, "it woke up early");
		if (late > max_ns)
			max_ns = late;
		if (i < KEPT_MAX)
			latencies[i] = (uint64_t)late;
		run->watch.elapsed += (uint64_t)late;
		/* After a long delay the next wake-up is due in a whole interval again. */
		if (late > interval_ns)
			goal = now_ns();
	}
	summarise(run, loops < KEPT_MAX ? (size_t)loops : KEPT_MAX, max_ns);
	return 0;
}
