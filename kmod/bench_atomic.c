// SPDX-License-Identifier: GPL-2.0-or-later
/* Atomic and per-CPU counters. Several CPUs share the atomic ones. */
#include <linux/atomic.h>
#include <linux/kernel.h>
#include <linux/percpu.h>

#include "bench.h"

static atomic_t counter = ATOMIC_INIT(0);
static DEFINE_PER_CPU(unsigned long, cpu_counter);

BENCH_RUN(inc_run, atomic_inc(&counter))
BENCH_RUN(fetch_add_run, atomic_fetch_add(1, &counter))
BENCH_RUN(cmpxchg_run, atomic_cmpxchg(&counter, 0, 0))
BENCH_RUN(this_cpu_inc_run, this_cpu_inc(cpu_counter))

static const struct bench benches[] = {
	{
		.name = "atomic.inc",
		.summary = "atomic_inc",
		.context = BENCH_PREEMPT_OFF,
		.run = inc_run,
	},
	{
		.name = "atomic.fetch_add",
		.summary = "atomic_fetch_add",
		.context = BENCH_PREEMPT_OFF,
		.run = fetch_add_run,
	},
	{
		.name = "atomic.cmpxchg",
		.summary = "atomic_cmpxchg",
		.context = BENCH_PREEMPT_OFF,
		.run = cmpxchg_run,
	},
	{
		.name = "atomic.this_cpu_inc",
		.summary = "this_cpu_inc",
		.context = BENCH_PREEMPT_OFF,
		.run = this_cpu_inc_run,
	},
};

const struct bench_group bench_group_atomic = {benches, ARRAY_SIZE(benches)};
