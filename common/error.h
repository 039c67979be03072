/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Errors with a chain of messages: the cause first, then, put in front by each caller that knows
 * more, where it happened; and a hint that says what to do.
 *
 * A function that can fail returns 0 or -1 and takes a `struct error *` as its last parameter,
 * filled exactly when it returns -1. An error set to zero is "no error". Owner: the caller, who
 * calls error_clear(), or declares it `_cleanup_(error_clear) struct error err = { 0 };`.
 */
#ifndef KREGRESS_COMMON_ERROR_H
#define KREGRESS_COMMON_ERROR_H

#include "common/cleanup.h"

/* Who has to act; the command line turns it into an exit code. */
enum error_kind {
	ERROR_NONE,
	ERROR_USAGE,	   /* wrong command line or configuration */
	ERROR_DATA,	   /* data that was read is wrong */
	ERROR_IO,	   /* the operating system or a library refused */
	ERROR_HARNESS,	   /* a boot, the agent, the module or QEMU failed */
	ERROR_INTERRUPTED, /* stopped by a signal */
};

struct error {
	enum error_kind kind;
	char *message; /* "where: where: cause" */
	char *hint;    /* what to do, or NULL */
};

/* Sets the cause; a former content is dropped. Returns -1. `err` must not be NULL. */
int error_set(struct error *err, enum error_kind kind, const char *format, ...) _printf_(3, 4);

/* The same, with ": " and strerror(errno_value) behind it. Returns -1. */
int error_set_errno(struct error *err, enum error_kind kind, int errno_value, const char *format,
		    ...) _printf_(4, 5);

/* Puts "format: " in front of the message. Returns -1. */
int error_wrap(struct error *err, const char *format, ...) _printf_(2, 3);

/* Says what to do. The first hint given stays: it is nearest to the cause. Returns -1. */
int error_hint(struct error *err, const char *format, ...) _printf_(2, 3);

void error_clear(struct error *err);

#endif
