/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "collector/agent/tool_program.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

/* As the first process of a guest, there is no PATH. */
#define DEFAULT_PATH "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"

#define WORDS_MAX 64

static const char *search_path(void)
{
	const char *path = getenv("PATH");

	return path && *path ? path : DEFAULT_PATH;
}

bool tool_program_exists(const char *command)
{
	int length = (int)strcspn(command, " \t");
	char candidate[PATH_MAX];

	if (memchr(command, '/', (size_t)length)) {
		snprintf(candidate, sizeof(candidate), "%.*s", length, command);
		return access(candidate, X_OK) == 0;
	}
	for (const char *at = search_path(); *at; at += strspn(at, ":")) {
		int part = (int)strcspn(at, ":");

		snprintf(candidate, sizeof(candidate), "%.*s/%.*s", part, at, length, command);
		if (access(candidate, X_OK) == 0)
			return true;
		at += part;
	}
	return false;
}

static _Noreturn void become(char *command, int output_fd, int error_fd)
{
	char *words[WORDS_MAX + 1] = {NULL};
	int input_fd = open("/dev/null", O_RDONLY | O_CLOEXEC);
	size_t count = 0;
	char *rest;

	for (char *word = strtok_r(command, " \t", &rest); word && count < WORDS_MAX;
	     word = strtok_r(NULL, " \t", &rest))
		words[count++] = word;
	setenv("PATH", search_path(), 1);
	setenv("LC_ALL", "C", 1);
	/* dup2 of a descriptor on itself would leave it to be closed. */
	if (count && input_fd > 2 && output_fd > 2 && error_fd > 2 && dup2(input_fd, 0) == 0 &&
	    dup2(output_fd, 1) == 1 && dup2(error_fd, 2) == 2)
		execvp(words[0], words);
	_exit(127);
}

pid_t tool_program_start(const char *command, int output_fd, int error_fd)
{
	pid_t parent = getpid();
	char *words = strdup(command);
	pid_t pid = words ? fork() : -1;

	if (pid == 0) {
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		if (getppid() == parent)
			become(words, output_fd, error_fd);
		_exit(127);
	}
	free(words);
	return pid;
}

int tool_program_wait(pid_t pid)
{
	int status;

	while (waitpid(pid, &status, 0) != pid)
		if (errno != EINTR)
			return 127;
	return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}
