/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What differs between kernels, configurations and architectures. No other file has conditionals
 * on any of them. The COMPAT_HAVE_* words come from Kbuild, which looks into the kernel's headers.
 */
#ifndef KREGRESS_COMPAT_H
#define KREGRESS_COMPAT_H

#include <linux/err.h>
#include <linux/gfp.h>
#include <linux/hrtimer.h>
#include <linux/kernel.h>
#include <linux/kprobes.h>
#include <linux/mm.h>
#include <linux/perf_event.h>
#include <linux/slab.h>
#include <linux/timer.h>
#include <linux/timex.h>
#ifdef CONFIG_X86
#include <asm/msr.h>
#include <asm/tsc.h>
#endif
#ifdef COMPAT_HAVE_MAPLE_TREE
#include <linux/maple_tree.h>
#endif
#ifdef COMPAT_HAVE_PAGE_POOL_HELPERS
#include <net/page_pool/helpers.h>
#else
#include <net/page_pool.h>
#endif

/* True where spinlock_t is a sleeping lock: it may not be taken with preemption or irqs off. */
static inline bool compat_spin_lock_sleeps(void)
{
	return IS_ENABLED(CONFIG_PREEMPT_RT);
}

/* True where a jump through a pointer may only land on what was meant for it. */
static inline bool compat_has_ibt(void)
{
#if defined(CONFIG_X86) && defined(CONFIG_X86_KERNEL_IBT)
	return boot_cpu_has(X86_FEATURE_IBT);
#else
	return false;
#endif
}

/* Reads the time stamp counter after all earlier instructions. */
static inline u64 compat_tsc(void)
{
#ifdef CONFIG_X86
	return rdtsc_ordered();
#else
	return get_cycles();
#endif
}

/* True where compat_tsc_serialised() can be called. */
static inline bool compat_has_tsc_serialised(void)
{
	return IS_ENABLED(CONFIG_X86_64);
}

/*
 * Reads the counter before and after nothing as is common elsewhere, with CPUID before the first
 * and after the second (RDTSCP where the CPU has it) to let nothing pass: a hypervisor sees to
 * each CPUID.
 *
 * Return: the difference.
 */
static inline u64 compat_tsc_serialised(void)
{
#ifdef CONFIG_X86_64
	u32 eax = 0, ebx, ecx = 0, edx;
	u64 start, end;

	asm volatile("cpuid\n\trdtsc" : "+a"(eax), "=b"(ebx), "+c"(ecx), "=d"(edx)::"memory");
	start = eax | (u64)edx << 32;
	if (static_cpu_has(X86_FEATURE_RDTSCP))
		asm volatile("rdtscp" : "=a"(eax), "=c"(ecx), "=d"(edx)::"memory");
	else
		asm volatile("rdtsc" : "=a"(eax), "=d"(edx)::"memory");
	end = eax | (u64)edx << 32;
	eax = 0;
	asm volatile("cpuid" : "+a"(eax), "=b"(ebx), "+c"(ecx), "=d"(edx)::"memory");
	return end - start;
#else
	return 0;
#endif
}

/*
 * Makes a counter of the instructions that @cpu executes in the kernel. It is pinned: it counts
 * all of the time or not at all.
 *
 * Return: the counter, or an ERR_PTR() where the machine has none.
 */
static inline struct perf_event *compat_counter_create(unsigned int cpu)
{
#ifdef CONFIG_PERF_EVENTS
	struct perf_event_attr attr = {
		.type = PERF_TYPE_HARDWARE,
		.config = PERF_COUNT_HW_INSTRUCTIONS,
		.size = sizeof(attr),
		.pinned = 1,
		.exclude_user = 1,
		.exclude_hv = 1,
	};

	return perf_event_create_kernel_counter(&attr, cpu, NULL, NULL, NULL);
#else
	return ERR_PTR(-ENODEV);
#endif
}

/*
 * Reads @counter into @count. May sleep.
 *
 * Return: true when the counter has counted all of the time since it was made.
 */
static inline bool compat_counter_read(struct perf_event *counter, u64 *count)
{
#ifdef CONFIG_PERF_EVENTS
	u64 enabled, running;

	*count = perf_event_read_value(counter, &enabled, &running);
	return running && enabled == running;
#else
	return false;
#endif
}

static inline void compat_counter_release(struct perf_event *counter)
{
#ifdef CONFIG_PERF_EVENTS
	perf_event_release_kernel(counter);
#endif
}

static inline void compat_hrtimer_setup(struct hrtimer *timer,
					enum hrtimer_restart (*function)(struct hrtimer *))
{
#ifdef COMPAT_HAVE_HRTIMER_SETUP
	hrtimer_setup(timer, function, CLOCK_MONOTONIC, HRTIMER_MODE_REL);
#else
	hrtimer_init(timer, CLOCK_MONOTONIC, HRTIMER_MODE_REL);
	timer->function = function;
#endif
}

#ifndef COMPAT_HAVE_TIMER_DELETE
#define timer_delete	  del_timer
#define timer_delete_sync del_timer_sync
#endif

static inline bool compat_has_alloc_pages_bulk(void)
{
#if defined(COMPAT_HAVE_ALLOC_PAGES_BULK_ARRAY) || defined(COMPAT_HAVE_ALLOC_PAGES_BULK)
	return true;
#else
	return false;
#endif
}

/* Fills the empty places of @pages with up to @n single pages. Return: how many are filled. */
static inline unsigned long compat_alloc_pages_bulk(gfp_t gfp, unsigned long n, struct page **pages)
{
#if defined(COMPAT_HAVE_ALLOC_PAGES_BULK_ARRAY)
	return alloc_pages_bulk_array(gfp, n, pages);
#elif defined(COMPAT_HAVE_ALLOC_PAGES_BULK)
	return alloc_pages_bulk(gfp, n, pages);
#else
	return 0;
#endif
}

#ifdef COMPAT_HAVE_MAPLE_TREE

static inline bool compat_has_maple_tree(void)
{
	return true;
}

static inline void *compat_maple_create(void)
{
	struct maple_tree *tree = kmalloc(sizeof(*tree), GFP_KERNEL);

	if (tree)
		mt_init(tree);
	return tree;
}

static inline void compat_maple_destroy(void *tree)
{
	mtree_destroy(tree);
	kfree(tree);
}

static inline void *compat_maple_load(void *tree, unsigned long index)
{
	return mtree_load(tree, index);
}

static inline int compat_maple_store(void *tree, unsigned long first, unsigned long last,
				     void *entry)
{
	return mtree_store_range(tree, first, last, entry, GFP_KERNEL);
}

#else

static inline bool compat_has_maple_tree(void)
{
	return false;
}

static inline void *compat_maple_create(void)
{
	return NULL;
}

static inline void compat_maple_destroy(void *tree)
{
}

static inline void *compat_maple_load(void *tree, unsigned long index)
{
	return NULL;
}

static inline int compat_maple_store(void *tree, unsigned long first, unsigned long last,
				     void *entry)
{
	return -EOPNOTSUPP;
}

#endif

static inline bool compat_has_kprobes(void)
{
	return IS_ENABLED(CONFIG_KPROBES);
}

typedef void *(*compat_text_poke_fn)(void *place, const void *bytes, size_t length);

/*
 * Looks for the address of what the kernel does not export: a probe that is never armed knows
 * where kallsyms_lookup_name is. May sleep.
 *
 * Return: NULL, and the address in @address; or why it cannot be had or called.
 */
static inline const char *compat_find_symbol(const char *name, unsigned long *address)
{
#if !defined(CONFIG_X86)
	return "text_poke is a function of x86 only";
#elif !defined(CONFIG_KPROBES)
	return "text_poke is not exported, and CONFIG_KPROBES, which would find it, is off";
#elif defined(CONFIG_CFI_CLANG)
	return "text_poke is not exported, and control flow integrity forbids calling it";
#else
	struct kprobe probe = {
		.symbol_name = "kallsyms_lookup_name",
		.flags = KPROBE_FLAG_DISABLED,
	};
	unsigned long (*lookup)(const char *symbol);

	if (compat_has_ibt())
		return "text_poke is not exported, and indirect branch tracking forbids calling it";
	if (register_kprobe(&probe))
		return "text_poke is not exported, and the kernel refused the probe that finds it";
	lookup = (void *)probe.addr;
	*address = lookup(name);
	unregister_kprobe(&probe);
	return *address ? NULL : "the kernel knows no text_poke or no text_mutex";
#endif
}

#endif
