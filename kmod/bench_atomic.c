// SPDX-License-Identifier: GPL-2.0-or-later
/* Atomic and per-CPU counters. Several CPUs share the atomic ones. */
#include <linux/atomic.h>
#include <linux/bitops.h>
#include <linux/kernel.h>
#include <linux/percpu.h>
#include <linux/percpu_counter.h>
#include <linux/refcount.h>

#include "bench.h"

static atomic_t counter = ATOMIC_INIT(0);
static DEFINE_PER_CPU(unsigned long, cpu_counter);
static struct percpu_counter spread_counter;
static refcount_t references = REFCOUNT_INIT(1);
static unsigned long bits;

BENCH_RUN(inc_run, atomic_inc(&counter))
BENCH_RUN(fetch_add_run, atomic_fetch_add(1, &counter))
BENCH_RUN(cmpxchg_run, atomic_cmpxchg(&counter, 0, 0))
BENCH_RUN(this_cpu_inc_run, this_cpu_inc(cpu_counter))

BENCH_RUN(xchg_run, atomic_xchg(&counter, 0))
BENCH_RUN(test_and_set_bit_run, test_and_set_bit(0, &bits))

BENCH_RUN(refcount_run, {
	refcount_inc(&references);
	if (unlikely(refcount_dec_and_test(&references)))
		return -EIO;
})

static int percpu_counter_setup(struct bench_ctx *ctx)
{
	return ctx->index ? 0 : percpu_counter_init(&spread_counter, 0, GFP_KERNEL);
}

static void percpu_counter_teardown(struct bench_ctx *ctx)
{
	if (!ctx->index)
		percpu_counter_destroy(&spread_counter);
}

BENCH_RUN(percpu_counter_run, percpu_counter_add(&spread_counter, 1))

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
	{
		.name = "atomic.xchg",
		.summary = "atomic_xchg",
		.context = BENCH_PREEMPT_OFF,
		.run = xchg_run,
	},
	{
		.name = "atomic.test_and_set_bit",
		.summary = "test_and_set_bit",
		.context = BENCH_PREEMPT_OFF,
		.run = test_and_set_bit_run,
	},
	{
		.name = "atomic.refcount",
		.summary = "refcount_inc + refcount_dec_and_test",
		.context = BENCH_PREEMPT_OFF,
		.run = refcount_run,
	},
	{
		.name = "atomic.percpu_counter_add",
		.summary = "percpu_counter_add of 1; every 32nd or so goes to the shared sum",
		.setup = percpu_counter_setup,
		.run = percpu_counter_run,
		.teardown = percpu_counter_teardown,
	},
};

const struct bench_group bench_group_atomic = {benches, ARRAY_SIZE(benches)};
