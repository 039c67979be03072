// SPDX-License-Identifier: GPL-2.0-or-later
/* Locks. Several CPUs contend for the same lock. */
#include <linux/kernel.h>
#include <linux/mutex.h>
#include <linux/percpu-rwsem.h>
#include <linux/rtmutex.h>
#include <linux/rwsem.h>
#include <linux/spinlock.h>

#include "bench.h"

static DEFINE_SPINLOCK(spin);
static DEFINE_RAW_SPINLOCK(raw);
static DEFINE_RWLOCK(rw);
static DEFINE_MUTEX(mutex);
static DECLARE_RWSEM(rwsem);
static DEFINE_RT_MUTEX(rt_mutex);
DEFINE_STATIC_PERCPU_RWSEM(percpu_rwsem);

BENCH_RUN(spin_run, {
	spin_lock(&spin);
	spin_unlock(&spin);
})

BENCH_RUN(spin_bh_run, {
	spin_lock_bh(&spin);
	spin_unlock_bh(&spin);
})

BENCH_RUN(spin_irq_run, {
	spin_lock_irq(&spin);
	spin_unlock_irq(&spin);
})

BENCH_RUN(spin_irqsave_run, {
	unsigned long flags;

	spin_lock_irqsave(&spin, flags);
	spin_unlock_irqrestore(&spin, flags);
})

BENCH_RUN(spin_irqsave_manual_run, {
	unsigned long flags;

	local_irq_save(flags);
	spin_lock(&spin);
	spin_unlock(&spin);
	local_irq_restore(flags);
})

BENCH_RUN(spin_irq_disable_run, {
	local_irq_disable();
	spin_lock(&spin);
	spin_unlock(&spin);
	local_irq_enable();
})

BENCH_RUN(raw_spin_run, {
	raw_spin_lock(&raw);
	raw_spin_unlock(&raw);
})

BENCH_RUN(raw_spin_irqsave_run, {
	unsigned long flags;

	raw_spin_lock_irqsave(&raw, flags);
	raw_spin_unlock_irqrestore(&raw, flags);
})

BENCH_RUN(raw_spin_irqsave_manual_run, {
	unsigned long flags;

	local_irq_save(flags);
	raw_spin_lock(&raw);
	raw_spin_unlock(&raw);
	local_irq_restore(flags);
})

BENCH_RUN(read_run, {
	read_lock(&rw);
	read_unlock(&rw);
})

BENCH_RUN(mutex_run, {
	mutex_lock(&mutex);
	mutex_unlock(&mutex);
})

BENCH_RUN(rt_mutex_run, {
	rt_mutex_lock(&rt_mutex);
	rt_mutex_unlock(&rt_mutex);
})

BENCH_RUN(rwsem_read_run, {
	down_read(&rwsem);
	up_read(&rwsem);
})

BENCH_RUN(rwsem_write_run, {
	down_write(&rwsem);
	up_write(&rwsem);
})

BENCH_RUN(percpu_rwsem_read_run, {
	percpu_down_read(&percpu_rwsem);
	percpu_up_read(&percpu_rwsem);
})

static const struct bench benches[] = {
	{
		.name = "lock.spin",
		.summary = "spin_lock + spin_unlock",
		.run = spin_run,
	},
	{
		.name = "lock.spin_bh",
		.summary = "spin_lock_bh + spin_unlock_bh",
		.run = spin_bh_run,
	},
	{
		.name = "lock.spin_irq",
		.summary = "spin_lock_irq + spin_unlock_irq",
		.run = spin_irq_run,
	},
	{
		.name = "lock.spin_irqsave",
		.summary = "spin_lock_irqsave + spin_unlock_irqrestore",
		.run = spin_irqsave_run,
	},
	{
		.name = "lock.spin_irqsave_manual",
		.summary = "local_irq_save + spin_lock + spin_unlock + local_irq_restore",
		.unavailable = bench_needs_spinning_lock,
		.run = spin_irqsave_manual_run,
	},
	{
		.name = "lock.spin_irq_disable",
		.summary = "local_irq_disable + spin_lock + spin_unlock + local_irq_enable",
		.unavailable = bench_needs_spinning_lock,
		.run = spin_irq_disable_run,
	},
	{
		.name = "lock.raw_spin",
		.summary = "raw_spin_lock + raw_spin_unlock",
		.run = raw_spin_run,
	},
	{
		.name = "lock.raw_spin",
		.params = "irqs=off",
		.summary = "raw_spin_lock + raw_spin_unlock with interrupts already off",
		.context = BENCH_IRQS_OFF,
		.run = raw_spin_run,
	},
	{
		.name = "lock.raw_spin_irqsave",
		.summary = "raw_spin_lock_irqsave + raw_spin_unlock_irqrestore",
		.run = raw_spin_irqsave_run,
	},
	{
		.name = "lock.raw_spin_irqsave_manual",
		.summary = "local_irq_save + raw_spin_lock + raw_spin_unlock + local_irq_restore",
		.run = raw_spin_irqsave_manual_run,
	},
	{
		.name = "lock.rwlock_read",
		.summary = "read_lock + read_unlock",
		.run = read_run,
	},
	{
		.name = "lock.mutex",
		.summary = "mutex_lock + mutex_unlock",
		.run = mutex_run,
	},
	{
		.name = "lock.rt_mutex",
		.summary = "rt_mutex_lock + rt_mutex_unlock",
		.run = rt_mutex_run,
	},
	{
		.name = "lock.rwsem_read",
		.summary = "down_read + up_read",
		.run = rwsem_read_run,
	},
	{
		.name = "lock.rwsem_write",
		.summary = "down_write + up_write",
		.run = rwsem_write_run,
	},
	{
		.name = "lock.percpu_rwsem_read",
		.summary = "percpu_down_read + percpu_up_read",
		.run = percpu_rwsem_read_run,
	},
};

const struct bench_group bench_group_lock = {benches, ARRAY_SIZE(benches)};
