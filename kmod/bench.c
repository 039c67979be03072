// SPDX-License-Identifier: GPL-2.0-or-later
/* Looking up benchmarks in the tables of all groups. */
#include <linux/kernel.h>
#include <linux/kthread.h>
#include <linux/sched.h>
#include <linux/string.h>

#include "bench.h"
#include "compat.h"

static const struct bench_group *const groups[] = {
	&bench_group_loop,   &bench_group_lock, &bench_group_irq,  &bench_group_sched,
	&bench_group_mm,     &bench_group_text, &bench_group_time, &bench_group_rcu,
	&bench_group_atomic, &bench_group_smp,
};

const struct bench *bench_at(size_t index)
{
	size_t i;

	for (i = 0; i < ARRAY_SIZE(groups); i++) {
		if (index < groups[i]->n)
			return &groups[i]->benches[index];
		index -= groups[i]->n;
	}
	return NULL;
}

const struct bench *bench_find(const char *name)
{
	char buf[BENCH_NAME_MAX];
	const struct bench *bench;
	size_t i;

	for (i = 0; (bench = bench_at(i)); i++) {
		if (!strcmp(bench_name(bench, buf), name))
			return bench;
	}
	return NULL;
}

const char *bench_name(const struct bench *bench, char *buf)
{
	if (bench->params)
		snprintf(buf, BENCH_NAME_MAX, "%s[%s]", bench->name, bench->params);
	else
		snprintf(buf, BENCH_NAME_MAX, "%s", bench->name);
	return buf;
}

const char *bench_unavailable(const struct bench *bench)
{
	return bench->unavailable ? bench->unavailable() : NULL;
}

const char *bench_needs_spinning_lock(void)
{
	if (compat_spin_lock_sleeps())
		return "spin_lock sleeps under PREEMPT_RT and may not be taken with irqs off";
	return NULL;
}

void bench_wait_for_stop(void)
{
	for (;;) {
		set_current_state(TASK_INTERRUPTIBLE);
		if (kthread_should_stop())
			break;
		schedule();
	}
	__set_current_state(TASK_RUNNING);
}
