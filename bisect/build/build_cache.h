/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Built kernels on disk.
 *
 *   FOLDER/kernels/KEY/   bzImage System.map config config-changes build.log manifest
 *   FOLDER/kdirs/DIGEST/  what an external module is built against
 *
 * KEY is a digest over the commit's tree, the base configuration, the toolchain and make's
 * arguments. Commits that have equal headers, makefiles, configuration and exported symbols share
 * a kdir, so that modules built against one are used for all of them. Entries are made in a
 * temporary folder and renamed: there are whole ones, or none. The manifest has the digest of every
 * file; an entry that does not match it is removed and built again.
 */
#ifndef KREGRESS_BISECT_BUILD_BUILD_CACHE_H
#define KREGRESS_BISECT_BUILD_BUILD_CACHE_H

#include <git2.h>
#include <stdbool.h>
#include <stdint.h>

#include "bisect/build/build_tree.h"
#include "common/error.h"

/* A built kernel. All strings are owned. */
struct built_kernel {
	char *image;	/* path of the bzImage */
	char *config;	/* path of its configuration */
	char *kdir;	/* path of the folder to build modules against */
	char *identity; /* of what it executes (identity.h) */
	char *config_digest;
	uint64_t config_changes; /* symbols that are not as the base configuration has them */
};

void built_kernel_release(struct built_kernel *kernel);

/* Finds the entry and verifies it. Returns 1, 0 when there is none that is right, or -1. */
int build_cache_find(const char *folder, const char *key, struct built_kernel *kernel,
		     struct error *err) __must_check;

/* Whether there is an entry, without a look at its files. */
bool build_cache_has(const char *folder, const char *key);

/* Puts what the tree has built there. */
int build_cache_add(const char *folder, const char *key, const struct build_tree *tree,
		    struct error *err) __must_check;

/*
 * Removes the entries that were not used for longest until the folder's size is at most
 * `limit_bytes`; the entry `keep` and its kdir stay in any case.
 */
int build_cache_prune(const char *folder, uint64_t limit_bytes, const char *keep, struct error *err)
	__must_check;

#endif
