/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The table of benchmarks: one file per group, one row per benchmark. */
#ifndef KREGRESS_BENCH_H
#define KREGRESS_BENCH_H

#include <linux/compiler.h>
#include <linux/errno.h>
#include <linux/types.h>

/* What surrounds the timed loop. */
enum bench_context {
	BENCH_PREEMPTIBLE,
	BENCH_PREEMPT_OFF,
	BENCH_IRQS_OFF,
};

struct bench;

/* One CPU's share of a run. Runs never overlap, so what the CPUs share is static in the group. */
struct bench_ctx {
	const struct bench *bench;
	unsigned int cpu;   /* the loop runs here */
	unsigned int index; /* 0 .. cpus - 1; 0 is set up first and torn down last */
	void __user *user;  /* a page of the writer's memory, for a row with user_page */
	void *data;	    /* the benchmark's own */
};

/* Runs @loops (at least 1) operations on ctx->cpu. Return: 0 or a negative error number. */
typedef int (*bench_run_fn)(struct bench_ctx *ctx, unsigned long loops);

struct bench {
	const char *name;   /* group.name */
	const char *params; /* NULL, or what stands in the brackets */
	const char *summary;
	enum bench_context context;
	unsigned long loops; /* 0: calibrated; else a repetition takes so many */
	bool user_page;	     /* the loop runs in the writer's address space and has ctx->user */
	/* NULL, or a function that says why this kernel cannot run it now; NULL: it can. */
	const char *(*unavailable)(void);
	/* May be NULL. Runs on ctx->cpu and may sleep. 0 or a negative error number. */
	int (*setup)(struct bench_ctx *ctx);
	bench_run_fn run;
	/* May be NULL. Undoes a setup that succeeded; on any CPU. */
	void (*teardown)(struct bench_ctx *ctx);
};

struct bench_group {
	const struct bench *benches;
	size_t n;
};

extern const struct bench_group bench_group_loop;
extern const struct bench_group bench_group_lock;
extern const struct bench_group bench_group_irq;
extern const struct bench_group bench_group_sched;
extern const struct bench_group bench_group_mm;
extern const struct bench_group bench_group_text;
extern const struct bench_group bench_group_time;
extern const struct bench_group bench_group_timer;
extern const struct bench_group bench_group_rcu;
extern const struct bench_group bench_group_atomic;
extern const struct bench_group bench_group_ipi;
extern const struct bench_group bench_group_copy;
extern const struct bench_group bench_group_data;
extern const struct bench_group bench_group_hash;
extern const struct bench_group bench_group_net;

/* Enough for "group.name[params]" and the final NUL. */
#define BENCH_NAME_MAX 64

/*
 * How many instructions that do nothing are planted into every turn of every loop, to see whether
 * a comparison finds them: the module's parameter "plant".
 */
extern unsigned int bench_plant;

/* One loop: the operation, what is planted, a decrement of a register, a branch. */
#define BENCH_TURNS(loops, planted, ...)                                                           \
	do {                                                                                       \
		unsigned long left_ = (loops);                                                     \
		do {                                                                               \
			__VA_ARGS__;                                                               \
			planted;                                                                   \
			barrier();                                                                 \
		} while (--left_);                                                                 \
	} while (0)

#define BENCH_NOPS(count) asm volatile(".rept " #count "\n\tnop\n\t.endr")

/*
 * Repeats the operation given behind @loops; the operation may leave the function by return.
 * Every benchmark's loop is made here, so that all have the same shape. The barrier lets the
 * compiler move no memory access from one turn to another; nothing in the asm names the count,
 * which costs moves around calls. Each number of planted instructions has a loop of its own, so
 * that the loop without any holds nothing for their sake: the choice is made before the first turn.
 * An operation that the compiler could inline in one loop and not in another belongs in a noinline
 * function, or the loops differ by more than what is planted.
 */
#define BENCH_LOOP(loops, ...)                                                                     \
	do {                                                                                       \
		if (likely(!bench_plant))                                                          \
			BENCH_TURNS(loops, barrier(), __VA_ARGS__);                                \
		else if (bench_plant == 1)                                                         \
			BENCH_TURNS(loops, BENCH_NOPS(1), __VA_ARGS__);                            \
		else if (bench_plant == 2)                                                         \
			BENCH_TURNS(loops, BENCH_NOPS(2), __VA_ARGS__);                            \
		else if (bench_plant == 4)                                                         \
			BENCH_TURNS(loops, BENCH_NOPS(4), __VA_ARGS__);                            \
		else                                                                               \
			BENCH_TURNS(loops, BENCH_NOPS(16), __VA_ARGS__);                           \
	} while (0)

/* Makes the compiler compute @value, though nobody uses it. */
#define BENCH_KEEP(value) asm volatile("" : : "r"(value))

/* Defines the run function @fn of an operation that cannot fail. */
#define BENCH_RUN(fn, ...)                                                                         \
	static int fn(struct bench_ctx *ctx, unsigned long loops)                                  \
	{                                                                                          \
		BENCH_LOOP(loops, __VA_ARGS__);                                                    \
		return 0;                                                                          \
	}

/* The run function of loop.empty: the baseline of all others. */
int bench_loop_empty(struct bench_ctx *ctx, unsigned long loops);

/* The benchmark at @index in the order of the tables, or NULL behind the last. */
const struct bench *bench_at(size_t index);

/* The benchmark that "group.name[params]" names, or NULL. */
const struct bench *bench_find(const char *name);

/* Writes "group.name[params]" into @buf of at least BENCH_NAME_MAX bytes. Return: @buf. */
const char *bench_name(const struct bench *bench, char *buf);

/* Why @bench cannot run here, or NULL when it can. */
const char *bench_unavailable(const struct bench *bench);

/* The end of a thread: sleeps until kthread_stop() is called for it. */
void bench_wait_for_stop(void);

/* Reasons that several groups give. */
const char *bench_needs_spinning_lock(void);
const char *bench_needs_second_cpu(void);

/* Looks for what text.text_poke needs and the kernel does not export. May sleep. */
void bench_text_find(void);

#endif
