// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Memory: allocators, mappings, page contents. A loop that allocates looks at what it got; the
 * test and its branch are part of the operation.
 */
#include <linux/gfp.h>
#include <linux/kernel.h>
#include <linux/mm.h>
#include <linux/slab.h>
#include <linux/vmalloc.h>

#include "bench.h"
#include "compat.h"

#define OBJECT_SIZE 256
#define BULK	    16
#define MAP_PAGES   4

/* What a setup holds at most to bring an allocator into a known state. */
#define HELD_PAGES_MAX 64
#define HELD_AREAS_MAX 4096
#define HELD_IN_A_ROW  512

/* Inlined with a constant size, so that the size class is chosen when this is compiled. */
static __always_inline int kmalloc_loop(size_t size, unsigned long loops)
{
	BENCH_LOOP(loops, {
		void *p = kmalloc(size, GFP_KERNEL);

		if (unlikely(!p))
			return -ENOMEM;
		kfree(p);
	});
	return 0;
}

static int kmalloc_64_run(struct bench_ctx *ctx, unsigned long loops)
{
	return kmalloc_loop(64, loops);
}

static int kmalloc_256_run(struct bench_ctx *ctx, unsigned long loops)
{
	return kmalloc_loop(256, loops);
}

static int kmalloc_4096_run(struct bench_ctx *ctx, unsigned long loops)
{
	return kmalloc_loop(4096, loops);
}

/* Holds the memory at @p, linked through itself, until held_free(). */
static void held_push(void **held, void *p)
{
	*(void **)p = *held;
	*held = p;
}

static void held_free(void *held)
{
	while (held) {
		void *p = held;

		held = *(void **)p;
		kvfree(p);
	}
}

/*
 * The head page of a slab is found with two instructions less than the pages behind it, and which
 * object is handed out is random. The objects in head pages are held, so that the loop gets one of
 * the many others.
 */
static int kmalloc_4096_setup(struct bench_ctx *ctx)
{
	int i;

	for (i = 0; i < HELD_PAGES_MAX; i++) {
		void *p = kmalloc(4096, GFP_KERNEL);

		if (!p) {
			held_free(ctx->data);
			return -ENOMEM;
		}
		if (PageTail(virt_to_page(p))) {
			kfree(p);
			break;
		}
		held_push(&ctx->data, p);
	}
	return 0;
}

static void kmalloc_4096_teardown(struct bench_ctx *ctx)
{
	held_free(ctx->data);
}

static struct kmem_cache *cache;

/* A cache with a constructor is never merged with another of the same size. */
static void object_init(void *object)
{
	*(unsigned long *)object = 0;
}

static int cache_setup(struct bench_ctx *ctx)
{
	if (ctx->index)
		return 0;
	cache = kmem_cache_create("kregress", OBJECT_SIZE, 0, SLAB_HWCACHE_ALIGN, object_init);
	return cache ? 0 : -ENOMEM;
}

static void cache_teardown(struct bench_ctx *ctx)
{
	if (ctx->index)
		return;
	kmem_cache_destroy(cache);
	cache = NULL;
}

static int cache_run(struct bench_ctx *ctx, unsigned long loops)
{
	struct kmem_cache *s = cache;

	BENCH_LOOP(loops, {
		void *p = kmem_cache_alloc(s, GFP_KERNEL);

		if (unlikely(!p))
			return -ENOMEM;
		kmem_cache_free(s, p);
	});
	return 0;
}

static int cache_bulk_run(struct bench_ctx *ctx, unsigned long loops)
{
	struct kmem_cache *s = cache;
	void *objects[BULK];

	BENCH_LOOP(loops, {
		if (unlikely(!kmem_cache_alloc_bulk(s, GFP_KERNEL, BULK, objects)))
			return -ENOMEM;
		kmem_cache_free_bulk(s, BULK, objects);
	});
	return 0;
}

static __always_inline int alloc_pages_loop(unsigned int order, unsigned long loops)
{
	BENCH_LOOP(loops, {
		struct page *page = alloc_pages(GFP_KERNEL, order);

		if (unlikely(!page))
			return -ENOMEM;
		__free_pages(page, order);
	});
	return 0;
}

static int alloc_page_run(struct bench_ctx *ctx, unsigned long loops)
{
	return alloc_pages_loop(0, loops);
}

static int alloc_pages_2_run(struct bench_ctx *ctx, unsigned long loops)
{
	return alloc_pages_loop(2, loops);
}

struct mapping {
	struct page *pages[MAP_PAGES];
	void *held; /* areas that fill holes */
};

static void mapping_teardown(struct bench_ctx *ctx)
{
	struct mapping *mapping = ctx->data;
	int i;

	held_free(mapping->held);
	for (i = 0; i < MAP_PAGES; i++) {
		if (mapping->pages[i])
			__free_page(mapping->pages[i]);
	}
	kfree(mapping);
}

static int fill_pages(struct mapping *mapping)
{
	int i;

	for (i = 0; i < MAP_PAGES; i++) {
		mapping->pages[i] = alloc_page(GFP_KERNEL);
		if (!mapping->pages[i])
			return -ENOMEM;
	}
	return 0;
}

/*
 * A hole that fits exactly, such as the stack of a thread that has ended leaves, is taken and given
 * back at another cost than a piece of the large free range. All holes are filled: they are when
 * areas begin to follow one another.
 */
static int fill_holes(struct mapping *mapping)
{
	int i, in_a_row = 0;

	for (i = 0; i < HELD_AREAS_MAX && in_a_row < HELD_IN_A_ROW; i++) {
		void *p = vmalloc(PAGE_SIZE);
		unsigned long distance = (unsigned long)p - (unsigned long)mapping->held;

		if (!p)
			return -ENOMEM;
		in_a_row = distance <= 2 * PAGE_SIZE ? in_a_row + 1 : 0;
		held_push(&mapping->held, p);
	}
	return 0;
}

/* Areas that were freed before are purged first, so that none is purged on the run's account. */
static int mapping_setup(struct bench_ctx *ctx)
{
	struct mapping *mapping = kzalloc(sizeof(*mapping), GFP_KERNEL);
	int err;

	if (!mapping)
		return -ENOMEM;
	ctx->data = mapping;
	vm_unmap_aliases();
	err = fill_pages(mapping);
	if (!err)
		err = fill_holes(mapping);
	if (err)
		mapping_teardown(ctx);
	return err;
}

static int vmalloc_run(struct bench_ctx *ctx, unsigned long loops)
{
	BENCH_LOOP(loops, {
		void *p = vmalloc(MAP_PAGES * PAGE_SIZE);

		if (unlikely(!p))
			return -ENOMEM;
		vfree(p);
	});
	return 0;
}

static int vmap_run(struct bench_ctx *ctx, unsigned long loops)
{
	struct page **pages = ((struct mapping *)ctx->data)->pages;

	BENCH_LOOP(loops, {
		void *p = vmap(pages, MAP_PAGES, VM_MAP, PAGE_KERNEL);

		if (unlikely(!p))
			return -ENOMEM;
		vunmap(p);
	});
	return 0;
}

static int vmap_flush_run(struct bench_ctx *ctx, unsigned long loops)
{
	struct page **pages = ((struct mapping *)ctx->data)->pages;

	BENCH_LOOP(loops, {
		void *p = vmap(pages, MAP_PAGES, VM_MAP, PAGE_KERNEL);

		if (unlikely(!p))
			return -ENOMEM;
		vunmap(p);
		vm_unmap_aliases();
	});
	return 0;
}

static int vm_map_ram_run(struct bench_ctx *ctx, unsigned long loops)
{
	struct page **pages = ((struct mapping *)ctx->data)->pages;

	BENCH_LOOP(loops, {
		void *p = vm_map_ram(pages, MAP_PAGES, NUMA_NO_NODE);

		if (unlikely(!p))
			return -ENOMEM;
		vm_unmap_ram(p, MAP_PAGES);
	});
	return 0;
}

/* A function of its own: see BENCH_LOOP. */
static noinline bool alloc_bulk(void)
{
	struct page *pages[BULK] = {NULL};
	unsigned long got = compat_alloc_pages_bulk(GFP_KERNEL, BULK, pages);
	unsigned long i;

	for (i = 0; i < got; i++)
		__free_page(pages[i]);
	return got == BULK;
}

static int alloc_bulk_run(struct bench_ctx *ctx, unsigned long loops)
{
	BENCH_LOOP(loops, {
		if (unlikely(!alloc_bulk()))
			return -ENOMEM;
	});
	return 0;
}

static const char *needs_bulk_pages(void)
{
	return compat_has_alloc_pages_bulk() ? NULL : "this kernel has no bulk page allocator";
}

static const struct bench benches[] = {
	{
		.name = "mm.kmalloc",
		.params = "size=64",
		.summary = "kmalloc + kfree of 64 bytes",
		.run = kmalloc_64_run,
	},
	{
		.name = "mm.kmalloc",
		.params = "size=256",
		.summary = "kmalloc + kfree of 256 bytes",
		.run = kmalloc_256_run,
	},
	{
		.name = "mm.kmalloc",
		.params = "size=4096",
		.summary = "kmalloc + kfree of 4096 bytes",
		.setup = kmalloc_4096_setup,
		.run = kmalloc_4096_run,
		.teardown = kmalloc_4096_teardown,
	},
	{
		.name = "mm.kmem_cache",
		.summary =
			"kmem_cache_alloc + kmem_cache_free of 256 bytes from a cache of its own",
		.setup = cache_setup,
		.run = cache_run,
		.teardown = cache_teardown,
	},
	{
		.name = "mm.kmem_cache_bulk",
		.params = "n=16",
		.summary = "kmem_cache_alloc_bulk + kmem_cache_free_bulk of 16 objects",
		.setup = cache_setup,
		.run = cache_bulk_run,
		.teardown = cache_teardown,
	},
	{
		.name = "mm.alloc_page",
		.summary = "alloc_page + __free_page",
		.run = alloc_page_run,
	},
	{
		.name = "mm.alloc_pages",
		.params = "order=2",
		.summary = "alloc_pages + __free_pages of four pages in a row",
		.run = alloc_pages_2_run,
	},
	{
		.name = "mm.vmalloc",
		.summary = "vmalloc + vfree of four pages",
		.setup = mapping_setup,
		.run = vmalloc_run,
		.teardown = mapping_teardown,
	},
	{
		.name = "mm.vmap",
		.summary = "vmap + vunmap of four pages; TLB flushes are put off",
		.setup = mapping_setup,
		.run = vmap_run,
		.teardown = mapping_teardown,
	},
	{
		.name = "mm.vmap_flush",
		.summary = "vmap + vunmap of four pages + vm_unmap_aliases: TLB flush each time",
		.setup = mapping_setup,
		.run = vmap_flush_run,
		.teardown = mapping_teardown,
	},
	{
		.name = "mm.vm_map_ram",
		.summary = "vm_map_ram + vm_unmap_ram of four pages",
		.setup = mapping_setup,
		.run = vm_map_ram_run,
		.teardown = mapping_teardown,
	},
	{
		.name = "mm.alloc_pages_bulk",
		.params = "n=16",
		.summary = "bulk allocation of 16 single pages + __free_page of each",
		.unavailable = needs_bulk_pages,
		.run = alloc_bulk_run,
	},
};

const struct bench_group bench_group_mm = {benches, ARRAY_SIZE(benches)};
