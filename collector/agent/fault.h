/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Why something failed, in words that end up in a record. A function that fills it returns -1. */
#ifndef KREGRESS_AGENT_FAULT_H
#define KREGRESS_AGENT_FAULT_H

#define FAULT_TEXT_MAX 1024

struct fault {
	char text[FAULT_TEXT_MAX]; /* clipped when it is longer */
};

/* Sets the text. Returns -1. */
int fault_set(struct fault *fault, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* The same, with ": " and strerror(errno_value) behind it. Returns -1. */
int fault_set_errno(struct fault *fault, int errno_value, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

#endif
