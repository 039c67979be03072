// SPDX-License-Identifier: GPL-2.0-or-later
/* Contents of memory: copies within the kernel, to and from user space, and mappings of a page. */
#include <linux/gfp.h>
#include <linux/highmem.h>
#include <linux/kernel.h>
#include <linux/mm.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <linux/uaccess.h>

#include "bench.h"

/* Two pages; the loop copies from the first to the second. */
struct buffers {
	void *from;
	void *to;
};

static void buffers_teardown(struct bench_ctx *ctx)
{
	struct buffers *buffers = ctx->data;

	free_page((unsigned long)buffers->from);
	free_page((unsigned long)buffers->to);
	kfree(buffers);
}

static int buffers_setup(struct bench_ctx *ctx)
{
	struct buffers *buffers = kzalloc(sizeof(*buffers), GFP_KERNEL);

	if (!buffers)
		return -ENOMEM;
	ctx->data = buffers;
	buffers->from = (void *)get_zeroed_page(GFP_KERNEL);
	buffers->to = (void *)get_zeroed_page(GFP_KERNEL);
	if (buffers->from && buffers->to)
		return 0;
	buffers_teardown(ctx);
	return -ENOMEM;
}

static int clear_page_run(struct bench_ctx *ctx, unsigned long loops)
{
	void *to = ((struct buffers *)ctx->data)->to;

	BENCH_LOOP(loops, clear_page(to));
	return 0;
}

static int copy_page_run(struct bench_ctx *ctx, unsigned long loops)
{
	struct buffers *buffers = ctx->data;

	BENCH_LOOP(loops, copy_page(buffers->to, buffers->from));
	return 0;
}

static __always_inline int memcpy_loop(struct bench_ctx *ctx, size_t size, unsigned long loops)
{
	struct buffers *buffers = ctx->data;

	/* A size that is not known when this is compiled: the function, not moves in its place. */
	OPTIMIZER_HIDE_VAR(size);
	BENCH_LOOP(loops, memcpy(buffers->to, buffers->from, size));
	return 0;
}

static int memcpy_64_run(struct bench_ctx *ctx, unsigned long loops)
{
	return memcpy_loop(ctx, 64, loops);
}

static int memcpy_4096_run(struct bench_ctx *ctx, unsigned long loops)
{
	return memcpy_loop(ctx, 4096, loops);
}

static int memset_run(struct bench_ctx *ctx, unsigned long loops)
{
	struct buffers *buffers = ctx->data;
	size_t size = PAGE_SIZE;

	OPTIMIZER_HIDE_VAR(size);
	BENCH_LOOP(loops, memset(buffers->to, 0, size));
	return 0;
}

static __always_inline int to_user_loop(struct bench_ctx *ctx, size_t size, unsigned long loops)
{
	struct buffers *buffers = ctx->data;

	BENCH_LOOP(loops, {
		if (unlikely(copy_to_user(ctx->user, buffers->from, size)))
			return -EFAULT;
	});
	return 0;
}

static int to_user_64_run(struct bench_ctx *ctx, unsigned long loops)
{
	return to_user_loop(ctx, 64, loops);
}

static int to_user_4096_run(struct bench_ctx *ctx, unsigned long loops)
{
	return to_user_loop(ctx, 4096, loops);
}

static __always_inline int from_user_loop(struct bench_ctx *ctx, size_t size, unsigned long loops)
{
	struct buffers *buffers = ctx->data;

	BENCH_LOOP(loops, {
		if (unlikely(copy_from_user(buffers->to, ctx->user, size)))
			return -EFAULT;
	});
	return 0;
}

static int from_user_64_run(struct bench_ctx *ctx, unsigned long loops)
{
	return from_user_loop(ctx, 64, loops);
}

static int from_user_4096_run(struct bench_ctx *ctx, unsigned long loops)
{
	return from_user_loop(ctx, 4096, loops);
}

static int put_user_run(struct bench_ctx *ctx, unsigned long loops)
{
	unsigned long __user *to = ctx->user;

	BENCH_LOOP(loops, {
		if (unlikely(put_user(0UL, to)))
			return -EFAULT;
	});
	return 0;
}

static int get_user_run(struct bench_ctx *ctx, unsigned long loops)
{
	unsigned long __user *from = ctx->user;
	unsigned long value;

	BENCH_LOOP(loops, {
		if (unlikely(get_user(value, from)))
			return -EFAULT;
		BENCH_KEEP(value);
	});
	return 0;
}

/* Of a page from high memory where the machine has any. */
static int kmap_setup(struct bench_ctx *ctx)
{
	ctx->data = alloc_page(GFP_HIGHUSER);
	return ctx->data ? 0 : -ENOMEM;
}

static int kmap_local_run(struct bench_ctx *ctx, unsigned long loops)
{
	struct page *page = ctx->data;

	BENCH_LOOP(loops, {
		void *p = kmap_local_page(page);

		BENCH_KEEP(p);
		kunmap_local(p);
	});
	return 0;
}

static void kmap_teardown(struct bench_ctx *ctx)
{
	__free_page(ctx->data);
}

static const struct bench benches[] = {
	{
		.name = "mm.kmap_local",
		.summary = "kmap_local_page + kunmap_local",
		.setup = kmap_setup,
		.run = kmap_local_run,
		.teardown = kmap_teardown,
	},
	{
		.name = "mm.clear_page",
		.summary = "clear_page of the same page",
		.setup = buffers_setup,
		.run = clear_page_run,
		.teardown = buffers_teardown,
	},
	{
		.name = "mm.copy_page",
		.summary = "copy_page between the same two pages",
		.setup = buffers_setup,
		.run = copy_page_run,
		.teardown = buffers_teardown,
	},
	{
		.name = "mm.memcpy",
		.params = "size=64",
		.summary = "memcpy of 64 bytes",
		.setup = buffers_setup,
		.run = memcpy_64_run,
		.teardown = buffers_teardown,
	},
	{
		.name = "mm.memcpy",
		.params = "size=4096",
		.summary = "memcpy of 4096 bytes",
		.setup = buffers_setup,
		.run = memcpy_4096_run,
		.teardown = buffers_teardown,
	},
	{
		.name = "mm.memset",
		.params = "size=4096",
		.summary = "memset of 4096 bytes",
		.setup = buffers_setup,
		.run = memset_run,
		.teardown = buffers_teardown,
	},
	{
		.name = "mm.copy_to_user",
		.params = "size=64",
		.summary = "copy_to_user of 64 bytes to a page that is there",
		.user_page = true,
		.setup = buffers_setup,
		.run = to_user_64_run,
		.teardown = buffers_teardown,
	},
	{
		.name = "mm.copy_to_user",
		.params = "size=4096",
		.summary = "copy_to_user of 4096 bytes to a page that is there",
		.user_page = true,
		.setup = buffers_setup,
		.run = to_user_4096_run,
		.teardown = buffers_teardown,
	},
	{
		.name = "mm.copy_from_user",
		.params = "size=64",
		.summary = "copy_from_user of 64 bytes from a page that is there",
		.user_page = true,
		.setup = buffers_setup,
		.run = from_user_64_run,
		.teardown = buffers_teardown,
	},
	{
		.name = "mm.copy_from_user",
		.params = "size=4096",
		.summary = "copy_from_user of 4096 bytes from a page that is there",
		.user_page = true,
		.setup = buffers_setup,
		.run = from_user_4096_run,
		.teardown = buffers_teardown,
	},
	{
		.name = "mm.put_user",
		.summary = "put_user of a long",
		.user_page = true,
		.run = put_user_run,
	},
	{
		.name = "mm.get_user",
		.summary = "get_user of a long",
		.user_page = true,
		.run = get_user_run,
	},
};

const struct bench_group bench_group_copy = {benches, ARRAY_SIZE(benches)};
