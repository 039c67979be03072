/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "common/interrupt.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <unistd.h>

static volatile sig_atomic_t pending_signal;
static int wake_pipe[2] = {-1, -1};

static const int numbers[] = {SIGINT, SIGTERM, SIGHUP};

/* Any signal after the first one kills, whichever of them it is. */
static void on_signal(int number)
{
	int saved_errno = errno;

	for (unsigned int i = 0; i < sizeof(numbers) / sizeof(numbers[0]); i++)
		signal(numbers[i], SIG_DFL);
	pending_signal = number;
	if (write(wake_pipe[1], "", 1) < 0) {
		/* The pipe is full: it is readable already. */
	}
	errno = saved_errno;
}

void interrupt_install(void)
{
	struct sigaction action = {.sa_handler = on_signal, .sa_flags = SA_RESETHAND};

	if (wake_pipe[0] >= 0 || pipe2(wake_pipe, O_CLOEXEC | O_NONBLOCK) < 0)
		return;
	for (unsigned int i = 0; i < sizeof(numbers) / sizeof(numbers[0]); i++) {
		struct sigaction before;

		/* nohup(1) has SIGHUP ignored, and it stays so. */
		if (sigaction(numbers[i], NULL, &before) == 0 && before.sa_handler != SIG_IGN)
			sigaction(numbers[i], &action, NULL);
	}
	signal(SIGPIPE, SIG_IGN);
}

int interrupt_signal(void)
{
	return pending_signal;
}

int interrupt_fd(void)
{
	return wake_pipe[0];
}
