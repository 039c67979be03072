// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * One CPU's part of a run: calibration, baseline, samples. Workers meet at a barrier before every
 * repetition and start it together.
 */
#include <linux/err.h>
#include <linux/irqflags.h>
#include <linux/kernel.h>
#include <linux/kthread.h>
#include <linux/minmax.h>
#include <linux/preempt.h>
#include <linux/sched.h>
#include <linux/smp.h>
#include <linux/timekeeping.h>

#include "compat.h"
#include "request.h"
#include "results.h"
#include "runner.h"

/* How often a loop count must reach the time before it is chosen: one slow try proves nothing. */
#define CALIBRATION_TRIES 3

/*
 * And how long calibration lasts at least: until a thread has seen some ticks, its scheduling costs
 * more than later on, and a count that is accepted too early falls short of the time afterwards.
 */
#define CALIBRATION_NS 10000000

/*
 * A repetition must stay well below what the watchdogs of soft and hard lockups, RCU and the
 * clock source allow. A calibrated one aims at no more than a quarter of this limit, and so stays
 * below half of it.
 */
static const struct {
	const char *name;
	u64 limit_ns;
} contexts[] = {
	[BENCH_PREEMPTIBLE] = {"preemptible", 4000000000},
	[BENCH_PREEMPT_OFF] = {"preempt-off", 400000000},
	[BENCH_IRQS_OFF] = {"irqs-off", 40000000},
};

const char *worker_context_name(enum bench_context context)
{
	return contexts[context].name;
}

static void context_enter(enum bench_context context)
{
	if (context == BENCH_IRQS_OFF)
		local_irq_disable();
	else if (context == BENCH_PREEMPT_OFF)
		preempt_disable();
}

static void context_leave(enum bench_context context)
{
	if (context == BENCH_IRQS_OFF)
		local_irq_enable();
	else if (context == BENCH_PREEMPT_OFF)
		preempt_enable();
}

/* Return: true when all workers have come here, false when the run is over early. */
static bool worker_meet(struct worker *w)
{
	struct run *run = w->run;

	w->arrivals += run->cpus;
	/* Both the increment and the read that ends the wait order what is before and behind. */
	atomic_inc_return(&run->arrivals);
	while ((int)(atomic_read_acquire(&run->arrivals) - w->arrivals) < 0) {
		if (atomic_read(&run->error))
			return false;
		cpu_relax();
		cond_resched();
	}
	return !atomic_read(&run->error);
}

/* One repetition. The counter sleeps, so it is read outside of the context. */
static int worker_repeat(struct worker *w, bench_run_fn op, unsigned long loops,
			 struct results_row *row)
{
	enum bench_context context = w->ctx.bench->context;
	u64 insn[2] = {0, 0};
	u64 ns, tsc;
	int err;

	cond_resched();
	row->has_insn = w->counter && compat_counter_read(w->counter, &insn[0]);
	context_enter(context);
	ns = ktime_get_raw_ns();
	tsc = compat_tsc();
	err = op(&w->ctx, loops);
	row->tsc = compat_tsc() - tsc;
	row->ns = ktime_get_raw_ns() - ns;
	context_leave(context);
	if (row->has_insn)
		row->has_insn = compat_counter_read(w->counter, &insn[1]);
	row->insn = insn[1] - insn[0];
	row->cpu = w->ctx.cpu;
	if (!err && raw_smp_processor_id() != w->ctx.cpu)
		err = -EAGAIN;
	return err;
}

static void worker_fail(struct worker *w, int err)
{
	if (!run_abort(w->run, err))
		return;
	if (err == -EAGAIN)
		results_fail(w->run->results, err, "CPU %u went offline", w->ctx.cpu);
	else
		results_fail(w->run->results, err, "%s: operation failed: %pe",
			     w->run->results->bench, ERR_PTR(err));
}

static u64 calibration_goal_ns(const struct request *request)
{
	u64 limit_ns = contexts[request->bench->context].limit_ns;

	return request->loops ? limit_ns : min(request->time_ns, limit_ns / 4);
}

static void loops_too_many(struct worker *w, u64 ns)
{
	const struct request *request = w->run->request;
	enum bench_context context = request->bench->context;

	if (run_abort(w->run, -EINVAL))
		results_fail(w->run->results, -EINVAL,
			     "loops=%llu: %lu already take %llu ns, more than %llu while %s",
			     request->loops, w->run->loops, ns, contexts[context].limit_ns,
			     contexts[context].name);
}

/*
 * Looks at a repetition of run->loops that took @ns: doubles the count, tries it again, or accepts
 * it. A count that was asked for is worked up to the same way, so that one that is far too large
 * is found out while repetitions are still short.
 */
static void calibration_step(struct worker *w, u64 ns)
{
	struct run *run = w->run;
	u64 asked = run->request->loops;
	unsigned long most = asked ? asked : REQUEST_LOOPS_MAX;
	bool reached = ns >= calibration_goal_ns(run->request);

	run->calibration_ns += ns;
	if (reached)
		run->tries++;
	if (reached && (run->tries < CALIBRATION_TRIES || run->calibration_ns < CALIBRATION_NS))
		return;
	if (reached && asked) {
		loops_too_many(w, ns);
		return;
	}
	run->tries = 0;
	run->calibrated = reached || run->loops == most;
	if (!run->calibrated)
		run->loops = min(run->loops * 2, most);
}

static bool worker_calibrate(struct worker *w)
{
	struct run *run = w->run;
	struct results_row row;
	int err;

	while (worker_meet(w)) {
		if (run->calibrated)
			return true;
		err = worker_repeat(w, w->ctx.bench->run, run->loops, &row);
		if (err)
			worker_fail(w, err);
		if (!worker_meet(w))
			return false;
		if (!w->ctx.index)
			calibration_step(w, row.ns);
	}
	return false;
}

/* Repetitions of @op: those of the warm-up are dropped, the others are kept as @kind. */
static bool worker_measure(struct worker *w, bench_run_fn op, enum results_kind kind)
{
	const struct request *request = w->run->request;
	struct results_row dropped;
	u64 i;

	for (i = 0; i < request->warmup + request->reps; i++) {
		struct results_row *row = &dropped;
		int err;

		if (i >= request->warmup)
			row = results_row(w->run->results, kind, i - request->warmup, w->ctx.index);
		if (!worker_meet(w))
			return false;
		err = worker_repeat(w, op, w->run->loops, row);
		if (err)
			worker_fail(w, err);
	}
	return true;
}

int worker_main(void *data)
{
	struct worker *w = data;

	w->counter = compat_counter_create(w->ctx.cpu);
	if (IS_ERR(w->counter))
		w->counter = NULL;
	if (w->run->mm)
		kthread_use_mm(w->run->mm);
	if (worker_calibrate(w) && worker_measure(w, bench_loop_empty, RESULTS_BASELINE))
		worker_measure(w, w->ctx.bench->run, RESULTS_SAMPLE);
	if (w->run->mm)
		kthread_unuse_mm(w->run->mm);
	if (w->counter)
		compat_counter_release(w->counter);
	if (atomic_dec_and_test(&w->run->working))
		complete(&w->run->done);
	bench_wait_for_stop();
	return 0;
}
