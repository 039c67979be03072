/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The built agent as a process, and its records. For tests. */
#ifndef KREGRESS_TESTS_AGENT_PROCESS_H
#define KREGRESS_TESTS_AGENT_PROCESS_H

#include <stdbool.h>
#include <sys/types.h>

#include <jansson.h>

struct agent_process {
	pid_t pid;
	int output_fd; /* a file that takes standard output */
};

/*
 * Starts the program with the arguments (ended by NULL, without the program itself) and the text
 * as standard input. `output_fd` -1 makes a file for standard output.
 */
void agent_start(struct agent_process *agent, const char *program, const char *const *arguments,
		 const char *input, int output_fd);

/* Waits for its end and returns its exit code, or 128 and more for a signal. */
int agent_wait(struct agent_process *agent);

/* Waits until the output holds the text (at most a minute). False when it did not come. */
bool agent_await(const struct agent_process *agent, const char *text);

/* All of its output. The caller frees it. */
char *agent_output(const struct agent_process *agent);

/*
 * Its records as an array, after checking every line: an object of ASCII text in sequence, `hello`
 * first, `end` last with the right count and that status. NULL, and a message on standard error,
 * for anything else. The caller releases it.
 */
json_t *agent_records(const struct agent_process *agent, const char *status);

/* The first record of that type, from `*position` on, which moves behind it. NULL when none. */
json_t *agent_next(json_t *records, size_t *position, const char *type);

/* True when neither a child nor an orphan of the agent is left; the caller is a subreaper. */
bool agent_left_nothing(void);

#endif
