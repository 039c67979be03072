// SPDX-License-Identifier: GPL-2.0-or-later
/* Read-copy-update. */
#include <linux/kernel.h>
#include <linux/rcupdate.h>
#include <linux/slab.h>
#include <linux/srcu.h>

#include "bench.h"

DEFINE_STATIC_SRCU(srcu);

BENCH_RUN(read_lock_run, {
	rcu_read_lock();
	rcu_read_unlock();
})

BENCH_RUN(srcu_read_lock_run, {
	int index = srcu_read_lock(&srcu);

	srcu_read_unlock(&srcu, index);
})

BENCH_RUN(synchronize_expedited_run, synchronize_rcu_expedited())

BENCH_RUN(synchronize_run, synchronize_rcu())
BENCH_RUN(synchronize_srcu_run, synchronize_srcu(&srcu))

/* So many callbacks may be waiting; then all of them are waited for. */
#define BATCH 1024

static void callback(struct rcu_head *head)
{
}

static int call_setup(struct bench_ctx *ctx)
{
	ctx->data = kvcalloc(BATCH, sizeof(struct rcu_head), GFP_KERNEL);
	return ctx->data ? 0 : -ENOMEM;
}

static int call_run(struct bench_ctx *ctx, unsigned long loops)
{
	struct rcu_head *heads = ctx->data;
	unsigned int next = 0;

	BENCH_LOOP(loops, {
		call_rcu(&heads[next], callback);
		if (++next == BATCH) {
			next = 0;
			rcu_barrier();
		}
	});
	rcu_barrier();
	return 0;
}

static void call_teardown(struct bench_ctx *ctx)
{
	rcu_barrier();
	kvfree(ctx->data);
}

static const struct bench benches[] = {
	{
		.name = "rcu.read_lock",
		.summary = "rcu_read_lock + rcu_read_unlock",
		.run = read_lock_run,
	},
	{
		.name = "rcu.srcu_read_lock",
		.summary = "srcu_read_lock + srcu_read_unlock",
		.run = srcu_read_lock_run,
	},
	{
		.name = "rcu.synchronize_expedited",
		.summary = "synchronize_rcu_expedited",
		.run = synchronize_expedited_run,
	},
	{
		.name = "rcu.synchronize",
		.summary = "synchronize_rcu",
		.run = synchronize_run,
	},
	{
		.name = "rcu.synchronize_srcu",
		.summary = "synchronize_srcu without a reader",
		.run = synchronize_srcu_run,
	},
	{
		.name = "rcu.call",
		.params = "batch=1024",
		.summary = "call_rcu, and rcu_barrier after 1024 of them and at the end",
		.setup = call_setup,
		.run = call_run,
		.teardown = call_teardown,
	},
};

const struct bench_group bench_group_rcu = {benches, ARRAY_SIZE(benches)};
