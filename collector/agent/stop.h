/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * SIGINT and SIGTERM end a run cleanly. They stay blocked except while the agent waits, so that
 * no wait misses one; every wait of the agent goes through this file.
 */
#ifndef KREGRESS_AGENT_STOP_H
#define KREGRESS_AGENT_STOP_H

#include <poll.h>
#include <stdbool.h>
#include <stddef.h>

/* Blocks and catches the two signals and ignores SIGPIPE. */
void stop_install(void);

/* Gives a forked child the signals' default actions back. */
void stop_restore(void);

/* The signal that came, or 0. Also takes one that is pending. */
int stop_signal(void);

/* poll(2), ended by a stop signal with EINTR. A negative time-out waits for ever. */
int stop_poll(struct pollfd *fds, nfds_t count, int timeout_ms);

/*
 * Writes all of `data`, or returns -1. Once a stop signal came, a reader that takes nothing for
 * a second is given up.
 */
int stop_write(int fd, const char *data, size_t length);

#endif
