/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the kernel logged since a moment, read from /dev/kmsg. */
#ifndef KREGRESS_AGENT_KERNEL_LOG_H
#define KREGRESS_AGENT_KERNEL_LOG_H

#include <stddef.h>

/* Marks the end of the log. Returns a descriptor, or -1 where the log cannot be read. */
int kernel_log_open(void);

/*
 * Writes the messages since then that name `who` into `text`, parted by "; ", and closes the
 * descriptor (-1 gives an empty text).
 */
void kernel_log_take(int fd, const char *who, char *text, size_t size);

/* The same choice for one record of /dev/kmsg, which it cuts; appends to `text`. */
void kernel_log_add_record(char *record, const char *who, char *text, size_t size);

#endif
