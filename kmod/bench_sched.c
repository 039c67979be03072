// SPDX-License-Identifier: GPL-2.0-or-later
/* Preemption, switches between threads, and deferred work. */
#include <linux/completion.h>
#include <linux/err.h>
#include <linux/kernel.h>
#include <linux/kthread.h>
#include <linux/preempt.h>
#include <linux/sched.h>
#include <linux/slab.h>
#include <linux/topology.h>
#include <linux/workqueue.h>

#include "bench.h"

BENCH_RUN(preempt_run, {
	preempt_disable();
	preempt_enable();
})

BENCH_RUN(migrate_run, {
	migrate_disable();
	migrate_enable();
})

BENCH_RUN(cond_resched_run, cond_resched())
BENCH_RUN(schedule_run, schedule())

/* A thread on the same CPU that answers every ping with a pong. */
struct partner {
	struct completion ping;
	struct completion pong;
	struct task_struct *task;
	bool stop;
};

static int partner_main(void *data)
{
	struct partner *partner = data;

	while (!READ_ONCE(partner->stop)) {
		wait_for_completion(&partner->ping);
		complete(&partner->pong);
	}
	bench_wait_for_stop();
	return 0;
}

static int partner_setup(struct bench_ctx *ctx)
{
	struct partner *partner = kzalloc(sizeof(*partner), GFP_KERNEL);
	struct task_struct *task;

	if (!partner)
		return -ENOMEM;
	init_completion(&partner->ping);
	init_completion(&partner->pong);
	task = kthread_create_on_node(partner_main, partner, cpu_to_node(ctx->cpu),
				      "kregress-pong/%u", ctx->cpu);
	if (IS_ERR(task)) {
		kfree(partner);
		return PTR_ERR(task);
	}
	kthread_bind(task, ctx->cpu);
	partner->task = task;
	wake_up_process(task);
	ctx->data = partner;
	return 0;
}

static int partner_run(struct bench_ctx *ctx, unsigned long loops)
{
	struct partner *partner = ctx->data;

	BENCH_LOOP(loops, {
		complete(&partner->ping);
		wait_for_completion(&partner->pong);
	});
	return 0;
}

static void partner_teardown(struct bench_ctx *ctx)
{
	struct partner *partner = ctx->data;

	WRITE_ONCE(partner->stop, true);
	complete(&partner->ping);
	kthread_stop(partner->task);
	kfree(partner);
}

/* Two threads on one CPU, of which one is awake: whose turn it is. */
struct pair {
	struct task_struct *first; /* runs the loop */
	struct task_struct *second;
	bool turn_of_second;
	bool stop;
};

static void sleep_until_turn(struct pair *pair, bool second)
{
	for (;;) {
		set_current_state(TASK_IDLE);
		if (READ_ONCE(pair->turn_of_second) == second)
			break;
		schedule();
	}
	__set_current_state(TASK_RUNNING);
}

static int second_main(void *data)
{
	struct pair *pair = data;

	for (;;) {
		sleep_until_turn(pair, true);
		if (READ_ONCE(pair->stop))
			break;
		WRITE_ONCE(pair->turn_of_second, false);
		wake_up_process(pair->first);
	}
	bench_wait_for_stop();
	return 0;
}

static int pair_setup(struct bench_ctx *ctx)
{
	struct pair *pair = kzalloc(sizeof(*pair), GFP_KERNEL);
	struct task_struct *task;

	if (!pair)
		return -ENOMEM;
	task = kthread_create_on_node(second_main, pair, cpu_to_node(ctx->cpu),
				      "kregress-second/%u", ctx->cpu);
	if (IS_ERR(task)) {
		kfree(pair);
		return PTR_ERR(task);
	}
	kthread_bind(task, ctx->cpu);
	pair->second = task;
	wake_up_process(task);
	ctx->data = pair;
	return 0;
}

static int pair_run(struct bench_ctx *ctx, unsigned long loops)
{
	struct pair *pair = ctx->data;

	pair->first = current;
	BENCH_LOOP(loops, {
		WRITE_ONCE(pair->turn_of_second, true);
		wake_up_process(pair->second);
		sleep_until_turn(pair, false);
	});
	return 0;
}

static void pair_teardown(struct bench_ctx *ctx)
{
	struct pair *pair = ctx->data;

	WRITE_ONCE(pair->stop, true);
	WRITE_ONCE(pair->turn_of_second, true);
	wake_up_process(pair->second);
	kthread_stop(pair->second);
	kfree(pair);
}

static int thread_main(void *data)
{
	bench_wait_for_stop();
	return 0;
}

static int thread_run(struct bench_ctx *ctx, unsigned long loops)
{
	BENCH_LOOP(loops, {
		struct task_struct *task = kthread_run(thread_main, NULL, "kregress-thread");

		if (IS_ERR(task))
			return PTR_ERR(task);
		kthread_stop(task);
	});
	return 0;
}

static void work_main(struct work_struct *work)
{
}

static int work_setup(struct bench_ctx *ctx)
{
	struct work_struct *work = kzalloc(sizeof(*work), GFP_KERNEL);

	if (!work)
		return -ENOMEM;
	INIT_WORK(work, work_main);
	ctx->data = work;
	return 0;
}

static int work_run(struct bench_ctx *ctx, unsigned long loops)
{
	struct work_struct *work = ctx->data;

	BENCH_LOOP(loops, {
		schedule_work_on(ctx->cpu, work);
		flush_work(work);
	});
	return 0;
}

static void work_teardown(struct bench_ctx *ctx)
{
	cancel_work_sync(ctx->data);
	kfree(ctx->data);
}

static const struct bench benches[] = {
	{
		.name = "sched.preempt",
		.summary = "preempt_disable + preempt_enable",
		.run = preempt_run,
	},
	{
		.name = "sched.migrate",
		.summary = "migrate_disable + migrate_enable",
		.run = migrate_run,
	},
	{
		.name = "sched.cond_resched",
		.summary = "cond_resched",
		.run = cond_resched_run,
	},
	{
		.name = "sched.schedule",
		.summary = "schedule of a thread that stays runnable",
		.run = schedule_run,
	},
	{
		.name = "sched.complete",
		.summary = "complete + wait_for_completion, answered by a thread on the same CPU",
		.setup = partner_setup,
		.run = partner_run,
		.teardown = partner_teardown,
	},
	{
		.name = "sched.wake_up",
		.summary =
			"wake_up_process of a thread on the same CPU + sleep until it wakes us up",
		.setup = pair_setup,
		.run = pair_run,
		.teardown = pair_teardown,
	},
	{
		.name = "sched.kthread",
		.summary = "kthread_run of a thread that sleeps + kthread_stop",
		.run = thread_run,
	},
	{
		.name = "sched.work",
		.summary = "schedule_work_on the same CPU + flush_work",
		.setup = work_setup,
		.run = work_run,
		.teardown = work_teardown,
	},
};

const struct bench_group bench_group_sched = {benches, ARRAY_SIZE(benches)};
