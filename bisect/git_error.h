/* SPDX-License-Identifier: GPL-3.0-or-later */
/* libgit2's last error as a struct error. */
#ifndef KREGRESS_BISECT_GIT_ERROR_H
#define KREGRESS_BISECT_GIT_ERROR_H

#include "common/error.h"

/* "format: libgit2's message". Returns -1. */
int git_error_into(struct error *err, enum error_kind kind, const char *format, ...) _printf_(3, 4);

/* libgit2's last message; never NULL. */
const char *git_error_text(void);

#endif
