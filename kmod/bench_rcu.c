// SPDX-License-Identifier: GPL-2.0-or-later
/* Read-copy-update. */
#include <linux/kernel.h>
#include <linux/rcupdate.h>
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
};

const struct bench_group bench_group_rcu = {benches, ARRAY_SIZE(benches)};
