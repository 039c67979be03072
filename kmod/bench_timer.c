// SPDX-License-Identifier: GPL-2.0-or-later
/* Timers. */
#include <linux/hrtimer.h>
#include <linux/jiffies.h>
#include <linux/kernel.h>
#include <linux/ktime.h>
#include <linux/slab.h>
#include <linux/timer.h>

#include "bench.h"
#include "compat.h"

/* Far enough ahead that no timer fires and none becomes the next event. */
#define FAR_AHEAD_S 3600

static void timer_fired(struct timer_list *timer)
{
}

static int timer_init(struct bench_ctx *ctx)
{
	struct timer_list *timer = kzalloc(sizeof(*timer), GFP_KERNEL);

	if (!timer)
		return -ENOMEM;
	timer_setup(timer, timer_fired, 0);
	ctx->data = timer;
	return 0;
}

static int timer_run(struct bench_ctx *ctx, unsigned long loops)
{
	struct timer_list *timer = ctx->data;

	BENCH_LOOP(loops, {
		mod_timer(timer, jiffies + FAR_AHEAD_S * HZ);
		timer_delete(timer);
	});
	return 0;
}

static void timer_teardown(struct bench_ctx *ctx)
{
	timer_delete_sync(ctx->data);
	kfree(ctx->data);
}

static enum hrtimer_restart hrtimer_fired(struct hrtimer *timer)
{
	return HRTIMER_NORESTART;
}

static int hrtimer_prepare(struct bench_ctx *ctx)
{
	struct hrtimer *timer = kzalloc(sizeof(*timer), GFP_KERNEL);

	if (!timer)
		return -ENOMEM;
	compat_hrtimer_setup(timer, hrtimer_fired);
	ctx->data = timer;
	return 0;
}

static int hrtimer_run(struct bench_ctx *ctx, unsigned long loops)
{
	struct hrtimer *timer = ctx->data;

	BENCH_LOOP(loops, {
		hrtimer_start(timer, ktime_set(FAR_AHEAD_S, 0), HRTIMER_MODE_REL);
		hrtimer_cancel(timer);
	});
	return 0;
}

static void hrtimer_teardown(struct bench_ctx *ctx)
{
	hrtimer_cancel(ctx->data);
	kfree(ctx->data);
}

static const struct bench benches[] = {
	{
		.name = "timer.mod",
		.summary = "mod_timer an hour ahead + timer_delete",
		.setup = timer_init,
		.run = timer_run,
		.teardown = timer_teardown,
	},
	{
		.name = "timer.hrtimer",
		.summary = "hrtimer_start an hour ahead + hrtimer_cancel",
		.setup = hrtimer_prepare,
		.run = hrtimer_run,
		.teardown = hrtimer_teardown,
	},
};

const struct bench_group bench_group_timer = {benches, ARRAY_SIZE(benches)};
