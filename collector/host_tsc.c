/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "collector/host_tsc.h"

#if defined(__x86_64__) || defined(__i386__)

#include <math.h>
#include <time.h>
#include <x86intrin.h>

enum {
	ANCHOR_TRIES = 64,
	WINDOW_NS = 100000000,
	STEP_KHZ = 100,
};

/* Both clocks at the same moment, to within the time that reading them took. */
struct anchor {
	double ns;
	uint64_t ticks;
};

static double monotonic_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC_RAW, &now);
	return (double)now.tv_sec * 1e9 + (double)now.tv_nsec;
}

static struct anchor take_anchor(void)
{
	struct anchor best = {0, 0};
	double narrowest_ns = INFINITY;

	for (int i = 0; i < ANCHOR_TRIES; i++) {
		double before_ns = monotonic_ns();
		uint64_t ticks = __rdtsc();
		double after_ns = monotonic_ns();

		if (after_ns - before_ns >= narrowest_ns)
			continue;
		narrowest_ns = after_ns - before_ns;
		best = (struct anchor){(before_ns + after_ns) / 2, ticks};
	}
	return best;
}

static uint64_t measure_khz(void)
{
	const struct timespec window = {.tv_nsec = WINDOW_NS};
	struct anchor start = take_anchor();
	struct anchor end;
	double khz;

	nanosleep(&window, NULL);
	end = take_anchor();
	if (end.ns <= start.ns || end.ticks <= start.ticks)
		return 0;
	khz = (double)(end.ticks - start.ticks) / (end.ns - start.ns) * 1e6;
	return (uint64_t)(khz / STEP_KHZ + 0.5) * STEP_KHZ;
}

uint64_t host_tsc_khz(void)
{
	static uint64_t khz;

	if (!khz)
		khz = measure_khz();
	return khz;
}

#else

uint64_t host_tsc_khz(void)
{
	return 0;
}

#endif
