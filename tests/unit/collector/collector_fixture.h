/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A folder of its own for each test, and what a test asks of errors and texts. */
#ifndef KREGRESS_TESTS_COLLECTOR_FIXTURE_H
#define KREGRESS_TESTS_COLLECTOR_FIXTURE_H

#include <sys/types.h>

#include "common/error.h"

/* Set by the setup function, removed with its content by the teardown function. */
extern char *fixture_folder;

int fixture_setup(void **state);
int fixture_teardown(void **state);

/* Writes a file, with its folders, below the test's folder. Path owned by the caller. */
char *fixture_write(const char *name, const char *text, mode_t mode);

/* The content of a file; a missing file is "". Owned by the caller. */
char *fixture_read(const char *path);

/* Names in a folder, sorted, each with a space behind it; a missing folder is "". Owned by the
 * caller. */
char *fixture_names(const char *path);

/* Fails the test, showing the message, unless `status` is 0. */
void assert_success(int status, const struct error *err);

/* Fails the test unless `status` is -1 and the error is of that kind with `part` in its message. */
void assert_refused(int status, const struct error *err, enum error_kind kind, const char *part);

/* Fails the test, showing both, unless `text` holds `part`. */
void assert_contains(const char *text, const char *part);

#endif
