/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "collector/agent/child.h"
#include "collector/agent/stop.h"

/* Nothing may be left, neither running nor unreaped: this process adopts orphans. */
static void assert_no_children(void)
{
	assert_int_equal(waitpid(-1, NULL, WNOHANG), -1);
	assert_int_equal(errno, ECHILD);
}

static int answer(void *context, int fd)
{
	const char *text = context;

	return write(fd, text, strlen(text)) != (ssize_t)strlen(text);
}

static void test_output(void **state)
{
	char text[] = "forty-two";
	struct child_result result;

	(void)state;
	child_run(answer, text, 60, &result);
	assert_int_equal(result.outcome, CHILD_DONE);
	assert_int_equal(result.length, 9);
	assert_memory_equal(result.output, text, 9);
	free(result.output);
	assert_no_children();
}

static int answer_much(void *context, int fd)
{
	size_t size = *(size_t *)context;
	char *data = calloc(1, size);

	return stop_write(fd, data, size) < 0;
}

static void test_output_beyond_the_pipe(void **state)
{
	size_t size = 300000;
	struct child_result result;

	(void)state;
	child_run(answer_much, &size, 60, &result);
	assert_int_equal(result.outcome, CHILD_DONE);
	assert_int_equal(result.length, size);
	free(result.output);
}

static int fail_with_3(void *context, int fd)
{
	(void)context;
	(void)fd;
	return 3;
}

static int kill_self(void *context, int fd)
{
	(void)context;
	(void)fd;
	raise(SIGKILL);
	return 0;
}

static void test_failures(void **state)
{
	struct child_result result;

	(void)state;
	child_run(fail_with_3, NULL, 60, &result);
	assert_int_equal(result.outcome, CHILD_FAILED);
	assert_string_equal(result.fault.text, "ended with exit code 3");
	free(result.output);
	child_run(kill_self, NULL, 60, &result);
	assert_int_equal(result.outcome, CHILD_FAILED);
	assert_string_equal(result.fault.text, "killed by signal 9 (Killed)");
	free(result.output);
	assert_no_children();
}

static int hang(void)
{
	while (pause() < 0)
		;
	return 0;
}

/* Two generations that would live for ever, and a pipe that stays open. */
static int spawn_and_hang(void *context, int fd)
{
	(void)context;
	(void)fd;
	fork();
	fork();
	return hang();
}

static void test_timeout_leaves_nothing(void **state)
{
	struct child_result result;

	(void)state;
	child_run(spawn_and_hang, NULL, 1, &result);
	assert_int_equal(result.outcome, CHILD_TIMEOUT);
	assert_string_equal(result.fault.text, "took longer than 1 s and was killed");
	free(result.output);
	assert_no_children();
}

static int leave_descendants(void *context, int fd)
{
	(void)context;
	if (fork() == 0)
		return hang();
	return write(fd, "x", 1) != 1;
}

static void test_exit_before_descendants(void **state)
{
	struct child_result result;

	(void)state;
	child_run(leave_descendants, NULL, 60, &result);
	assert_int_equal(result.outcome, CHILD_DONE);
	assert_int_equal(result.length, 1);
	free(result.output);
	assert_no_children();
}

static int signal_parent_and_hang(void *context, int fd)
{
	(void)context;
	(void)fd;
	kill(getppid(), SIGTERM);
	return hang();
}

/* The last one: the signal stays caught. */
static void test_stop_signal(void **state)
{
	struct child_result result;

	(void)state;
	child_run(signal_parent_and_hang, NULL, 60, &result);
	assert_int_equal(result.outcome, CHILD_STOPPED);
	assert_string_equal(result.fault.text, "stopped by signal 15 (Terminated)");
	assert_int_equal(stop_signal(), SIGTERM);
	free(result.output);
	assert_no_children();
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_output),
		cmocka_unit_test(test_output_beyond_the_pipe),
		cmocka_unit_test(test_failures),
		cmocka_unit_test(test_timeout_leaves_nothing),
		cmocka_unit_test(test_exit_before_descendants),
		cmocka_unit_test(test_stop_signal),
	};

	stop_install();
	child_adopt_orphans();
	return cmocka_run_group_tests(tests, NULL, NULL);
}
