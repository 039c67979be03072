/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What a machine under test is and runs, and how it is made to run something else. A kernel booted
 * for a variant has "kregress.boot=TOKEN" on its command line, before what the variant appends: it
 * says which boot this is, and where the machine's own command line ends.
 */
#ifndef KREGRESS_COLLECTOR_SSH_MACHINE_H
#define KREGRESS_COLLECTOR_SSH_MACHINE_H

#include "collector/ssh_session.h"

struct ssh_machine {
	char *boot_id; /* /proc/sys/kernel/random/boot_id */
	char *release; /* uname -r */
	char *arch;    /* uname -m */
	char *cmdline; /* /proc/cmdline */
	char *model;   /* of the CPU; "" when it does not say */
	char *cpus;    /* how many are online */
	char *user;    /* number of the user that logs in; "0" is root */
	char *kexec;   /* where the program is; "" when it is not there */
};

/* Asks the machine. ERROR_HARNESS when it does not answer as a Linux machine does. */
int ssh_machine_read(const struct ssh_session *session, struct ssh_machine *machine,
		     struct error *err) __must_check;

/* Reads what the machine printed, lines of KEY=VALUE; what is missing stays "". */
void ssh_machine_parse(const char *text, struct ssh_machine *machine);
void ssh_machine_release(struct ssh_machine *machine);

/* The token of the boot that the command line is of, or "" for the machine's own. Owned. */
char *ssh_boot_token(const char *cmdline);

/* The machine's own command line with the token and `append` (may be NULL) behind. Owned. */
char *ssh_boot_cmdline(const char *cmdline, const char *token, const char *append);

/*
 * The release that a bzImage holds, or NULL for what is none. Owned by the caller. Source: the
 * kernel's Documentation/x86/boot.rst, field kernel_version.
 */
char *ssh_image_release(const char *path);

#endif
