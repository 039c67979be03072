// SPDX-License-Identifier: GPL-2.0-or-later
/* Choosing the CPUs of a run, its threads, and their end. */
#include <linux/cpu.h>
#include <linux/cpumask.h>
#include <linux/err.h>
#include <linux/kernel.h>
#include <linux/kthread.h>
#include <linux/mm.h>
#include <linux/mman.h>
#include <linux/sched.h>
#include <linux/slab.h>
#include <linux/topology.h>
#include <linux/uaccess.h>
#include <linux/workqueue.h>

#include "request.h"
#include "results.h"
#include "runner.h"

bool run_abort(struct run *run, int err)
{
	return !atomic_cmpxchg(&run->error, 0, err);
}

/* Gives the workers the first CPUs that are online and that the writer may run on. */
static int choose_cpus(struct run *run)
{
	unsigned int n = 0, cpu;

	cpus_read_lock();
	cpu = cpumask_first_and(current->cpus_ptr, cpu_online_mask);
	while (cpu < nr_cpu_ids && n < run->cpus) {
		run->workers[n].ctx.cpu = cpu;
		run->workers[n].ctx.index = n;
		n++;
		cpu = cpumask_next_and(cpu, current->cpus_ptr, cpu_online_mask);
	}
	cpus_read_unlock();
	if (n == run->cpus)
		return 0;
	return results_fail(run->results, -EINVAL, "cpus=%u: the writer may run on %u", run->cpus,
			    n);
}

static long call_setup(void *data)
{
	struct bench_ctx *ctx = data;

	return ctx->bench->setup(ctx);
}

/* On the worker's CPU: allocators keep their state per CPU. */
static int worker_setup(struct worker *w)
{
	int err;

	if (!w->ctx.bench->setup)
		return 0;
	err = work_on_cpu(w->ctx.cpu, call_setup, &w->ctx);
	if (err)
		results_fail(w->run->results, err, "%s: setup failed: %pe", w->run->results->bench,
			     ERR_PTR(err));
	return err;
}

static void worker_teardown(struct worker *w)
{
	if (w->ctx.bench->teardown)
		w->ctx.bench->teardown(&w->ctx);
}

static int worker_create(struct worker *w)
{
	unsigned int cpu = w->ctx.cpu;
	struct task_struct *task;

	task = kthread_create_on_node(worker_main, w, cpu_to_node(cpu), "kregress/%u", cpu);
	if (IS_ERR(task))
		return results_fail(w->run->results, PTR_ERR(task), "no thread on CPU %u: %pe", cpu,
				    task);
	kthread_bind(task, cpu);
	w->task = task;
	return 0;
}

/* Lets the threads go and waits for them. After a signal they leave at their next barrier. */
static int run_threads(struct run *run)
{
	unsigned int i;

	atomic_set(&run->working, run->cpus);
	for (i = 0; i < run->cpus; i++)
		wake_up_process(run->workers[i].task);
	if (wait_for_completion_interruptible(&run->done)) {
		if (run_abort(run, -EINTR))
			results_fail(run->results, -EINTR, "stopped by a signal");
		wait_for_completion(&run->done);
	}
	return atomic_read(&run->error);
}

static int run_workers(struct run *run)
{
	unsigned int made = 0, started = 0;
	int err = 0;

	while (!err && made < run->cpus) {
		err = worker_setup(&run->workers[made]);
		if (!err)
			made++;
	}
	while (!err && started < run->cpus) {
		err = worker_create(&run->workers[started]);
		if (!err)
			started++;
	}
	if (!err)
		err = run_threads(run);
	while (started)
		kthread_stop(run->workers[--started].task);
	while (made)
		worker_teardown(&run->workers[--made]);
	return err;
}

static void run_init(struct run *run, const struct request *request, struct results *results)
{
	unsigned int i;

	run->request = request;
	run->results = results;
	run->cpus = request->cpus;
	run->loops = 1;
	init_completion(&run->done);
	for (i = 0; i < run->cpus; i++) {
		run->workers[i].run = run;
		run->workers[i].ctx.bench = request->bench;
	}
}

/* A page of the writer's that is there. Nobody else knows of it, so it goes as it came. */
static int user_page_map(struct run *run)
{
	unsigned long address;
	unsigned int i;

	if (!run->request->bench->user_page)
		return 0;
	address =
		vm_mmap(NULL, 0, PAGE_SIZE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, 0);
	if (IS_ERR_VALUE(address))
		return results_fail(run->results, (int)address, "no page in the writer's memory");
	run->mm = current->mm;
	run->user = (void __user *)address;
	if (clear_user(run->user, PAGE_SIZE))
		return results_fail(run->results, -EFAULT, "no page in the writer's memory");
	for (i = 0; i < run->cpus; i++)
		run->workers[i].ctx.user = run->user;
	return 0;
}

static void user_page_unmap(struct run *run)
{
	if (run->user)
		vm_munmap((unsigned long)run->user, PAGE_SIZE);
}

int runner_run(const struct request *request, struct results *results)
{
	struct run run = {0};
	int err;

	if (request->cpus > nr_cpu_ids)
		return results_fail(results, -EINVAL, "cpus=%llu: this machine has at most %u",
				    request->cpus, nr_cpu_ids);
	run.workers = kvcalloc(request->cpus, sizeof(*run.workers), GFP_KERNEL);
	if (!run.workers)
		return results_fail(results, -ENOMEM, "no memory for the threads");
	run_init(&run, request, results);
	err = choose_cpus(&run);
	if (err)
		goto free_workers;
	err = results_reserve(results, request->reps, run.cpus);
	if (err) {
		results_fail(results, err, "no memory for the rows");
		goto free_workers;
	}
	err = user_page_map(&run);
	if (!err)
		err = run_workers(&run);
	user_page_unmap(&run);
	if (run.calibrated)
		results->loops = run.loops;
free_workers:
	kvfree(run.workers);
	return err;
}
