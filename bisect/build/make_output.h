/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the output of a failed make says: is the commit broken, or the place it is built at? Pure.
 */
#ifndef KREGRESS_BISECT_BUILD_MAKE_OUTPUT_H
#define KREGRESS_BISECT_BUILD_MAKE_OUTPUT_H

struct make_failure {
	/*
	 * Owned. Why this machine cannot build, or NULL: the commit is to blame. No space, no
	 * memory, a program or a library's header that is not installed.
	 */
	char *lab_cause;
	const char *lab_advice; /* beside lab_cause, or NULL */
	char *first_error;	/* owned: the line with the first error, shortened by `source` */
};

/* `source` is the folder of the sources, taken off the beginning of file names. */
struct make_failure make_failure_read(const char *output, const char *source);
void make_failure_release(struct make_failure *failure);

#endif
