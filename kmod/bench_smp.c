// SPDX-License-Identifier: GPL-2.0-or-later
/* Calls of other CPUs: what every global TLB flush or text patch pays for. */
#include <linux/cpu.h>
#include <linux/cpumask.h>
#include <linux/kernel.h>
#include <linux/smp.h>

#include "bench.h"

static const char *needs_second_cpu(void)
{
	return num_online_cpus() < 2 ? "needs a second online CPU" : NULL;
}

static void do_nothing(void *data)
{
}

BENCH_RUN(on_each_cpu_run, on_each_cpu(do_nothing, NULL, 1))

static int call_single_setup(struct bench_ctx *ctx)
{
	unsigned int target;

	cpus_read_lock();
	target = cpumask_next(ctx->cpu, cpu_online_mask);
	if (target >= nr_cpu_ids)
		target = cpumask_first(cpu_online_mask);
	cpus_read_unlock();
	ctx->data = (void *)(uintptr_t)target;
	return 0;
}

static int call_single_run(struct bench_ctx *ctx, unsigned long loops)
{
	int target = (uintptr_t)ctx->data;

	BENCH_LOOP(loops, {
		int err = smp_call_function_single(target, do_nothing, NULL, 1);

		if (unlikely(err))
			return err;
	});
	return 0;
}

static const struct bench benches[] = {
	{
		.name = "smp.on_each_cpu",
		.summary = "on_each_cpu of an empty function, with waiting",
		.run = on_each_cpu_run,
	},
	{
		.name = "smp.call_single",
		.summary = "smp_call_function_single to the next CPU, with waiting",
		.unavailable = needs_second_cpu,
		.setup = call_single_setup,
		.run = call_single_run,
	},
};

const struct bench_group bench_group_smp = {benches, ARRAY_SIZE(benches)};
