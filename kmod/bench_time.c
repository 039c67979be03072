// SPDX-License-Identifier: GPL-2.0-or-later
/* Clocks. */
#include <linux/kernel.h>
#include <linux/ktime.h>
#include <linux/sched/clock.h>
#include <linux/timekeeping.h>

#include "bench.h"
#include "compat.h"

BENCH_RUN(ktime_get_run, ktime_get())
BENCH_RUN(ktime_get_raw_run, ktime_get_raw())
BENCH_RUN(ktime_get_real_run, ktime_get_real())
BENCH_RUN(ktime_get_coarse_run, ktime_get_coarse())
BENCH_RUN(sched_clock_run, sched_clock())

BENCH_RUN(tsc_run, BENCH_KEEP(compat_tsc()))

/* Too large for the compiler to put into every loop in the same way. */
static noinline u64 tsc_cpuid(void)
{
	return compat_tsc_serialised();
}

BENCH_RUN(tsc_cpuid_run, BENCH_KEEP(tsc_cpuid()))

static const char *needs_cpuid(void)
{
	return compat_has_tsc_serialised() ? NULL : "this architecture has no CPUID";
}

static const struct bench benches[] = {
	{
		.name = "time.ktime_get",
		.summary = "ktime_get",
		.context = BENCH_PREEMPT_OFF,
		.run = ktime_get_run,
	},
	{
		.name = "time.ktime_get_raw",
		.summary = "ktime_get_raw",
		.context = BENCH_PREEMPT_OFF,
		.run = ktime_get_raw_run,
	},
	{
		.name = "time.ktime_get_real",
		.summary = "ktime_get_real",
		.context = BENCH_PREEMPT_OFF,
		.run = ktime_get_real_run,
	},
	{
		.name = "time.ktime_get_coarse",
		.summary = "ktime_get_coarse: the time of the last tick",
		.context = BENCH_PREEMPT_OFF,
		.run = ktime_get_coarse_run,
	},
	{
		.name = "time.sched_clock",
		.summary = "sched_clock",
		.context = BENCH_PREEMPT_OFF,
		.run = sched_clock_run,
	},
	{
		.name = "time.tsc",
		.summary = "an ordered read of the cycle counter, as before and after a repetition",
		.context = BENCH_PREEMPT_OFF,
		.run = tsc_run,
	},
	{
		.name = "time.tsc_cpuid",
		.summary = "two reads of it with CPUID around them, as other harnesses do",
		.context = BENCH_PREEMPT_OFF,
		.unavailable = needs_cpuid,
		.run = tsc_cpuid_run,
	},
};

const struct bench_group bench_group_time = {benches, ARRAY_SIZE(benches)};
