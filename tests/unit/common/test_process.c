/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Whether a process and its descendants are gone is seen at a pipe whose other end they hold: it
 * ends with the last of them.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "common/file.h"
#include "common/process.h"

static char *folder;
static char *log_path;

static int setup(void **state)
{
	_cleanup_(error_clear) struct error err = {0};

	(void)state;
	if (folder_make_temporary(&folder, &err) < 0)
		return -1;
	log_path = path_below(folder, "log");
	return 0;
}

static int teardown(void **state)
{
	_cleanup_(error_clear) struct error err = {0};
	int status = folder_remove(folder, &err);

	(void)state;
	free(folder);
	free(log_path);
	return status;
}

static void shell(struct string_list *argv, const char *script)
{
	string_list_add(argv, "sh");
	string_list_add(argv, "-c");
	string_list_add(argv, script);
}

/* Starts a script whose output and whose descendants' output is the pipe's end that is returned. */
static int start_script(const char *script, pid_t *pid)
{
	_cleanup_(string_list_release) struct string_list argv = {0};
	_cleanup_(error_clear) struct error err = {0};
	struct process_streams streams = {-1, -1, -1};
	int ends[2];

	assert_int_equal(pipe2(ends, O_CLOEXEC), 0);
	streams.output = ends[1];
	shell(&argv, script);
	assert_int_equal(process_start(&argv, &streams, pid, &err), 0);
	close(ends[1]);
	return ends[0];
}

/* Appends what comes until the end of the pipe, or until `until` came; false after ten seconds. */
static bool read_pipe(int fd, const char *until, struct strbuf *text)
{
	for (;;) {
		struct pollfd readable = {fd, POLLIN, 0};
		char block[512];
		ssize_t got;

		if (poll(&readable, 1, 10000) <= 0)
			return false;
		got = read(fd, block, sizeof(block));
		if (got <= 0)
			return !until;
		strbuf_append_bytes(text, block, (size_t)got);
		if (until && strstr(strbuf_text(text), until))
			return true;
	}
}

static void a_program_that_cannot_be_started(void **state)
{
	_cleanup_free_ char *file = path_below(folder, "no-program");
	_cleanup_(error_clear) struct error err = {0};
	const struct {
		const char *program;
		int cause;
	} cases[] = {
		{"/nonexistent/program", ENOENT},
		{"no-such-program-in-path", ENOENT},
		{folder, EACCES},
		{file, EACCES},
	};

	(void)state;
	assert_int_equal(file_write(file, "", 0, &err), 0);
	assert_int_equal(chmod(file, 0644), 0);
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		_cleanup_(string_list_release) struct string_list argv = {0};
		struct process_streams streams = {-1, -1, -1};
		pid_t pid = 1;

		string_list_add(&argv, cases[i].program);
		assert_int_equal(process_start(&argv, &streams, &pid, &err), -1);
		assert_int_equal(err.kind, ERROR_IO);
		assert_non_null(strstr(err.message, cases[i].program));
		assert_non_null(strstr(err.message, strerror(cases[i].cause)));
		assert_int_equal(pid, -1);
		assert_int_equal(process_run_logged(&argv, log_path, 10, &err), -1);
		assert_non_null(strstr(err.message, strerror(cases[i].cause)));
	}
	/* All children are reaped. */
	assert_int_equal(waitpid(-1, NULL, WNOHANG), -1);
	assert_int_equal(errno, ECHILD);
}

static void streams_reach_the_child(void **state)
{
	_cleanup_(string_list_release) struct string_list argv = {0};
	_cleanup_(strbuf_release) struct strbuf text = STRBUF_INIT;
	_cleanup_(error_clear) struct error err = {0};
	int in[2], out[2];
	pid_t pid;
	int status;

	(void)state;
	assert_int_equal(pipe2(in, O_CLOEXEC), 0);
	assert_int_equal(pipe2(out, O_CLOEXEC), 0);
	struct process_streams streams = {in[0], out[1], out[1]};
	shell(&argv, "read word; echo \"$word out\"; echo err >&2");
	assert_int_equal(process_start(&argv, &streams, &pid, &err), 0);
	close(in[0]);
	close(out[1]);
	assert_int_equal(write(in[1], "given\n", 6), 6);
	close(in[1]);
	assert_true(read_pipe(out[0], NULL, &text));
	close(out[0]);
	assert_string_equal(strbuf_text(&text), "given out\nerr\n");
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_int_equal(status, 0);
}

/* Without streams, input is at its end and output goes nowhere. */
static void missing_streams_are_dev_null(void **state)
{
	_cleanup_(string_list_release) struct string_list argv = {0};
	_cleanup_(error_clear) struct error err = {0};
	struct process_streams streams = {-1, -1, -1};
	int status;
	pid_t pid;

	(void)state;
	shell(&argv, "read word && exit 1; [ /dev/fd/1 -ef /dev/null ] || exit 2; "
		     "[ /dev/fd/2 -ef /dev/null ] || exit 3; exit 7");
	assert_int_equal(process_start(&argv, &streams, &pid, &err), 0);
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_int_equal(WEXITSTATUS(status), 7);
}

static void signals_are_at_their_defaults(void **state)
{
	static const char *const names[] = {"PIPE", "INT", "TERM", "HUP"};
	static const int numbers[] = {SIGPIPE, SIGINT, SIGTERM, SIGHUP};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(names); i++) {
		_cleanup_(string_list_release) struct string_list argv = {0};
		_cleanup_free_ char *script = xasprintf("kill -%s $$; sleep 1000", names[i]);
		_cleanup_free_ char *expected =
			xasprintf("killed by signal %d (%s)", numbers[i], strsignal(numbers[i]));
		_cleanup_(error_clear) struct error err = {0};
		void (*before)(int) = signal(numbers[i], SIG_IGN);

		shell(&argv, script);
		assert_int_equal(process_run_logged(&argv, log_path, 10, &err), -1);
		signal(numbers[i], before);
		assert_non_null(strstr(err.message, expected));
	}
}

static void stop_asks_first(void **state)
{
	_cleanup_(strbuf_release) struct strbuf text = STRBUF_INIT;
	pid_t pid;
	int fd;

	(void)state;
	fd = start_script("trap 'echo put back; exit 0' TERM; echo up; "
			  "while :; do sleep 0.02; done",
			  &pid);
	assert_true(read_pipe(fd, "up\n", &text));
	process_stop(&pid);
	assert_int_equal(pid, -1);
	assert_true(read_pipe(fd, NULL, &text));
	close(fd);
	assert_string_equal(strbuf_text(&text), "up\nput back\n");
	process_stop(&pid);
	assert_int_equal(pid, -1);
}

/* All of them ignore SIGTERM: the child, its child, and an orphan of the group. */
static void stop_kills_the_stubborn_and_their_descendants(void **state)
{
	_cleanup_(strbuf_release) struct strbuf text = STRBUF_INIT;
	pid_t pid;
	int fd;

	(void)state;
	fd = start_script("trap '' TERM; (sleep 1000 & sleep 1000) & (sleep 1000 &); echo up; wait",
			  &pid);
	assert_true(read_pipe(fd, "up\n", &text));
	process_stop(&pid);
	assert_true(read_pipe(fd, NULL, &text));
	close(fd);
}

static void stop_ends_what_a_dead_child_left(void **state)
{
	_cleanup_(strbuf_release) struct strbuf text = STRBUF_INIT;
	pid_t pid;
	int fd;

	(void)state;
	fd = start_script("(trap '' TERM; sleep 1000) & echo up; exit 0", &pid);
	assert_true(read_pipe(fd, "up\n", &text));
	process_stop(&pid);
	assert_true(read_pipe(fd, NULL, &text));
	close(fd);
}

static void the_child_dies_with_its_parent(void **state)
{
	_cleanup_(strbuf_release) struct strbuf text = STRBUF_INIT;
	int ends[2];
	pid_t parent;

	(void)state;
	assert_int_equal(pipe2(ends, O_CLOEXEC), 0);
	parent = fork();
	if (parent == 0) {
		struct string_list argv = {0};
		struct error err = {0};
		struct process_streams streams = {-1, ends[1], -1};
		pid_t pid;

		string_list_add(&argv, "sleep");
		string_list_add(&argv, "1000");
		_exit(process_start(&argv, &streams, &pid, &err) < 0);
	}
	close(ends[1]);
	assert_int_equal(waitpid(parent, NULL, 0), parent);
	assert_true(read_pipe(ends[0], NULL, &text));
	close(ends[0]);
}

static void statuses_in_words(void **state)
{
	static const struct {
		int status; /* as waitpid(2) gives it on Linux */
		const char *text;
	} cases[] = {
		{0, "exited with status 0"},
		{3 << 8, "exited with status 3"},
		{255 << 8, "exited with status 255"},
		{SIGKILL, "was killed by signal 9 (Killed)"},
		{SIGSEGV | 0x80, "was killed by signal 11 (Segmentation fault)"},
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		_cleanup_free_ char *text = process_describe_status(cases[i].status);

		assert_string_equal(text, cases[i].text);
	}
}

static void success_is_logged(void **state)
{
	_cleanup_(string_list_release) struct string_list argv = {0};
	_cleanup_(strbuf_release) struct strbuf output = STRBUF_INIT;
	_cleanup_(error_clear) struct error err = {0};

	(void)state;
	assert_int_equal(file_write(log_path, "from before", 11, &err), 0);
	shell(&argv, "echo out; echo err >&2");
	assert_int_equal(process_run_logged(&argv, log_path, 10, &err), 0);
	assert_int_equal(file_read(log_path, &output, &err), 0);
	assert_string_equal(strbuf_text(&output), "out\nerr\n");
}

static void failure_shows_the_end_of_the_output(void **state)
{
	_cleanup_(string_list_release) struct string_list argv = {0};
	_cleanup_(error_clear) struct error err = {0};

	(void)state;
	shell(&argv, "seq 101 120; echo last words >&2; exit 3");
	assert_int_equal(process_run_logged(&argv, log_path, 10, &err), -1);
	assert_int_equal(err.kind, ERROR_HARNESS);
	assert_non_null(strstr(err.message, "sh exited with status 3"));
	assert_non_null(strstr(err.message, "\n107\n"));
	assert_null(strstr(err.message, "\n106\n"));
	assert_non_null(strstr(err.message, "\n120\nlast words"));
	assert_non_null(strstr(err.hint, log_path));
}

static void a_log_that_cannot_be_written(void **state)
{
	_cleanup_free_ char *path = path_below(folder, "absent/log");
	_cleanup_(string_list_release) struct string_list argv = {0};
	_cleanup_(error_clear) struct error err = {0};

	(void)state;
	shell(&argv, "exit 0");
	assert_int_equal(process_run_logged(&argv, path, 10, &err), -1);
	assert_int_equal(err.kind, ERROR_IO);
	assert_non_null(strstr(err.message, path));
}

static void time_out_ends_the_whole_group(void **state)
{
	_cleanup_(string_list_release) struct string_list argv = {0};
	_cleanup_(strbuf_release) struct strbuf text = STRBUF_INIT;
	_cleanup_free_ char *fifo = path_below(folder, "fifo");
	_cleanup_free_ char *script = xasprintf("exec 9>%s; sleep 1000 & wait", fifo);
	_cleanup_(error_clear) struct error err = {0};
	int fd;

	(void)state;
	assert_int_equal(mkfifo(fifo, 0600), 0);
	fd = open(fifo, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
	assert_true(fd >= 0);
	shell(&argv, script);
	assert_int_equal(process_run_logged(&argv, log_path, 0.3, &err), -1);
	assert_int_equal(err.kind, ERROR_HARNESS);
	assert_non_null(strstr(err.message, "sh: not done after 0.3 s"));
	assert_true(read_pipe(fd, NULL, &text));
	close(fd);
}

static void output_is_read_and_no_file_stays(void **state)
{
	_cleanup_(string_list_release) struct string_list good = {0}, bad = {0};
	_cleanup_(strbuf_release) struct strbuf output = STRBUF_INIT;
	_cleanup_(error_clear) struct error err = {0};

	(void)state;
	string_list_split(&good, "echo hello", " ");
	assert_int_equal(process_run_read(&good, 10, &output, &err), 0);
	assert_string_equal(strbuf_text(&output), "hello\n");
	string_list_split(&bad, "ls /no/such/folder", " ");
	assert_int_equal(process_run_read(&bad, 10, &output, &err), -1);
	assert_non_null(strstr(err.message, "/no/such/folder"));
	/* A hint would name a file that is gone. */
	assert_null(err.hint);
}

#define folder_test(test) cmocka_unit_test_setup_teardown(test, setup, teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		folder_test(a_program_that_cannot_be_started),
		cmocka_unit_test(streams_reach_the_child),
		cmocka_unit_test(missing_streams_are_dev_null),
		folder_test(signals_are_at_their_defaults),
		cmocka_unit_test(stop_asks_first),
		cmocka_unit_test(stop_kills_the_stubborn_and_their_descendants),
		cmocka_unit_test(stop_ends_what_a_dead_child_left),
		cmocka_unit_test(the_child_dies_with_its_parent),
		cmocka_unit_test(statuses_in_words),
		folder_test(success_is_logged),
		folder_test(failure_shows_the_end_of_the_output),
		folder_test(a_log_that_cannot_be_written),
		folder_test(time_out_ends_the_whole_group),
		cmocka_unit_test(output_is_read_and_no_file_stays),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
