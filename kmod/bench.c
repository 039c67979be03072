// SPDX-License-Identifier: GPL-2.0-or-later
/* Looking up benchmarks in the tables of all groups. */
#include <linux/cpumask.h>
#include <linux/kernel.h>
#include <linux/kthread.h>
#include <linux/moduleparam.h>
#include <linux/sched.h>
#include <linux/string.h>

#include "bench.h"
#include "compat.h"

unsigned int bench_plant;

/* Only counts that BENCH_LOOP has a loop for. */
static int plant_set(const char *text, const struct kernel_param *param)
{
	unsigned int count;
	int err = kstrtouint(text, 10, &count);

	if (err)
		return err;
	if (count != 0 && count != 1 && count != 2 && count != 4 && count != 16)
		return -EINVAL;
	return param_set_uint(text, param);
}

static const struct kernel_param_ops plant_ops = {
	.set = plant_set,
	.get = param_get_uint,
};

module_param_cb(plant, &plant_ops, &bench_plant, 0444);
MODULE_PARM_DESC(plant, "instructions put into every turn of every loop: 0, 1, 2, 4 or 16");

static const struct bench_group *const groups[] = {
	&bench_group_loop,  &bench_group_lock, &bench_group_irq,    &bench_group_sched,
	&bench_group_mm,    &bench_group_copy, &bench_group_text,   &bench_group_time,
	&bench_group_timer, &bench_group_rcu,  &bench_group_atomic, &bench_group_ipi,
	&bench_group_data,  &bench_group_hash, &bench_group_net,
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

const char *bench_needs_second_cpu(void)
{
	return num_online_cpus() < 2 ? "needs a second online CPU" : NULL;
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
