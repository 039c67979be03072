/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Adds up the time between start and stop: nanoseconds of CLOCK_MONOTONIC_RAW, which no time
 * server slews, or ticks of the time stamp counter, which under an instruction-counting emulator
 * are instructions.
 */
#ifndef KREGRESS_AGENT_STOPWATCH_H
#define KREGRESS_AGENT_STOPWATCH_H

#include <stdbool.h>
#include <stdint.h>
#include <time.h>

struct stopwatch {
	bool tsc;
	uint64_t started;
	uint64_t elapsed;
};

#if defined(__x86_64__) || defined(__i386__)
#define STOPWATCH_HAS_TSC 1

/* The fences keep the read from moving into, or out of, what is measured. */
static inline uint64_t stopwatch_tsc(void)
{
	uint32_t low, high;

	__asm__ volatile("lfence\n\trdtsc\n\tlfence" : "=a"(low), "=d"(high) : : "memory");
	return (uint64_t)high << 32 | low;
}
#else
#define STOPWATCH_HAS_TSC 0

static inline uint64_t stopwatch_tsc(void)
{
	return 0;
}
#endif

static inline uint64_t stopwatch_now(const struct stopwatch *watch)
{
	struct timespec now;

	if (watch->tsc)
		return stopwatch_tsc();
	clock_gettime(CLOCK_MONOTONIC_RAW, &now);
	return (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
}

static inline void stopwatch_start(struct stopwatch *watch)
{
	watch->started = stopwatch_now(watch);
}

static inline void stopwatch_stop(struct stopwatch *watch)
{
	watch->elapsed += stopwatch_now(watch) - watch->started;
}

#endif
