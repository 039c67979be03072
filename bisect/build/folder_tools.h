/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Whole folders: copied, measured, digested. Every error names the path. */
#ifndef KREGRESS_BISECT_BUILD_FOLDER_TOOLS_H
#define KREGRESS_BISECT_BUILD_FOLDER_TOOLS_H

#include <stdint.h>

#include "common/error.h"
#include "common/strbuf.h"

/*
 * Copies `names` of folder `from` into folder `to`, which is made, with all that is in them, times
 * and links kept. Names that are not there are passed over. `names` ends with NULL.
 */
int folder_copy(const char *from, const char *const *names, const char *to, struct error *err)
	__must_check;

/* Bytes that the folder's files take. */
uint64_t folder_size(const char *path);

/*
 * Appends a line for every regular file below `path`, by name: name and digest. Files whose name
 * ends with ".cmd" or ".o" are left out: make's notes and host programs' parts.
 */
int folder_append_digests(struct strbuf *out, const char *path, struct error *err) __must_check;

/* Removes the object files (.o, .a, .ko, vmlinux*) that are not older than the file `mark`. */
int folder_remove_young_objects(const char *path, const char *mark, struct error *err) __must_check;

#endif
