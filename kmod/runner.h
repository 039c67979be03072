/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A run: one thread per CPU, in step with each other. */
#ifndef KREGRESS_RUNNER_H
#define KREGRESS_RUNNER_H

#include <linux/atomic.h>
#include <linux/completion.h>
#include <linux/types.h>

#include "bench.h"

struct mm_struct;
struct perf_event;
struct request;
struct results;
struct run;
struct task_struct;

struct worker {
	struct run *run;
	struct task_struct *task;
	struct perf_event *counter; /* NULL: no instruction counter */
	struct bench_ctx ctx;
	unsigned int arrivals; /* of all workers that let this one pass its next barrier */
};

struct run {
	const struct request *request;
	struct results *results;
	struct worker *workers;
	unsigned int cpus;
	struct mm_struct *mm;	/* the writer's */
	void __user *user;	/* a page there, or NULL */
	struct completion done; /* all workers have finished */
	atomic_t working;
	atomic_t arrivals; /* at barriers, since the start */
	atomic_t error;	   /* the first error; every worker leaves at its next barrier */

	/* Written by worker 0 alone between two barriers. */
	unsigned long loops;
	unsigned int tries; /* of this count that reached the time, in a row */
	u64 calibration_ns; /* spent so far */
	bool calibrated;
};

/*
 * Runs @request and fills @results in; the text of an error goes there as well. Sleeps until the
 * run is over. The caller sees to it that runs do not overlap.
 *
 * Return: 0; -EINVAL (more CPUs than there are, repetitions too long for their context), -ENOMEM,
 * -EINTR after a signal, -EAGAIN when a CPU went offline, or what the benchmark failed with.
 */
int runner_run(const struct request *request, struct results *results);

/* Sets @err as the run's error unless it has one. Return: true when this call set it. */
bool run_abort(struct run *run, int err);

/* The thread of one worker. @data: the struct worker. Ends when it is stopped. */
int worker_main(void *data);

/* What `list` calls @context. */
const char *worker_context_name(enum bench_context context);

#endif
