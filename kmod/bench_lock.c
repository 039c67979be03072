// SPDX-License-Identifier: GPL-2.0-or-later
/* Locks. Several CPUs contend for the same lock. */
#include <linux/kernel.h>
#include <linux/mutex.h>
#include <linux/percpu-rwsem.h>
#include <linux/rtmutex.h>
#include <linux/rwsem.h>
#include <linux/seqlock.h>
#include <linux/semaphore.h>
#include <linux/spinlock.h>
#include <linux/ww_mutex.h>

#include "bench.h"

static DEFINE_SPINLOCK(spin);
static DEFINE_RAW_SPINLOCK(raw);
static DEFINE_RWLOCK(rw);
static DEFINE_MUTEX(mutex);
static DECLARE_RWSEM(rwsem);
static DEFINE_RT_MUTEX(rt_mutex);
DEFINE_STATIC_PERCPU_RWSEM(percpu_rwsem);
static DEFINE_SEQLOCK(seqlock);
static struct semaphore semaphore = __SEMAPHORE_INITIALIZER(semaphore, 1);
static DEFINE_WW_CLASS(ww_class);
static struct ww_mutex ww_mutex;

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

BENCH_RUN(write_run, {
	write_lock(&rw);
	write_unlock(&rw);
})

BENCH_RUN(seqlock_read_run, {
	unsigned int seq;

	do {
		seq = read_seqbegin(&seqlock);
	} while (read_seqretry(&seqlock, seq));
})

BENCH_RUN(seqlock_write_run, {
	write_seqlock(&seqlock);
	write_sequnlock(&seqlock);
})

BENCH_RUN(semaphore_run, {
	down(&semaphore);
	up(&semaphore);
})

static int ww_mutex_setup(struct bench_ctx *ctx)
{
	if (!ctx->index)
		ww_mutex_init(&ww_mutex, &ww_class);
	return 0;
}

static void ww_mutex_teardown(struct bench_ctx *ctx)
{
	if (!ctx->index)
		ww_mutex_destroy(&ww_mutex);
}

/* One lock only: nobody can deadlock, and nobody is told to back off. */
static int ww_mutex_run(struct bench_ctx *ctx, unsigned long loops)
{
	BENCH_LOOP(loops, {
		struct ww_acquire_ctx acquire;
		int err;

		ww_acquire_init(&acquire, &ww_class);
		err = ww_mutex_lock(&ww_mutex, &acquire);
		if (!err)
			ww_mutex_unlock(&ww_mutex);
		ww_acquire_fini(&acquire);
		if (unlikely(err))
			return err;
	});
	return 0;
}

BENCH_RUN(percpu_rwsem_write_run, {
	percpu_down_write(&percpu_rwsem);
	percpu_up_write(&percpu_rwsem);
})

BENCH_RUN(mutex_run, {
	mutex_lock(&mutex);
	mutex_unlock(&mutex);
})

static const char *needs_rt_mutex(void)
{
	return IS_ENABLED(CONFIG_RT_MUTEXES) ? NULL : "CONFIG_RT_MUTEXES is off in this kernel";
}

static int rt_mutex_run(struct bench_ctx *ctx, unsigned long loops)
{
	if (!IS_ENABLED(CONFIG_RT_MUTEXES))
		return -EOPNOTSUPP;
	BENCH_LOOP(loops, {
		rt_mutex_lock(&rt_mutex);
		rt_mutex_unlock(&rt_mutex);
	});
	return 0;
}

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
		.name = "lock.rwlock_write",
		.summary = "write_lock + write_unlock",
		.run = write_run,
	},
	{
		.name = "lock.seqlock_read",
		.summary = "read_seqbegin + read_seqretry",
		.run = seqlock_read_run,
	},
	{
		.name = "lock.seqlock_write",
		.summary = "write_seqlock + write_sequnlock",
		.run = seqlock_write_run,
	},
	{
		.name = "lock.semaphore",
		.summary = "down + up of a semaphore of one",
		.run = semaphore_run,
	},
	{
		.name = "lock.ww_mutex",
		.summary = "ww_mutex_lock + ww_mutex_unlock within an acquire context of their own",
		.setup = ww_mutex_setup,
		.run = ww_mutex_run,
		.teardown = ww_mutex_teardown,
	},
	{
		.name = "lock.mutex",
		.summary = "mutex_lock + mutex_unlock",
		.run = mutex_run,
	},
	{
		.name = "lock.rt_mutex",
		.summary = "rt_mutex_lock + rt_mutex_unlock",
		.unavailable = needs_rt_mutex,
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
	{
		.name = "lock.percpu_rwsem_write",
		.summary = "percpu_down_write + percpu_up_write: waits for a grace period",
		.run = percpu_rwsem_write_run,
	},
};

const struct bench_group bench_group_lock = {benches, ARRAY_SIZE(benches)};
