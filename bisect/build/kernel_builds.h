/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Kernels of commits: from the cache, or built now. The user's repository is only read; sources,
 * objects and the cache are in a folder of their own.
 */
#ifndef KREGRESS_BISECT_BUILD_KERNEL_BUILDS_H
#define KREGRESS_BISECT_BUILD_KERNEL_BUILDS_H

#include <git2.h>
#include <stdbool.h>
#include <stdint.h>

#include "bisect/build/build_cache.h"
#include "bisect/driver/measurer.h"
#include "common/array.h"
#include "common/error.h"
#include "common/log.h"

struct kernel_builds;

struct kernel_builds_options {
	const char *repository;	  /* path of the kernel's git repository */
	const char *more_objects; /* folder of git objects that are not there, or NULL */
	const char *folder;	  /* for everything that is made; NULL is not allowed */
	const char *base_config;  /* path of the configuration that every build begins with */
	const struct string_list *make_arguments; /* the user's: CC=gcc-12 */
	uint64_t jobs;				  /* of make; 0: as many as CPUs */
	uint64_t cache_limit_bytes;		  /* 0: no limit */
	const struct log *log;
};

/*
 * ERROR_USAGE: no repository, no base configuration; ERROR_HARNESS: no compiler or make, or another
 * process builds in that folder.
 */
int kernel_builds_open(const struct kernel_builds_options *options, struct kernel_builds **builds,
		       struct error *err) __must_check;
void kernel_builds_close(struct kernel_builds *builds);

/* Digest of what all builds have in common: base configuration, toolchain, make's arguments. */
const char *kernel_builds_digest(const struct kernel_builds *builds);

/*
 * The kernel of a commit. `result` says what became of it: with BUILD_READY `kernel` is filled,
 * with BUILD_BROKEN it is all zero. -1: this machine is to blame, or a signal came; nothing is
 * known about the commit then. The caller releases both.
 */
int kernel_builds_make(struct kernel_builds *builds, const git_oid *commit,
		       struct build_result *result, struct built_kernel *kernel, struct error *err)
	__must_check;

/* True when kernel_builds_make() would build nothing. */
bool kernel_builds_have(struct kernel_builds *builds, const git_oid *commit);

/*
 * Begins to build the first of the commits that is not there, and gives up what was begun before
 * unless it is that one. There is one tree of sources and objects, for a second would have to be
 * compiled from nothing: building ahead is for the time in which nothing else is built.
 */
void kernel_builds_ahead(struct kernel_builds *builds, const git_oid *commits, size_t count);

/* Expected seconds of kernel_builds_make(), from the builds seen so far. */
double kernel_builds_cost_s(struct kernel_builds *builds, const git_oid *commit);

#endif
