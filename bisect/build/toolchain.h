/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The programs that make a kernel out of sources. */
#ifndef KREGRESS_BISECT_BUILD_TOOLCHAIN_H
#define KREGRESS_BISECT_BUILD_TOOLCHAIN_H

#include <stdbool.h>

#include "common/array.h"
#include "common/error.h"

/*
 * What compiler and linker say about themselves (-v), in one text; the programs are those that make
 * will use with these arguments (CC, LD, LLVM, CROSS_COMPILE), gcc and ld by default. ERROR_HARNESS
 * names the program that cannot be run, make included. *text is owned by the caller.
 */
int toolchain_describe(const struct string_list *make_arguments, char **text, struct error *err)
	__must_check;

/* True when a program of that name is found in PATH. */
bool toolchain_has(const char *program);

/* The value of NAME=value among make's arguments, or NULL; the last one counts. */
const char *toolchain_argument(const struct string_list *make_arguments, const char *name);

#endif
