// SPDX-License-Identifier: GPL-2.0-or-later
/* The empty loop. */
#include <linux/kernel.h>

#include "bench.h"

int bench_loop_empty(struct bench_ctx *ctx, unsigned long loops)
{
	BENCH_LOOP(loops, barrier());
	return 0;
}

static const struct bench benches[] = {
	{
		.name = "loop.empty",
		.summary = "the loop around every operation: decrement and branch",
		.run = bench_loop_empty,
	},
	{
		.name = "loop.empty",
		.params = "irqs=off",
		.summary = "the same with interrupts off: what interrupts cost is the difference",
		.context = BENCH_IRQS_OFF,
		.run = bench_loop_empty,
	},
};

const struct bench_group bench_group_loop = {benches, ARRAY_SIZE(benches)};
