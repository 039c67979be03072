/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Signals are remembered for the life of a process: every case is a process of its own. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "common/array.h"
#include "common/file.h"
#include "common/interrupt.h"
#include "common/process.h"

static const int numbers[] = {SIGINT, SIGTERM, SIGHUP};

/* The child's wait status; it runs `run` and exits with what that returns. */
static int status_of(int (*run)(int number, int other), int number, int other)
{
	const struct rlimit no_core = {0, 0};
	pid_t child = fork();
	int status = -1;

	if (child == 0) {
		setrlimit(RLIMIT_CORE, &no_core);
		alarm(30);
		_exit(run(number, other));
	}
	assert_int_equal(waitpid(child, &status, 0), child);
	return status;
}

static int is_readable(int fd)
{
	struct pollfd readable = {fd, POLLIN, 0};

	return poll(&readable, 1, 0) == 1 && readable.revents == POLLIN;
}

/* Each step that fails has its own exit status. */
static int signal_is_seen(int number, int other)
{
	(void)other;
	if (interrupt_fd() != -1 || interrupt_signal())
		return 1;
	interrupt_install();
	if (interrupt_fd() < 0 || is_readable(interrupt_fd()) || interrupt_signal())
		return 2;
	errno = ENOENT;
	raise(number);
	if (errno != ENOENT || interrupt_signal() != number)
		return 3;
	return is_readable(interrupt_fd()) ? 0 : 4;
}

static void a_signal_becomes_a_readable_descriptor(void **state)
{
	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(numbers); i++)
		assert_int_equal(status_of(signal_is_seen, numbers[i], 0), 0);
}

static int two_signals(int number, int other)
{
	interrupt_install();
	raise(number);
	if (interrupt_signal() != number)
		return 1;
	raise(other);
	return 2;
}

static void a_second_signal_kills(void **state)
{
	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(numbers); i++) {
		for (size_t j = 0; j < ARRAY_SIZE(numbers); j++) {
			int status = status_of(two_signals, numbers[i], numbers[j]);

			assert_true(WIFSIGNALED(status));
			assert_int_equal(WTERMSIG(status), numbers[j]);
		}
	}
}

static int write_to_a_broken_pipe(int number, int other)
{
	int ends[2];

	(void)number;
	(void)other;
	interrupt_install();
	if (pipe(ends) < 0)
		return 1;
	close(ends[0]);
	return write(ends[1], "x", 1) < 0 && errno == EPIPE && !interrupt_signal() ? 0 : 2;
}

static void a_broken_pipe_is_an_error_code(void **state)
{
	(void)state;
	assert_int_equal(status_of(write_to_a_broken_pipe, 0, 0), 0);
}

static int install_twice(int number, int other)
{
	int fd;

	(void)other;
	interrupt_install();
	fd = interrupt_fd();
	interrupt_install();
	if (interrupt_fd() != fd)
		return 1;
	raise(number);
	return interrupt_signal() == number && is_readable(fd) ? 0 : 2;
}

static void a_second_installation_changes_nothing(void **state)
{
	(void)state;
	assert_int_equal(status_of(install_twice, SIGTERM, 0), 0);
}

/* A program that is being run is ended, and the error says why. */
static int run_is_interrupted(int number, int other)
{
	struct string_list argv = {0};
	struct error err = {0};
	char *folder = NULL, *path;
	int result;

	(void)other;
	interrupt_install();
	if (folder_make_temporary(&folder, &err) < 0)
		return 1;
	path = path_below(folder, "log");
	string_list_add(&argv, "sh");
	string_list_add(&argv, "-c");
	string_list_add(&argv, number == SIGINT ? "kill -INT $PPID; sleep 1000"
						: "kill -TERM $PPID; sleep 1000");
	result = process_run_logged(&argv, path, 60, &err);
	if (result != -1 || err.kind != ERROR_INTERRUPTED || !strstr(err.message, "interrupted"))
		result = 2;
	else if (waitpid(-1, NULL, WNOHANG) != -1 || errno != ECHILD)
		result = 3;
	else
		result = 0;
	return folder_remove(folder, &err) < 0 ? 4 : result;
}

static void a_signal_ends_a_run(void **state)
{
	(void)state;
	assert_int_equal(status_of(run_is_interrupted, SIGINT, 0), 0);
	assert_int_equal(status_of(run_is_interrupted, SIGTERM, 0), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_signal_becomes_a_readable_descriptor),
		cmocka_unit_test(a_second_signal_kills),
		cmocka_unit_test(a_broken_pipe_is_an_error_code),
		cmocka_unit_test(a_second_installation_changes_nothing),
		cmocka_unit_test(a_signal_ends_a_run),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
