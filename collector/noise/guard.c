/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "collector/noise/guard.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

/* Closes everything but the two descriptors: a reader of our output must not wait for the guard. */
static void keep_only(int first, int second)
{
	long limit = sysconf(_SC_OPEN_MAX);

	for (int fd = 3; fd < (limit > 0 && limit < 65536 ? (int)limit : 65536); fd++)
		if (fd != first && fd != second)
			close(fd);
}

static void detach(int pipe_fd, int lock_fd)
{
	static const int numbers[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGPIPE};
	int null_fd = open("/dev/null", O_RDWR);

	setsid();
	for (size_t i = 0; i < ARRAY_SIZE(numbers); i++)
		signal(numbers[i], SIG_IGN);
	prctl(PR_SET_NAME, "kregress-guard");
	for (int fd = 0; fd < 3 && null_fd >= 0; fd++)
		dup2(null_fd, fd);
	keep_only(pipe_fd, lock_fd);
}

static void __attribute__((noreturn))
stand_guard(const struct machine *machine, const struct settings *settings, int pipe_fd)
{
	struct error ignored = {0};
	size_t restored;
	ssize_t got;
	char dismissed;

	do {
		got = read(pipe_fd, &dismissed, 1);
	} while (got < 0 && errno == EINTR);
	if (got == 1)
		_exit(0);
	_exit(settings_restore(machine, settings, NULL, &restored, &ignored) < 0);
}

int guard_start(struct guard *guard, const struct machine *machine, const struct settings *settings,
		int lock_fd, struct error *err)
{
	int ends[2];

	if (pipe2(ends, O_CLOEXEC) < 0)
		return error_set_errno(err, ERROR_IO, errno, "guard process: no pipe");
	guard->pid = fork();
	if (guard->pid == 0) {
		close(ends[1]);
		detach(ends[0], lock_fd);
		stand_guard(machine, settings, ends[0]);
	}
	close(ends[0]);
	guard->pipe_fd = ends[1];
	if (guard->pid > 0)
		return 0;
	close(ends[1]);
	*guard = GUARD_NONE;
	return error_set_errno(err, ERROR_IO, errno, "guard process: cannot start");
}

void guard_dismiss(struct guard *guard)
{
	if (guard->pid <= 0)
		return;
	if (write(guard->pipe_fd, "", 1) < 0) {
		/* The guard is gone, and all is put back: there is nothing left for it to do. */
	}
	close(guard->pipe_fd);
	while (waitpid(guard->pid, NULL, 0) < 0 && errno == EINTR)
		;
	*guard = GUARD_NONE;
}
