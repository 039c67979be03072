// SPDX-License-Identifier: GPL-2.0-or-later
/* Packet buffers. */
#include <linux/bottom_half.h>
#include <linux/err.h>
#include <linux/gfp.h>
#include <linux/kernel.h>
#include <linux/mm.h>
#include <linux/skbuff.h>

#include "bench.h"
#include "compat.h"

#define POOL_SIZE 256

static const char *needs_net(void)
{
	return IS_ENABLED(CONFIG_NET) ? NULL : "CONFIG_NET is off in this kernel";
}

static const char *needs_page_pool(void)
{
	return IS_ENABLED(CONFIG_PAGE_POOL) ? NULL : "CONFIG_PAGE_POOL is off in this kernel";
}

/* Without CONFIG_NET the compiler drops what is behind, and with it the symbols it needs. */
static __always_inline int alloc_skb_loop(unsigned int size, unsigned long loops)
{
	if (!IS_ENABLED(CONFIG_NET))
		return -EOPNOTSUPP;
	BENCH_LOOP(loops, {
		struct sk_buff *skb = alloc_skb(size, GFP_KERNEL);

		if (unlikely(!skb))
			return -ENOMEM;
		kfree_skb(skb);
	});
	return 0;
}

/* So many buffers a setup holds at most. */
#define HELD_MAX 64

/*
 * The head page of a slab is found with fewer instructions than the pages behind it, and which
 * object is handed out is random. Buffers whose data is in a head page are held, so that the loop
 * gets one of the others; where there are no others, none is held.
 */
static int alloc_skb_setup(struct bench_ctx *ctx, unsigned int size)
{
	struct sk_buff *held = NULL;
	int i;

	for (i = 0; i < HELD_MAX && IS_ENABLED(CONFIG_NET); i++) {
		struct sk_buff *skb = alloc_skb(size, GFP_KERNEL);

		if (!skb)
			break;
		if (PageTail(virt_to_page(skb->head))) {
			kfree_skb(skb);
			ctx->data = held;
			return 0;
		}
		skb->next = held;
		held = skb;
	}
	if (IS_ENABLED(CONFIG_NET))
		kfree_skb_list(held);
	return 0;
}

static int alloc_skb_256_setup(struct bench_ctx *ctx)
{
	return alloc_skb_setup(ctx, 256);
}

static int alloc_skb_2048_setup(struct bench_ctx *ctx)
{
	return alloc_skb_setup(ctx, 2048);
}

static void alloc_skb_teardown(struct bench_ctx *ctx)
{
	if (IS_ENABLED(CONFIG_NET))
		kfree_skb_list(ctx->data);
}

static int alloc_skb_256_run(struct bench_ctx *ctx, unsigned long loops)
{
	return alloc_skb_loop(256, loops);
}

static int alloc_skb_2048_run(struct bench_ctx *ctx, unsigned long loops)
{
	return alloc_skb_loop(2048, loops);
}

static int build_skb_run(struct bench_ctx *ctx, unsigned long loops)
{
	if (!IS_ENABLED(CONFIG_NET))
		return -EOPNOTSUPP;
	BENCH_LOOP(loops, {
		unsigned long page = __get_free_page(GFP_KERNEL);
		struct sk_buff *skb = page ? build_skb((void *)page, PAGE_SIZE) : NULL;

		if (unlikely(!skb)) {
			free_page(page);
			return -ENOMEM;
		}
		kfree_skb(skb);
	});
	return 0;
}

static int clone_setup(struct bench_ctx *ctx)
{
	if (IS_ENABLED(CONFIG_NET))
		ctx->data = alloc_skb(256, GFP_KERNEL);
	return ctx->data ? 0 : -ENOMEM;
}

static int clone_run(struct bench_ctx *ctx, unsigned long loops)
{
	if (!IS_ENABLED(CONFIG_NET))
		return -EOPNOTSUPP;
	BENCH_LOOP(loops, {
		struct sk_buff *skb = skb_clone(ctx->data, GFP_KERNEL);

		if (unlikely(!skb))
			return -ENOMEM;
		consume_skb(skb);
	});
	return 0;
}

static void clone_teardown(struct bench_ctx *ctx)
{
	if (IS_ENABLED(CONFIG_NET))
		kfree_skb(ctx->data);
}

static int pool_setup(struct bench_ctx *ctx)
{
	struct page_pool_params params = {.pool_size = POOL_SIZE, .nid = NUMA_NO_NODE};
	struct page_pool *pool;

	if (!IS_ENABLED(CONFIG_PAGE_POOL))
		return -EOPNOTSUPP;
	pool = page_pool_create(&params);
	if (IS_ERR(pool))
		return PTR_ERR(pool);
	ctx->data = pool;
	return 0;
}

/* As a driver does it: in softirq context, where the pool's own cache may be used. */
static int pool_loop(struct page_pool *pool, unsigned long loops)
{
	if (!IS_ENABLED(CONFIG_PAGE_POOL))
		return -EOPNOTSUPP;
	BENCH_LOOP(loops, {
		struct page *page = page_pool_alloc_pages(pool, GFP_ATOMIC);

		if (unlikely(!page))
			return -ENOMEM;
		page_pool_put_full_page(pool, page, true);
	});
	return 0;
}

static int pool_run(struct bench_ctx *ctx, unsigned long loops)
{
	int err;

	local_bh_disable();
	err = pool_loop(ctx->data, loops);
	local_bh_enable();
	return err;
}

static void pool_teardown(struct bench_ctx *ctx)
{
	if (IS_ENABLED(CONFIG_PAGE_POOL))
		page_pool_destroy(ctx->data);
}

static const struct bench benches[] = {
	{
		.name = "net.alloc_skb",
		.params = "size=256",
		.summary = "alloc_skb of 256 bytes + kfree_skb",
		.unavailable = needs_net,
		.setup = alloc_skb_256_setup,
		.run = alloc_skb_256_run,
		.teardown = alloc_skb_teardown,
	},
	{
		.name = "net.alloc_skb",
		.params = "size=2048",
		.summary = "alloc_skb of 2048 bytes + kfree_skb",
		.unavailable = needs_net,
		.setup = alloc_skb_2048_setup,
		.run = alloc_skb_2048_run,
		.teardown = alloc_skb_teardown,
	},
	{
		.name = "net.build_skb",
		.summary = "__get_free_page + build_skb around it + kfree_skb",
		.unavailable = needs_net,
		.run = build_skb_run,
	},
	{
		.name = "net.skb_clone",
		.summary = "skb_clone + consume_skb",
		.unavailable = needs_net,
		.setup = clone_setup,
		.run = clone_run,
		.teardown = clone_teardown,
	},
	{
		.name = "net.page_pool",
		.summary = "page_pool_alloc_pages + page_pool_put_full_page in softirq context",
		.unavailable = needs_page_pool,
		.setup = pool_setup,
		.run = pool_run,
		.teardown = pool_teardown,
	},
};

const struct bench_group bench_group_net = {benches, ARRAY_SIZE(benches)};
