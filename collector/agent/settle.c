/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "collector/agent/settle.h"

#include <stdint.h>
#include <time.h>

/* Emulators read a clock slowly: far from the goal the CPU counts between two readings. */
#define FAR_NS	   200000
#define FAR_COUNTS 20000

static int64_t now_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

static void count(int counts)
{
	for (volatile int i = 0; i < counts; i++)
		;
}

void settle(void)
{
	int64_t now = now_ns();
	int64_t goal =
		(now + SETTLE_LEAST_NS) / SETTLE_PERIOD_NS * SETTLE_PERIOD_NS + SETTLE_PERIOD_NS;

	for (; now < goal; now = now_ns())
		if (goal - now > FAR_NS)
			count(FAR_COUNTS);
}
