/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What differs between kernels, configurations and architectures. No other file has conditionals
 * on any of them. The COMPAT_HAVE_* words come from Kbuild, which looks into the kernel's headers.
 */
#ifndef KREGRESS_COMPAT_H
#define KREGRESS_COMPAT_H

#include <linux/err.h>
#include <linux/hrtimer.h>
#include <linux/kernel.h>
#include <linux/perf_event.h>
#include <linux/timer.h>
#include <linux/timex.h>
#ifdef CONFIG_X86
#include <asm/msr.h>
#include <asm/tsc.h>
#endif

/* True where spinlock_t is a sleeping lock: it may not be taken with preemption or irqs off. */
static inline bool compat_spin_lock_sleeps(void)
{
	return IS_ENABLED(CONFIG_PREEMPT_RT);
}

/* Reads the time stamp counter after all earlier instructions. */
static inline u64 compat_tsc(void)
{
#ifdef CONFIG_X86
	return rdtsc_ordered();
#else
	return get_cycles();
#endif
}

/*
 * Makes a counter of the instructions that @cpu executes in the kernel. It is pinned: it counts
 * all of the time or not at all.
 *
 * Return: the counter, or an ERR_PTR() where the machine has none.
 */
static inline struct perf_event *compat_counter_create(unsigned int cpu)
{
#ifdef CONFIG_PERF_EVENTS
	struct perf_event_attr attr = {
		.type = PERF_TYPE_HARDWARE,
		.config = PERF_COUNT_HW_INSTRUCTIONS,
		.size = sizeof(attr),
		.pinned = 1,
		.exclude_user = 1,
		.exclude_hv = 1,
	};

	return perf_event_create_kernel_counter(&attr, cpu, NULL, NULL, NULL);
#else
	return ERR_PTR(-ENODEV);
#endif
}

/*
 * Reads @counter into @count. May sleep.
 *
 * Return: true when the counter has counted all of the time since it was made.
 */
static inline bool compat_counter_read(struct perf_event *counter, u64 *count)
{
#ifdef CONFIG_PERF_EVENTS
	u64 enabled, running;

	*count = perf_event_read_value(counter, &enabled, &running);
	return running && enabled == running;
#else
	return false;
#endif
}

static inline void compat_counter_release(struct perf_event *counter)
{
#ifdef CONFIG_PERF_EVENTS
	perf_event_release_kernel(counter);
#endif
}

static inline void compat_hrtimer_setup(struct hrtimer *timer,
					enum hrtimer_restart (*function)(struct hrtimer *))
{
#ifdef COMPAT_HAVE_HRTIMER_SETUP
	hrtimer_setup(timer, function, CLOCK_MONOTONIC, HRTIMER_MODE_REL);
#else
	hrtimer_init(timer, CLOCK_MONOTONIC, HRTIMER_MODE_REL);
	timer->function = function;
#endif
}

#ifndef COMPAT_HAVE_TIMER_DELETE
#define timer_delete	  del_timer
#define timer_delete_sync del_timer_sync
#endif

#endif
