/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A plan from its first record to its last. */
#ifndef KREGRESS_AGENT_SESSION_H
#define KREGRESS_AGENT_SESSION_H

#include <stddef.h>

#include "collector/agent/record.h"

#define DEBUGFS_DEFAULT "/sys/kernel/debug"

/* Also the exit codes of the program. */
enum session_status {
	SESSION_OK,
	SESSION_BENCH_FAILED, /* the plan was run, some benchmark gave no samples */
	SESSION_BAD_PLAN,
	SESSION_REFUSED, /* what the whole plan needs is missing, or it was stopped */
};

/* Runs the plan of that text. `name` is the plan's file name for messages. */
enum session_status session_run(struct record_writer *writer, const char *name, const char *text,
				size_t length, const char *debugfs);

/* Records of a plan that cannot even be read: `hello`, `error`, `end`. */
enum session_status session_refuse(struct record_writer *writer, const char *message);

#endif
