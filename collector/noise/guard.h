/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A process that outlives this one to put a machine's settings back: it waits at a pipe whose other
 * end closes when this process dies, in whatever way.
 */
#ifndef KREGRESS_COLLECTOR_NOISE_GUARD_H
#define KREGRESS_COLLECTOR_NOISE_GUARD_H

#include <sys/types.h>

#include "collector/noise/restore_file.h"

struct guard {
	pid_t pid;
	int pipe_fd;
};

#define GUARD_NONE ((struct guard){-1, -1})

/* `lock_fd` is the lock on the restore file, which the guard keeps as well. */
int guard_start(struct guard *guard, const struct machine *machine, const struct settings *settings,
		int lock_fd, struct error *err) __must_check;

/* Lets the guard go: everything is put back. One that was not started is left alone. */
void guard_dismiss(struct guard *guard);

#endif
