// SPDX-License-Identifier: GPL-2.0-or-later
/* Interrupts and softirqs off and on. */
#include <linux/bottom_half.h>
#include <linux/irqflags.h>
#include <linux/kernel.h>

#include "bench.h"

BENCH_RUN(save_restore_run, {
	unsigned long flags;

	local_irq_save(flags);
	local_irq_restore(flags);
})

BENCH_RUN(disable_enable_run, {
	local_irq_disable();
	local_irq_enable();
})

BENCH_RUN(bh_run, {
	local_bh_disable();
	local_bh_enable();
})

static const struct bench benches[] = {
	{
		.name = "irq.save_restore",
		.summary = "local_irq_save + local_irq_restore",
		.run = save_restore_run,
	},
	{
		.name = "irq.save_restore",
		.params = "irqs=off",
		.summary = "local_irq_save + local_irq_restore with interrupts already off",
		.context = BENCH_IRQS_OFF,
		.run = save_restore_run,
	},
	{
		.name = "irq.disable_enable",
		.summary = "local_irq_disable + local_irq_enable",
		.run = disable_enable_run,
	},
	{
		.name = "irq.bh_disable_enable",
		.summary = "local_bh_disable + local_bh_enable",
		.run = bh_run,
	},
};

const struct bench_group bench_group_irq = {benches, ARRAY_SIZE(benches)};
