/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "collector/agent/remarks.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define STEP_MS	   5
#define STEPS_MAX  200
#define FDS_MAX	   1024
#define READ_BLOCK 4096

/* Appends, and drops the oldest bytes beyond what is kept. Bytes of 0 would end the text. */
static void keep(char *tail, const char *bytes, size_t length)
{
	size_t had = strlen(tail), dropped;

	if (length > REMARKS_TAIL_MAX) {
		bytes += length - REMARKS_TAIL_MAX;
		length = REMARKS_TAIL_MAX;
	}
	dropped = had + length > REMARKS_TAIL_MAX ? had + length - REMARKS_TAIL_MAX : 0;
	memmove(tail, tail + dropped, had - dropped);
	for (size_t i = 0; i < length; i++)
		tail[had - dropped + i] = bytes[i] ? bytes[i] : ' ';
	tail[had - dropped + length] = '\0';
}

/* Holds nothing open but its end of the pipe: others wait for the end of what is written there. */
static _Noreturn void drain(int read_fd, char *tail)
{
	char block[READ_BLOCK];
	ssize_t got;

	for (int fd = 0; fd < FDS_MAX; fd++)
		if (fd != read_fd)
			close(fd);
	do {
		got = read(read_fd, block, sizeof(block));
		if (got > 0)
			keep(tail, block, (size_t)got);
	} while (got > 0 || (got < 0 && errno == EINTR));
	_exit(0);
}

int remarks_open(struct remarks *remarks, char *tail)
{
	pid_t parent = getpid();
	int fds[2];

	if (pipe2(fds, O_CLOEXEC) < 0)
		return -1;
	*remarks = (struct remarks){.write_fd = fds[1], .drainer = fork(), .tail = tail};
	if (remarks->drainer == 0) {
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		if (getppid() == parent)
			drain(fds[0], tail);
		_exit(0);
	}
	close(fds[0]);
	if (remarks->drainer < 0)
		close(fds[1]);
	return remarks->drainer < 0 ? -1 : 0;
}

void remarks_settle(struct remarks *remarks)
{
	const struct timespec step = {0, STEP_MS * 1000000L};

	close(remarks->write_fd);
	/* A server that still runs keeps the pipe open. */
	for (int i = 0; i < STEPS_MAX && waitpid(remarks->drainer, NULL, WNOHANG) == 0; i++)
		nanosleep(&step, NULL);
}

void remarks_take_tail(char *tail, const char *text, size_t length)
{
	size_t from;

	while (length && (text[length - 1] == '\n' || text[length - 1] == ' '))
		length--;
	from = length > REMARKS_TAIL_MAX ? length - REMARKS_TAIL_MAX : 0;
	memmove(tail, text + from, length - from);
	tail[length - from] = '\0';
	for (char *at = tail; *at; at++)
		if (*at == '\n' || *at == '\t')
			*at = ' ';
}
