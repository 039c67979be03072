/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "collector/agent/child.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "collector/agent/stop.h"

/* How long a killed process may take to die before it counts as stuck in the kernel. */
#define DEATH_STEP_MS 10
#define DEATH_STEPS   1000
#define OUTPUT_MAX    (1u << 20)
#define READ_BLOCK    16384

struct child {
	pid_t pid;
	int pidfd;
	int output_fd;
	uint64_t deadline_ms;
};

static uint64_t now_ms(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (uint64_t)now.tv_sec * 1000 + (uint64_t)now.tv_nsec / 1000000;
}

void child_adopt_orphans(void)
{
	prctl(PR_SET_CHILD_SUBREAPER, 1);
}

static _Noreturn void child_enter(child_main *entry, void *context, int result_fd)
{
	setpgid(0, 0);
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	stop_restore();
	_exit(entry(context, result_fd));
}

static int start(struct child *child, child_main *entry, void *context, struct fault *fault)
{
	int pipe_fds[2];

	if (pipe2(pipe_fds, O_CLOEXEC) < 0)
		return fault_set_errno(fault, errno, "no pipe");
	child->pid = fork();
	if (child->pid == 0)
		child_enter(entry, context, pipe_fds[1]);
	close(pipe_fds[1]);
	if (child->pid < 0) {
		close(pipe_fds[0]);
		return fault_set_errno(fault, errno, "cannot fork");
	}
	setpgid(child->pid, child->pid);
	fcntl(pipe_fds[0], F_SETFL, O_NONBLOCK);
	child->output_fd = pipe_fds[0];
	child->pidfd = (int)syscall(SYS_pidfd_open, child->pid, 0);
	if (child->pidfd >= 0)
		return 0;
	fault_set_errno(fault, errno, "pidfd_open (it takes Linux 5.3)");
	kill(child->pid, SIGKILL);
	waitpid(child->pid, NULL, 0);
	close(child->output_fd);
	return -1;
}

/* Takes what the pipe holds now. False at its end. */
static bool drain(struct child *child, struct child_result *result)
{
	for (;;) {
		char *bigger = realloc(result->output, result->length + READ_BLOCK);
		ssize_t got;

		if (!bigger)
			return false;
		result->output = bigger;
		got = read(child->output_fd, bigger + result->length, READ_BLOCK);
		if (got < 0)
			return errno == EAGAIN || errno == EINTR;
		if (got == 0 || result->length + (size_t)got > OUTPUT_MAX)
			return false;
		result->length += (size_t)got;
	}
}

static enum child_outcome wait_for(struct child *child, struct child_result *result)
{
	/* A descendant may hold the pipe open, so the child's own end decides. */
	struct pollfd fds[2] = {{.fd = child->pidfd, .events = POLLIN},
				{.fd = child->output_fd, .events = POLLIN}};

	for (;;) {
		uint64_t now = now_ms();

		if (stop_signal())
			return CHILD_STOPPED;
		if (now >= child->deadline_ms)
			return CHILD_TIMEOUT;
		if (stop_poll(fds, 2, (int)(child->deadline_ms - now)) < 0 && errno != EINTR)
			return CHILD_FAILED;
		if (fds[1].revents && !drain(child, result))
			fds[1].fd = -1;
		if (fds[0].revents)
			return CHILD_DONE;
		fds[0].revents = fds[1].revents = 0;
	}
}

/* Kills the group and reaps all of it. False when a process does not die. */
static bool reap(struct child *child, int *status)
{
	const struct timespec step = {0, DEATH_STEP_MS * 1000000L};
	int other;

	for (int i = 0; i < DEATH_STEPS;) {
		pid_t pid;

		kill(-child->pid, SIGKILL);
		pid = waitpid(-child->pid, &other, WNOHANG);
		if (pid == child->pid)
			*status = other;
		if (pid < 0 && errno == ECHILD)
			return true;
		if (pid > 0)
			continue;
		nanosleep(&step, NULL);
		i++;
	}
	return false;
}

static void judge_exit(int status, struct child_result *result)
{
	if (WIFEXITED(status) && WEXITSTATUS(status) == 0)
		return;
	result->outcome = CHILD_FAILED;
	if (WIFSIGNALED(status))
		fault_set(&result->fault, "killed by signal %d (%s)", WTERMSIG(status),
			  strsignal(WTERMSIG(status)));
	else
		fault_set(&result->fault, "ended with exit code %d", WEXITSTATUS(status));
}

static void explain(struct child_result *result, uint64_t timeout_s)
{
	if (result->outcome == CHILD_TIMEOUT)
		fault_set(&result->fault, "took longer than %llu s and was killed",
			  (unsigned long long)timeout_s);
	else if (result->outcome == CHILD_STOPPED)
		fault_set(&result->fault, "stopped by signal %d (%s)", stop_signal(),
			  strsignal(stop_signal()));
	else if (result->outcome == CHILD_FAILED)
		fault_set(&result->fault, "cannot wait for it");
}

void child_run(child_main *entry, void *context, uint64_t timeout_s, struct child_result *result)
{
	struct child child = {.deadline_ms = now_ms() + timeout_s * 1000};
	int status = 0;

	*result = (struct child_result){.outcome = CHILD_FAILED};
	if (start(&child, entry, context, &result->fault) < 0)
		return;
	result->outcome = wait_for(&child, result);
	explain(result, timeout_s);
	if (!reap(&child, &status)) {
		result->outcome = CHILD_STUCK;
		fault_set(&result->fault, "process %d cannot be killed: it is stuck in the kernel",
			  (int)child.pid);
	} else if (result->outcome == CHILD_DONE) {
		drain(&child, result);
		judge_exit(status, result);
	}
	close(child.pidfd);
	close(child.output_fd);
}
