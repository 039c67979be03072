/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A measurer (bisect/driver/measurer.h) that builds the kernel of a commit, boots it where a
 * variant of kregress.conf says, and measures one series there. Every boot's samples go to the
 * store, with "kernel.commit" in the boot's environment.
 */
#ifndef KREGRESS_CLI_BISECT_KERNEL_H
#define KREGRESS_CLI_BISECT_KERNEL_H

#include <stdint.h>

#include "bisect/driver/driver.h"
#include "collector/config.h"
#include "collector/plan.h"
#include "common/log.h"
#include "common/metric.h"
#include "store/store.h"

/* All pointers must stay valid until bisect_kernel_close(). */
struct bisect_kernel_options {
	const struct config *config;
	struct store *store;
	const struct log *log;
	/*
	 * The template: its target, command line and module arguments are used; its `config` is the
	 * configuration that every build begins with; its `make` is added to make's arguments.
	 * `kernel` and `kdir` are replaced by the build's. The target must be of kind qemu.
	 */
	const char *variant;
	const char *repository; /* path of the kernel's git repository */
	/*
	 * Folder of git objects with commits that are not in the repository, such as reverts
	 * (CHECKOUT/.git/objects); NULL: none.
	 */
	const char *more_objects;
	const char *cache; /* folder for worktrees and builds; NULL: the configuration's */
	/* Repetitions, invocations and times; its patterns and boots are not used. */
	const struct plan *plan;
	const char *benchmark;
	const char *params; /* "" or NULL: none */
	const char *metric; /* NULL: "insn" under icount, else "time" */
	uint64_t jobs;	    /* boots at a time; 0: all CPUs under icount, else one */
};

struct bisect_kernel;

/*
 * Checks that building and booting is possible here. On success fills *measurer, whose context is
 * *kernel. ERROR_USAGE for wrong configuration (an unknown variant, no base configuration, a metric
 * that the target cannot give), ERROR_HARNESS for what this machine lacks.
 */
int bisect_kernel_open(const struct bisect_kernel_options *options, struct bisect_kernel **kernel,
		       struct measurer *measurer, struct error *err) __must_check;

/* Ends background builds; worktrees, builds and the cache stay for the next bisection. */
void bisect_kernel_close(struct bisect_kernel *kernel);

/* What past results have to agree with, filled by the first boot that gives a value. */
const struct past_conditions *bisect_kernel_past(const struct bisect_kernel *kernel);

/* What is measured, as chosen or given. */
const struct metric *bisect_kernel_metric(const struct bisect_kernel *kernel);

#endif
