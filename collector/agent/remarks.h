/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What programs say besides their result: the end of it is kept for a message, the rest is dropped,
 * so that no program fills up the machine. It is a pipe that a process empties: a file that could
 * not grow would refuse programs that append, as make does.
 */
#ifndef KREGRESS_AGENT_REMARKS_H
#define KREGRESS_AGENT_REMARKS_H

#include <sys/types.h>

#define REMARKS_TAIL_MAX 300

struct remarks {
	int write_fd; /* for the programs; closed on exec */
	pid_t drainer;
	char *tail; /* REMARKS_TAIL_MAX + 1 bytes of memory that processes share */
};

/* `tail` is zeroed shared memory. Returns 0, or -1 with errno set. */
int remarks_open(struct remarks *remarks, char *tail);

/* Waits, a second at most, until the programs that ended have been read to their last byte. */
void remarks_settle(struct remarks *remarks);

/* Makes one line of the last bytes of a text; `tail` holds REMARKS_TAIL_MAX + 1 bytes. */
void remarks_take_tail(char *tail, const char *text, size_t length);

#endif
