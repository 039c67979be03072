/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Child processes that never outlive this one. */
#ifndef KREGRESS_COMMON_PROCESS_H
#define KREGRESS_COMMON_PROCESS_H

#include <sys/types.h>

#include "common/array.h"
#include "common/error.h"
#include "common/strbuf.h"

struct process_streams {
	int input; /* descriptors the child gets; -1 is /dev/null */
	int output;
	int error;
};

/*
 * Starts argv[0], searched in PATH, in a process group of its own, with signals at their defaults;
 * the kernel kills it when this process dies. `argv` needs no NULL at its end. ERROR_IO when the
 * program cannot be started, with errno's text.
 */
int process_start(const struct string_list *argv, const struct process_streams *streams, pid_t *pid,
		  struct error *err) __must_check;

/*
 * Ends the process group and reaps the child: SIGTERM first, so that it can put things back, and
 * SIGKILL after two seconds. `*pid` becomes -1; a pid <= 0 is left alone.
 */
void process_stop(pid_t *pid);

/*
 * Waits for the end of a child. Returns 1 when it has ended (`*pid` becomes -1), 0 when it has not
 * within `timeout_s` (which may be infinite), and -1 when a signal came to this process first.
 */
int process_wait(pid_t *pid, double timeout_s, int *wait_status) __must_check;

/* Appends "exited with status 3" or "was killed by signal 9 (Killed)". Owned by the caller. */
char *process_describe_status(int wait_status);

/*
 * Runs a program to its end, its output (both streams) in the file `log_path`. Returns -1 when it
 * could not be started, was interrupted, took longer than `timeout_s`, or did not exit with 0; the
 * error holds the end of its output.
 */
int process_run_logged(const struct string_list *argv, const char *log_path, double timeout_s,
		       struct error *err) __must_check;

/* The same, with the output in `*output` and no file left behind. */
int process_run_read(const struct string_list *argv, double timeout_s, struct strbuf *output,
		     struct error *err) __must_check;

#endif
