// SPDX-License-Identifier: GPL-2.0-or-later
/* Data structures, each with 1024 entries, and loops over arrays. Every turn leaves them as found.
 */
#include <linux/bitmap.h>
#include <linux/err.h>
#include <linux/jhash.h>
#include <linux/kernel.h>
#include <linux/rbtree.h>
#include <linux/rhashtable.h>
#include <linux/slab.h>
#include <linux/sort.h>
#include <linux/string.h>
#include <linux/xarray.h>

#include "bench.h"
#include "compat.h"

#define ENTRIES	    1024
#define CHOSEN	    600 /* the entry that is looked up, or taken out and put back */
#define BITS	    4096
#define SORTED	    256
#define TREE_STRIDE 16 /* between the maple tree's ranges; each fills the first half */

struct entry {
	u32 key;
	struct rhash_head hash;
	struct rb_node node;
};

/* Spreads the numbers below ENTRIES: an odd factor makes it a permutation. */
static u32 scattered(u32 i)
{
	return (i * 389) % ENTRIES;
}

/* The seed, which is random, stays out of it: chains are the same in every boot. */
static u32 hash_key(const void *key, u32 length, u32 seed)
{
	return jhash(key, length, 0);
}

static const struct rhashtable_params table_params = {
	.key_len = sizeof(u32),
	.key_offset = offsetof(struct entry, key),
	.head_offset = offsetof(struct entry, hash),
	.nelem_hint = ENTRIES,
	.min_size = ENTRIES,
	.max_size = 2 * ENTRIES,
	.hashfn = hash_key,
};

struct table {
	struct rhashtable hash;
	struct entry entries[ENTRIES];
};

static void table_teardown(struct bench_ctx *ctx)
{
	struct table *table = ctx->data;

	rhashtable_destroy(&table->hash);
	kvfree(table);
}

static int table_fill(struct table *table)
{
	int err = 0;
	u32 i;

	for (i = 0; i < ENTRIES && !err; i++) {
		table->entries[i].key = scattered(i);
		err = rhashtable_insert_fast(&table->hash, &table->entries[i].hash, table_params);
	}
	return err;
}

static int table_setup(struct bench_ctx *ctx)
{
	struct table *table = kvzalloc(sizeof(*table), GFP_KERNEL);
	int err;

	if (!table)
		return -ENOMEM;
	err = rhashtable_init(&table->hash, &table_params);
	if (err) {
		kvfree(table);
		return err;
	}
	ctx->data = table;
	err = table_fill(table);
	if (err)
		table_teardown(ctx);
	return err;
}

/* Operations that are inlined and large stand in functions of their own: see BENCH_LOOP. */
static noinline bool table_lookup(struct table *table, u32 key)
{
	return rhashtable_lookup_fast(&table->hash, &key, table_params);
}

static int table_lookup_run(struct bench_ctx *ctx, unsigned long loops)
{
	BENCH_LOOP(loops, {
		if (unlikely(!table_lookup(ctx->data, CHOSEN)))
			return -ENOENT;
	});
	return 0;
}

static noinline int table_replace(struct table *table, struct rhash_head *head)
{
	int err = rhashtable_remove_fast(&table->hash, head, table_params);

	return err ? err : rhashtable_insert_fast(&table->hash, head, table_params);
}

static int table_insert_run(struct bench_ctx *ctx, unsigned long loops)
{
	struct table *table = ctx->data;
	struct rhash_head *head = &table->entries[CHOSEN].hash;

	BENCH_LOOP(loops, {
		int err = table_replace(table, head);

		if (unlikely(err))
			return err;
	});
	return 0;
}

static void array_teardown(struct bench_ctx *ctx)
{
	xa_destroy(ctx->data);
	kfree(ctx->data);
}

static int array_setup(struct bench_ctx *ctx)
{
	struct xarray *array = kmalloc(sizeof(*array), GFP_KERNEL);
	unsigned long i;
	int err = 0;

	if (!array)
		return -ENOMEM;
	xa_init(array);
	ctx->data = array;
	for (i = 0; i < ENTRIES && !err; i++)
		err = xa_err(xa_store(array, i, xa_mk_value(i), GFP_KERNEL));
	if (err)
		array_teardown(ctx);
	return err;
}

static int array_load_run(struct bench_ctx *ctx, unsigned long loops)
{
	struct xarray *array = ctx->data;

	BENCH_LOOP(loops, BENCH_KEEP(xa_load(array, CHOSEN)));
	return 0;
}

static int array_store_run(struct bench_ctx *ctx, unsigned long loops)
{
	struct xarray *array = ctx->data;

	BENCH_LOOP(loops, {
		xa_erase(array, CHOSEN);
		if (unlikely(xa_is_err(xa_store(array, CHOSEN, xa_mk_value(1), GFP_KERNEL))))
			return -ENOMEM;
	});
	return 0;
}

static const char *needs_maple_tree(void)
{
	return compat_has_maple_tree() ? NULL : "this kernel has no maple tree";
}

static int maple_setup(struct bench_ctx *ctx)
{
	unsigned long i;
	int err = 0;

	ctx->data = compat_maple_create();
	if (!ctx->data)
		return -ENOMEM;
	for (i = 0; i < ENTRIES && !err; i++)
		err = compat_maple_store(ctx->data, i * TREE_STRIDE,
					 i * TREE_STRIDE + TREE_STRIDE / 2 - 1, xa_mk_value(i));
	if (err)
		compat_maple_destroy(ctx->data);
	return err;
}

static void maple_teardown(struct bench_ctx *ctx)
{
	compat_maple_destroy(ctx->data);
}

static int maple_load_run(struct bench_ctx *ctx, unsigned long loops)
{
	BENCH_LOOP(loops, BENCH_KEEP(compat_maple_load(ctx->data, CHOSEN * TREE_STRIDE)));
	return 0;
}

/* In the place of what stands there: the tree keeps its shape. */
static int maple_store_run(struct bench_ctx *ctx, unsigned long loops)
{
	const unsigned long first = CHOSEN * TREE_STRIDE;

	BENCH_LOOP(loops, {
		int err = compat_maple_store(ctx->data, first, first + TREE_STRIDE / 2 - 1,
					     xa_mk_value(1));

		if (unlikely(err))
			return err;
	});
	return 0;
}

struct tree {
	struct rb_root root;
	struct entry entries[ENTRIES];
};

static bool entry_less(struct rb_node *a, const struct rb_node *b)
{
	return rb_entry(a, struct entry, node)->key < rb_entry(b, struct entry, node)->key;
}

static void tree_add(struct tree *tree, struct entry *entry)
{
	struct rb_node **link = &tree->root.rb_node;
	struct rb_node *parent = NULL;

	while (*link) {
		parent = *link;
		link = entry_less(&entry->node, parent) ? &parent->rb_left : &parent->rb_right;
	}
	rb_link_node(&entry->node, parent, link);
	rb_insert_color(&entry->node, &tree->root);
}

static int tree_setup(struct bench_ctx *ctx)
{
	struct tree *tree = kvzalloc(sizeof(*tree), GFP_KERNEL);
	u32 i;

	if (!tree)
		return -ENOMEM;
	tree->root = RB_ROOT;
	for (i = 0; i < ENTRIES; i++) {
		tree->entries[i].key = scattered(i);
		tree_add(tree, &tree->entries[i]);
	}
	ctx->data = tree;
	return 0;
}

static void tree_teardown(struct bench_ctx *ctx)
{
	kvfree(ctx->data);
}

static noinline void tree_replace(struct tree *tree, struct entry *entry)
{
	rb_erase(&entry->node, &tree->root);
	tree_add(tree, entry);
}

static int tree_run(struct bench_ctx *ctx, unsigned long loops)
{
	struct tree *tree = ctx->data;

	BENCH_LOOP(loops, tree_replace(tree, &tree->entries[CHOSEN]));
	return 0;
}

static DECLARE_BITMAP(bits, BITS);

static int bits_setup(struct bench_ctx *ctx)
{
	__set_bit(BITS - 1, bits);
	return 0;
}

BENCH_RUN(find_bit_run, BENCH_KEEP(find_first_bit(bits, BITS)))

static int compare_numbers(const void *a, const void *b)
{
	u32 x = *(const u32 *)a, y = *(const u32 *)b;

	return x < y ? -1 : x > y;
}

struct numbers {
	u32 given[SORTED];
	u32 sorted[SORTED];
};

static int numbers_setup(struct bench_ctx *ctx)
{
	struct numbers *numbers = kmalloc(sizeof(*numbers), GFP_KERNEL);
	u32 i;

	if (!numbers)
		return -ENOMEM;
	for (i = 0; i < SORTED; i++)
		numbers->given[i] = scattered(i);
	ctx->data = numbers;
	return 0;
}

static void numbers_teardown(struct bench_ctx *ctx)
{
	kfree(ctx->data);
}

static noinline void numbers_sort(struct numbers *numbers)
{
	memcpy(numbers->sorted, numbers->given, sizeof(numbers->sorted));
	sort(numbers->sorted, SORTED, sizeof(u32), compare_numbers, NULL);
}

static int sort_run(struct bench_ctx *ctx, unsigned long loops)
{
	BENCH_LOOP(loops, numbers_sort(ctx->data));
	return 0;
}

static const struct bench benches[] = {
	{
		.name = "data.rhashtable_lookup",
		.summary = "rhashtable_lookup_fast of one of 1024 entries",
		.setup = table_setup,
		.run = table_lookup_run,
		.teardown = table_teardown,
	},
	{
		.name = "data.rhashtable_insert",
		.summary = "rhashtable_remove_fast + rhashtable_insert_fast of one of 1024 entries",
		.setup = table_setup,
		.run = table_insert_run,
		.teardown = table_teardown,
	},
	{
		.name = "data.xarray_load",
		.summary = "xa_load of one of 1024 entries",
		.setup = array_setup,
		.run = array_load_run,
		.teardown = array_teardown,
	},
	{
		.name = "data.xarray_store",
		.summary = "xa_erase + xa_store of one of 1024 entries",
		.setup = array_setup,
		.run = array_store_run,
		.teardown = array_teardown,
	},
	{
		.name = "data.maple_load",
		.summary = "mtree_load of one of 1024 ranges",
		.unavailable = needs_maple_tree,
		.setup = maple_setup,
		.run = maple_load_run,
		.teardown = maple_teardown,
	},
	{
		.name = "data.maple_store",
		.summary = "mtree_store_range in the place of one of 1024 ranges",
		.unavailable = needs_maple_tree,
		.setup = maple_setup,
		.run = maple_store_run,
		.teardown = maple_teardown,
	},
	{
		.name = "data.rbtree",
		.summary = "rb_erase + search for the place + rb_insert_color in a tree of 1024",
		.setup = tree_setup,
		.run = tree_run,
		.teardown = tree_teardown,
	},
	{
		.name = "data.find_bit",
		.params = "bits=4096",
		.summary = "find_first_bit of the last of 4096 bits",
		.setup = bits_setup,
		.run = find_bit_run,
	},
	{
		.name = "data.sort",
		.params = "n=256",
		.summary = "sort of 256 numbers, with the copy they are sorted in",
		.setup = numbers_setup,
		.run = sort_run,
		.teardown = numbers_teardown,
	},
};

const struct bench_group bench_group_data = {benches, ARRAY_SIZE(benches)};
