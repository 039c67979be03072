/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * How a bisection gets its evidence: something that can make a commit ready (build it) and measure
 * it. The driver owns the order, the journal and the decision; a measurer owns worktrees, builds
 * and boots. There is one that runs a command, and one that builds and boots kernels.
 *
 * Three kinds of trouble are kept apart: the commit does not build, it builds and does not run
 * (both: skipped, still a candidate), and the lab failed (disk full, QEMU missing, signal: -1 with
 * an error; nothing is recorded about the commit, the bisection can be continued).
 */
#ifndef KREGRESS_BISECT_DRIVER_MEASURER_H
#define KREGRESS_BISECT_DRIVER_MEASURER_H

#include <git2.h>
#include <stdbool.h>
#include <stddef.h>

#include "common/array.h"
#include "common/error.h"

enum build_state {
	BUILD_READY,
	BUILD_BROKEN, /* this commit does not build */
};

/* What became of a build. All strings are owned, NULL where there is nothing to say. */
struct build_result {
	enum build_state state;
	char *reason;	/* BUILD_BROKEN: one line, the first error */
	char *log_path; /* whole output of the build */
	char *identity; /* equal for two commits: they run the same code; NULL: unknown */
	char *config;	/* digest of the configuration that was used */
	double duration_s;
	bool cached; /* nothing had to be built */
};

void build_result_release(struct build_result *result);

enum measurement_state {
	MEASURED_VALUE,
	MEASURED_PASS,
	MEASURED_FAIL,
	MEASURED_BROKEN, /* cannot be measured: does not boot, benchmark missing, "skip" */
};

/* One boot (or one run of a command). */
struct measurement {
	enum measurement_state state;
	double value;	   /* MEASURED_VALUE: robust location of the boot's samples, finite */
	char *reason;	   /* MEASURED_BROKEN: one line */
	char *log_path;	   /* console or output */
	char *run_set_id;  /* in the store, when the samples are there */
	double duration_s; /* of boot and runs, without the build */
};

struct measurement_list {
	struct measurement *items;
	size_t count;
	size_t capacity;
};

void measurement_list_release(struct measurement_list *list);

struct measurer {
	void *context;
	/*
	 * Makes the commit ready; blocks. NULL: nothing needs to be built, and `measure` may be
	 * called at once.
	 */
	int (*build)(void *context, const git_oid *commit, struct build_result *result,
		     struct error *err);
	/* True when build() would find everything in the cache. NULL: always. */
	bool (*is_built)(void *context, const git_oid *commit);
	/*
	 * Begins to build these commits in the background, most urgent first, and gives up those it
	 * began earlier that are no longer asked for. NULL: cannot. Failures show when build() is
	 * called for the commit.
	 */
	void (*build_ahead)(void *context, const git_oid *commits, size_t count);
	/*
	 * Appends at least one and at most `count` measurements of a commit that is ready.
	 * MEASURED_BROKEN comes alone. Values come in one unit, larger or smaller is worse as the
	 * driver was told.
	 */
	int (*measure)(void *context, const git_oid *commit, size_t count,
		       struct measurement_list *list, struct error *err);
	/* Expected seconds, for choosing what is cheap; from what was seen so far. */
	double (*build_cost_s)(void *context, const git_oid *commit);
	double (*measure_cost_s)(void *context);
};

#endif
