/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A source tree with a kernel's make targets, small enough to be built in milliseconds. */
#ifndef KREGRESS_TESTS_UNIT_BISECT_BUILD_FAKE_KERNEL_H
#define KREGRESS_TESTS_UNIT_BISECT_BUILD_FAKE_KERNEL_H

#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <cmocka.h>
#include <git2.h>

#include "bisect/build/kernel_builds.h"
#include "common/error.h"

struct fake_kernel {
	char *folder;
	char *repository;
	char *builds;	   /* folder given to kernel_builds_open() */
	char *base_config; /* path */
	struct string_list make_arguments;
	struct kernel_builds *open;
};

/* A repository whose only commit builds. */
void fake_kernel_init(struct fake_kernel *fake);
void fake_kernel_release(struct fake_kernel *fake);

/* Commits `text` as the content of the file `name`; its id. */
git_oid fake_kernel_commit(struct fake_kernel *fake, const char *name, const char *text);
git_oid fake_kernel_head(struct fake_kernel *fake);

/* Runs a shell command in the repository; its output, owned by the caller. */
char *fake_kernel_shell(struct fake_kernel *fake, const char *command);

/* Opens with the members of `fake`; fails the test if it cannot. */
void fake_kernel_open(struct fake_kernel *fake, uint64_t limit_bytes);
int fake_kernel_try_open(struct fake_kernel *fake, uint64_t limit_bytes, struct error *err);

/* How often a kernel was linked. */
size_t fake_kernel_links(struct fake_kernel *fake);

#endif
