// SPDX-License-Identifier: GPL-2.0-or-later
/* Calls of other CPUs: what every global TLB flush or text patch pays for. */
#include <linux/cpu.h>
#include <linux/cpumask.h>
#include <linux/irq_work.h>
#include <linux/kernel.h>
#include <linux/slab.h>
#include <linux/smp.h>

#include "bench.h"

static void do_nothing(void *data)
{
}

BENCH_RUN(on_each_cpu_run, on_each_cpu(do_nothing, NULL, 1))

static __always_inline const char *needs_cpus(unsigned int n)
{
	return num_online_cpus() < n ? "needs as many online CPUs as it calls" : NULL;
}

static const char *needs_2_cpus(void)
{
	return needs_cpus(2);
}

static const char *needs_4_cpus(void)
{
	return needs_cpus(4);
}

/* The first @n CPUs that are online, in ctx->data. */
static int mask_setup(struct bench_ctx *ctx, unsigned int n)
{
	struct cpumask *mask = kzalloc(cpumask_size(), GFP_KERNEL);
	unsigned int cpu;

	if (!mask)
		return -ENOMEM;
	cpus_read_lock();
	for (cpu = cpumask_first(cpu_online_mask); cpu < nr_cpu_ids && n; n--) {
		cpumask_set_cpu(cpu, mask);
		cpu = cpumask_next(cpu, cpu_online_mask);
	}
	cpus_read_unlock();
	ctx->data = mask;
	return 0;
}

static int mask_1_setup(struct bench_ctx *ctx)
{
	return mask_setup(ctx, 1);
}

static int mask_2_setup(struct bench_ctx *ctx)
{
	return mask_setup(ctx, 2);
}

static int mask_4_setup(struct bench_ctx *ctx)
{
	return mask_setup(ctx, 4);
}

static int mask_run(struct bench_ctx *ctx, unsigned long loops)
{
	struct cpumask *mask = ctx->data;

	BENCH_LOOP(loops, on_each_cpu_mask(mask, do_nothing, NULL, true));
	return 0;
}

static void mask_teardown(struct bench_ctx *ctx)
{
	kfree(ctx->data);
}

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

static const char *needs_irq_work(void)
{
	return IS_ENABLED(CONFIG_IRQ_WORK) ? NULL : "CONFIG_IRQ_WORK is off in this kernel";
}

static void irq_work_done(struct irq_work *work)
{
}

static int queue_setup(struct bench_ctx *ctx)
{
	struct irq_work *work = kmalloc(sizeof(*work), GFP_KERNEL);

	if (!work)
		return -ENOMEM;
	init_irq_work(work, irq_work_done);
	ctx->data = work;
	return 0;
}

static int queue_run(struct bench_ctx *ctx, unsigned long loops)
{
	struct irq_work *work = ctx->data;

	if (!IS_ENABLED(CONFIG_IRQ_WORK))
		return -EOPNOTSUPP;
	BENCH_LOOP(loops, {
		irq_work_queue(work);
		irq_work_sync(work);
	});
	return 0;
}

static void queue_teardown(struct bench_ctx *ctx)
{
	if (IS_ENABLED(CONFIG_IRQ_WORK))
		irq_work_sync(ctx->data);
	kfree(ctx->data);
}

static const struct bench benches[] = {
	{
		.name = "ipi.on_each_cpu",
		.summary = "on_each_cpu of an empty function, with waiting",
		.run = on_each_cpu_run,
	},
	{
		.name = "ipi.on_each_cpu_mask",
		.params = "n=1",
		.summary = "on_each_cpu_mask of an empty function on the first CPU",
		.setup = mask_1_setup,
		.run = mask_run,
		.teardown = mask_teardown,
	},
	{
		.name = "ipi.on_each_cpu_mask",
		.params = "n=2",
		.summary = "on_each_cpu_mask of an empty function on the first 2 CPUs",
		.unavailable = needs_2_cpus,
		.setup = mask_2_setup,
		.run = mask_run,
		.teardown = mask_teardown,
	},
	{
		.name = "ipi.on_each_cpu_mask",
		.params = "n=4",
		.summary = "on_each_cpu_mask of an empty function on the first 4 CPUs",
		.unavailable = needs_4_cpus,
		.setup = mask_4_setup,
		.run = mask_run,
		.teardown = mask_teardown,
	},
	{
		.name = "ipi.call_single",
		.summary = "smp_call_function_single to the next CPU, with waiting",
		.unavailable = bench_needs_second_cpu,
		.setup = call_single_setup,
		.run = call_single_run,
	},
	{
		.name = "ipi.irq_work",
		.summary = "irq_work_queue on the same CPU + irq_work_sync",
		.unavailable = needs_irq_work,
		.setup = queue_setup,
		.run = queue_run,
		.teardown = queue_teardown,
	},
};

const struct bench_group bench_group_ipi = {benches, ARRAY_SIZE(benches)};
