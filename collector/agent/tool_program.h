/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Another program as a child process. */
#ifndef KREGRESS_AGENT_TOOL_PROGRAM_H
#define KREGRESS_AGENT_TOOL_PROGRAM_H

#include <limits.h>
#include <stdbool.h>
#include <sys/types.h>

/* True when the first word of the command is a program that can be found in $PATH. */
bool tool_program_exists(const char *command);

/*
 * Starts the command, words parted by blanks, with those descriptors as its output and an empty
 * input. It dies with this process. Returns its id, or -1 with errno set.
 */
pid_t tool_program_start(const char *command, int output_fd, int error_fd);

/* Waits for its end. Returns its exit code, or 128 and more for a signal. */
int tool_program_wait(pid_t pid);

#endif
