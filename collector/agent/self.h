/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The program's own file. */
#ifndef KREGRESS_AGENT_SELF_H
#define KREGRESS_AGENT_SELF_H

/* The only argument of a process that shall exit at once: what mm.exec executes. */
#define SELF_EXIT_OPTION "--exit-at-once"

/* The path when procfs cannot tell a better one. */
#define SELF_LINK "/proc/self/exe"

/* The resolved path: following the link of procfs is no part of what is measured. NULL with errno
 * set. The caller frees it. */
char *self_path(void);

#endif
