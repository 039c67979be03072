/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The machine whose noise is looked at and set: the folder that stands for "/". Paths here are
 * absolute ("/proc/loadavg") and looked up below it.
 */
#ifndef KREGRESS_COLLECTOR_NOISE_MACHINE_H
#define KREGRESS_COLLECTOR_NOISE_MACHINE_H

#include <stdbool.h>

#include "common/array.h"

struct machine {
	const char *root; /* "" is this machine itself */
};

/* This machine, or the folder that $KREGRESS_ROOT names. */
struct machine machine_here(void);

/* Whether it is this machine: only then does it make sense to try what is no file. */
bool machine_is_real(const struct machine *machine);

/* Where the path is found. Owned by the caller. */
char *machine_path(const struct machine *machine, const char *path);

/*
 * Content of a small file, without white space at its ends; of a list of choices such as
 * "always [madvise] never" the marked one. NULL when it cannot be read or is empty. Owned by the
 * caller.
 */
char *machine_read(const struct machine *machine, const char *path);

/* The same without looking for a mark. */
char *machine_read_all(const struct machine *machine, const char *path);

/* Writes a value into a file that exists. Returns 0, or the errno of what refused. */
int machine_write(const struct machine *machine, const char *path, const char *value) __must_check;

/* Adds the paths that match the shell pattern, in order. */
void machine_glob(const struct machine *machine, const char *pattern, struct string_list *paths);

#endif
