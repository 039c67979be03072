/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "collector/agent/stop.h"

#include <errno.h>
#include <signal.h>
#include <time.h>
#include <unistd.h>

/* A pipe that polls as writable takes that many bytes without blocking. */
#define CHUNK 4096

static volatile sig_atomic_t caught;

static void on_signal(int number)
{
	caught = number;
}

static void stop_set(sigset_t *set)
{
	sigemptyset(set);
	sigaddset(set, SIGINT);
	sigaddset(set, SIGTERM);
}

void stop_install(void)
{
	struct sigaction action = {.sa_handler = on_signal};
	sigset_t set;

	stop_set(&set);
	sigprocmask(SIG_BLOCK, &set, NULL);
	sigaction(SIGINT, &action, NULL);
	sigaction(SIGTERM, &action, NULL);
	signal(SIGPIPE, SIG_IGN);
}

void stop_restore(void)
{
	sigset_t set;

	signal(SIGINT, SIG_DFL);
	signal(SIGTERM, SIG_DFL);
	signal(SIGPIPE, SIG_DFL);
	stop_set(&set);
	sigprocmask(SIG_UNBLOCK, &set, NULL);
}

int stop_signal(void)
{
	sigset_t pending;

	sigpending(&pending);
	if (!caught && sigismember(&pending, SIGINT))
		caught = SIGINT;
	if (!caught && sigismember(&pending, SIGTERM))
		caught = SIGTERM;
	return caught;
}

int stop_poll(struct pollfd *fds, nfds_t count, int timeout_ms)
{
	struct timespec timeout = {timeout_ms / 1000, timeout_ms % 1000 * 1000000L};
	sigset_t mask;

	sigprocmask(SIG_BLOCK, NULL, &mask);
	sigdelset(&mask, SIGINT);
	sigdelset(&mask, SIGTERM);
	return ppoll(fds, count, timeout_ms < 0 ? NULL : &timeout, &mask);
}

/* True when the descriptor takes bytes. */
static bool wait_writable(int fd)
{
	struct pollfd poll_fd = {.fd = fd, .events = POLLOUT};

	for (;;) {
		int ready = stop_poll(&poll_fd, 1, stop_signal() ? 1000 : -1);

		if (ready >= 0)
			return ready == 1;
		if (errno != EINTR)
			return false;
	}
}

int stop_write(int fd, const char *data, size_t length)
{
	while (length) {
		ssize_t put;

		if (!wait_writable(fd))
			return -1;
		put = write(fd, data, length < CHUNK ? length : CHUNK);
		if (put < 0 && (errno == EINTR || errno == EAGAIN))
			continue;
		if (put <= 0)
			return -1;
		data += put;
		length -= (size_t)put;
	}
	return 0;
}
