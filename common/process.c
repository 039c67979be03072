/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "common/process.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "common/alloc.h"
#include "common/file.h"
#include "common/interrupt.h"
#include "common/text.h"

static const double stop_grace_s = 2;

/* After fork: everything here is async-signal-safe. Reports errno through `report_fd`. */
static void __attribute__((noreturn))
child_exec(char *const *argv, const struct process_streams *streams, int null_fd, int report_fd,
	   pid_t parent)
{
	static const int numbers[] = {SIGINT, SIGTERM, SIGHUP, SIGPIPE};
	const int fds[3] = {streams->input, streams->output, streams->error};
	int cause;

	prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (getppid() != parent)
		_exit(127);
	setpgid(0, 0);
	for (size_t i = 0; i < ARRAY_SIZE(numbers); i++)
		signal(numbers[i], SIG_DFL);
	for (int i = 0; i < 3; i++)
		if (dup2(fds[i] >= 0 ? fds[i] : null_fd, i) < 0)
			_exit(127);
	execvp(argv[0], argv);
	cause = errno;
	if (write(report_fd, &cause, sizeof(cause)) < 0)
		_exit(126);
	_exit(127);
}

/* Reads what child_exec() reported: 0 when exec worked, else errno. */
static int exec_result(int report_fd)
{
	int cause = 0;
	ssize_t got;

	do {
		got = read(report_fd, &cause, sizeof(cause));
	} while (got < 0 && errno == EINTR);
	return got == (ssize_t)sizeof(cause) ? cause : 0;
}

int process_start(const struct string_list *argv, const struct process_streams *streams, pid_t *pid,
		  struct error *err)
{
	_cleanup_free_ char **words = xcalloc(argv->count + 1, sizeof(*words));
	_cleanup_close_ int null_fd = open("/dev/null", O_RDWR | O_CLOEXEC);
	int report[2];
	int cause;
	pid_t parent = getpid();

	memcpy(words, argv->items, argv->count * sizeof(*words));
	if (null_fd < 0 || pipe2(report, O_CLOEXEC) < 0)
		return error_set_errno(err, ERROR_IO, errno, "%s: cannot start", words[0]);
	*pid = fork();
	if (*pid == 0)
		child_exec(words, streams, null_fd, report[1], parent);
	cause = *pid < 0 ? errno : 0;
	close(report[1]);
	if (!cause)
		cause = exec_result(report[0]);
	close(report[0]);
	if (!cause)
		return 0;
	if (*pid > 0)
		waitpid(*pid, NULL, 0);
	*pid = -1;
	return error_set_errno(err, ERROR_IO, cause, "%s: cannot start", words[0]);
}

/* Reaps the child if it ends within the grace time. */
static bool reap_within(pid_t pid, double grace_s)
{
	const struct timespec pause = {0, 10000000};

	for (int i = 0; i < (int)(grace_s * 100); i++) {
		if (waitpid(pid, NULL, WNOHANG) == pid)
			return true;
		nanosleep(&pause, NULL);
	}
	return false;
}

void process_stop(pid_t *pid)
{
	bool reaped;

	if (*pid <= 0)
		return;
	kill(-*pid, SIGTERM);
	reaped = reap_within(*pid, stop_grace_s);
	kill(-*pid, SIGKILL);
	while (!reaped && waitpid(*pid, NULL, 0) < 0 && errno == EINTR)
		;
	*pid = -1;
}

char *process_describe_status(int wait_status)
{
	if (WIFSIGNALED(wait_status))
		return xasprintf("was killed by signal %d (%s)", WTERMSIG(wait_status),
				 strsignal(WTERMSIG(wait_status)));
	return xasprintf("exited with status %d", WEXITSTATUS(wait_status));
}

/* Waits for the child's end, a signal to us, or the time-out. 1: ended, 0: time is up, -1: signal.
 */
static int wait_for_end(pid_t pid, double timeout_s)
{
	_cleanup_close_ int pidfd = (int)syscall(SYS_pidfd_open, pid, 0);
	struct pollfd fds[2] = {{pidfd, POLLIN, 0}, {interrupt_fd(), POLLIN, 0}};
	/* -1: without end. */
	int timeout_ms = timeout_s < INT_MAX / 1000 ? (int)(timeout_s * 1000) : -1;
	int ready;

	do {
		ready = poll(fds, 2, timeout_ms);
	} while (ready < 0 && errno == EINTR && !interrupt_signal());
	if (interrupt_signal())
		return -1;
	return ready > 0;
}

int process_wait(pid_t *pid, double timeout_s, int *wait_status)
{
	int ended = wait_for_end(*pid, timeout_s);

	if (ended <= 0)
		return ended;
	while (waitpid(*pid, wait_status, 0) < 0 && errno == EINTR)
		;
	*pid = -1;
	return 1;
}

static int report_failure(const char *program, const char *log_path, int status, struct error *err)
{
	_cleanup_free_ char *end = process_describe_status(status);
	_cleanup_(strbuf_release) struct strbuf output = STRBUF_INIT;
	_cleanup_(error_clear) struct error ignored = {0};
	_cleanup_free_ char *tail = NULL;

	if (file_read(log_path, &output, &ignored) < 0)
		return error_set(err, ERROR_HARNESS, "%s %s", program, end);
	tail = text_tail(strbuf_text(&output), 15);
	error_set(err, ERROR_HARNESS, "%s %s; the end of its output:\n%s", program, end, tail);
	return error_hint(err, "all of its output is in %s", log_path);
}

int process_run_logged(const struct string_list *argv, const char *log_path, double timeout_s,
		       struct error *err)
{
	_cleanup_close_ int output = open(log_path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
	struct process_streams streams = {-1, output, output};
	int status = 0;
	int ended;
	pid_t pid = -1;

	if (output < 0)
		return error_set_errno(err, ERROR_IO, errno, "%s: cannot create", log_path);
	if (process_start(argv, &streams, &pid, err) < 0)
		return -1;
	ended = wait_for_end(pid, timeout_s);
	if (ended <= 0) {
		process_stop(&pid);
		if (ended < 0)
			return error_set(err, ERROR_INTERRUPTED, "%s: interrupted", argv->items[0]);
		return error_set(err, ERROR_HARNESS, "%s: not done after %g s", argv->items[0],
				 timeout_s);
	}
	while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
		;
	if (status != 0)
		return report_failure(argv->items[0], log_path, status, err);
	return 0;
}

int process_run_read(const struct string_list *argv, double timeout_s, struct strbuf *output,
		     struct error *err)
{
	_cleanup_(error_clear) struct error ignored = {0};
	_cleanup_free_ char *folder = NULL, *path = NULL;
	int result;

	if (folder_make_temporary(&folder, err) < 0)
		return -1;
	path = xasprintf("%s/output", folder);
	result = process_run_logged(argv, path, timeout_s, err);
	if (result == 0)
		result = file_read(path, output, err);
	if (folder_remove(folder, &ignored) < 0)
		error_clear(&ignored);
	/* The file that the hint names is gone; the message holds the end of the output. */
	free(err->hint);
	err->hint = NULL;
	return result;
}
