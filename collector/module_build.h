/* SPDX-License-Identifier: GPL-3.0-or-later */
/* kregress.ko for a kernel, built from source once and kept in the cache. */
#ifndef KREGRESS_COLLECTOR_MODULE_BUILD_H
#define KREGRESS_COLLECTOR_MODULE_BUILD_H

#include "common/error.h"
#include "common/log.h"

/*
 * Builds the module against the kernel build tree (or unpacked headers) `kdir`, or finds it built:
 * the cache key covers the module's sources and the kernel's configuration and symbol versions.
 * `*module` is its path, owned by the caller. ERROR_USAGE when `kdir` is no build tree;
 * ERROR_HARNESS with the end of make's output when it does not build.
 */
int module_build(const char *kdir, const char *cache, const struct log *log, char **module,
		 struct error *err) __must_check;

#endif
