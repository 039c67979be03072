/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Whole files and folders; every error names the path. */
#ifndef KREGRESS_COMMON_FILE_H
#define KREGRESS_COMMON_FILE_H

#include <stdbool.h>
#include <stddef.h>

#include "common/error.h"
#include "common/strbuf.h"

/* Appends the content of `path` ("-" is standard input) to `*content`. */
int file_read(const char *path, struct strbuf *content, struct error *err) __must_check;

/*
 * Writes a file so that readers see the old content or the new, never a part: a temporary file in
 * the same folder, fsync, rename. "-" writes to standard output; a device such as /dev/full is
 * written in place. On failure the old file is untouched and no temporary file stays.
 */
int file_write(const char *path, const void *bytes, size_t length, struct error *err) __must_check;

/* Makes the folder and its parents; one that exists is success. */
int folder_make(const char *path, struct error *err) __must_check;

/* Removes a folder and all that is in it, without following links; what is gone is no error. */
int folder_remove(const char *path, struct error *err) __must_check;

/* A new private folder below $TMPDIR or /tmp; *path is owned by the caller. */
int folder_make_temporary(char **path, struct error *err) __must_check;

bool file_exists(const char *path);

/* `path` as it is when absolute, else below `folder`. Owned by the caller. */
char *path_below(const char *folder, const char *path);

#endif
