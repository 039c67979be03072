/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A measurer that runs a command at the commit: in a working tree with its files, or, without one,
 * where kregress was started, with the commit's id in $KREGRESS_COMMIT.
 *
 * The exit status decides as with `git bisect run`: 0 good, 1 to 127 bad, 125 not testable, 128 and
 * above or a signal: the lab failed. 126 and 127 are what a shell gives for a command that cannot
 * be run: they are bad only where the good commit does not give the same.
 */
#ifndef KREGRESS_BISECT_DRIVER_COMMAND_H
#define KREGRESS_BISECT_DRIVER_COMMAND_H

#include "bisect/driver/checkout.h"
#include "bisect/driver/measurer.h"

/* Reads the value from what the command printed. `name` is for messages. ERROR_DATA. */
typedef int (*command_read)(void *context, const char *name, const char *text, size_t length,
			    double *value, struct error *err);

struct command_options {
	const struct string_list *argv; /* the words of the command, verbatim */
	const char *folder;		/* for logs and the output; exists */
	/* Where the command runs when there is no checkout, and where a relative program that the
	 * commit does not hold is looked for. */
	const char *start_folder;
	struct checkout *checkout; /* NULL: none */
	git_oid good;		   /* asked about 126 and 127 */
	command_read read;	   /* NULL: pass or fail by the exit status */
	void *read_context;
};

struct command_measurer;

/* `options` is copied; what it points to outlives the measurer. */
struct command_measurer *command_measurer_new(const struct command_options *options,
					      struct measurer *measurer);
void command_measurer_free(struct command_measurer *command);

/* The last number in the text, which must stand on a line of its own at its end, or be the only
 * one. A command_read; the context is not used. */
int command_read_number(void *context, const char *name, const char *text, size_t length,
			double *value, struct error *err);

#endif
