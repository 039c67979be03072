/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bisect/driver/command.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>

#include "common/file.h"
#include "common/number.h"
#include "common/process.h"
#include "common/strbuf.h"
#include "common/text.h"

enum {
	STATUS_SKIP = 125,
	STATUS_NOT_EXECUTABLE = 126,
	STATUS_NOT_FOUND = 127,
	STATUS_STOP = 128, /* and above */
};

/* A shell reports what cannot be run as 126 and 127, as scripts for bisection expect it. */
static const char wrapper[] = "cd \"$1\" || exit 128\n"
			      "KREGRESS_COMMIT=$2\n"
			      "export KREGRESS_COMMIT\n"
			      "unset GIT_DIR GIT_WORK_TREE GIT_INDEX_FILE GIT_OBJECT_DIRECTORY\n"
			      "shift 2\n"
			      "exec \"$@\"\n";

struct command_measurer {
	struct command_options options;
	git_oid current; /* checked out */
	bool has_current;
	bool verified; /* the good commit can be run */
	size_t runs;
	double total_s;
};

struct run_files {
	char *output;
	char *log;
};

static void run_files_release(struct run_files *files)
{
	free(files->output);
	free(files->log);
}

static double now_s(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static int turn_to(struct command_measurer *command, const git_oid *commit, struct error *err)
{
	if (!command->options.checkout)
		return 0;
	command->has_current = false;
	if (checkout_switch(command->options.checkout, commit, err) < 0)
		return -1;
	command->current = *commit;
	command->has_current = true;
	return 0;
}

/* A relative program that the commit does not hold is the user's own script. */
static char *find_program(const struct command_options *options, const char *folder)
{
	const char *word = options->argv->items[0];
	_cleanup_free_ char *inside = path_below(folder, word);
	_cleanup_free_ char *outside = path_below(options->start_folder, word);

	if (word[0] == '/' || !strchr(word, '/') || file_exists(inside) || !file_exists(outside))
		return xstrdup(word);
	return take_pointer(outside);
}

static void make_words(struct string_list *words, const struct command_options *options,
		       const git_oid *commit)
{
	const char *folder = options->checkout ? options->checkout->path : options->start_folder;
	_cleanup_free_ char *program = find_program(options, folder);
	const char *const head[] = {"/bin/sh", "-c", wrapper, "sh", folder, git_oid_tostr_s(commit),
				    program};

	for (size_t i = 0; i < ARRAY_SIZE(head); i++)
		string_list_add(words, head[i]);
	for (size_t i = 1; i < options->argv->count; i++)
		string_list_add(words, options->argv->items[i]);
}

/* Waits for the end of the child or for a signal to us. */
static int wait_for(pid_t *pid, int *status, struct error *err)
{
	if (process_wait(pid, INFINITY, status) > 0)
		return 0;
	process_stop(pid);
	return error_set(err, ERROR_INTERRUPTED, "interrupted");
}

/* Runs the command at the commit that is checked out. */
static int run_once(struct command_measurer *command, const git_oid *commit,
		    const struct run_files *files, int *status, struct error *err)
{
	_cleanup_(string_list_release) struct string_list words = {0};
	_cleanup_close_ int output =
		open(files->output, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
	_cleanup_close_ int log = open(files->log, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
	struct process_streams streams = {-1, output, log};
	pid_t pid = -1;

	if (output < 0 || log < 0)
		return error_set_errno(err, ERROR_IO, errno, "%s: cannot create",
				       output < 0 ? files->output : files->log);
	make_words(&words, &command->options, commit);
	if (process_start(&words, &streams, &pid, err) < 0)
		return -1;
	return wait_for(&pid, status, err);
}

/* 126 and 127 on the good commit, too: the command is wrong, not the commit. */
static int verify_good(struct command_measurer *command, int code, const struct run_files *files,
		       struct error *err)
{
	const git_oid *good = &command->options.good;
	int status = 0;

	if (command->verified)
		return 0;
	if (turn_to(command, good, err) < 0 || run_once(command, good, files, &status, err) < 0)
		return -1;
	if (WIFEXITED(status) && WEXITSTATUS(status) == code) {
		error_set(err, ERROR_USAGE, "%s: exit code %d on the good commit %s, too",
			  command->options.argv->items[0], code, git_oid_tostr_s(good));
		return error_hint(err, "the command cannot be run: give its full path, or make it "
				       "executable");
	}
	command->verified = true;
	return 0;
}

static int stop(const struct command_measurer *command, const git_oid *commit, int status,
		const struct run_files *files, struct error *err)
{
	_cleanup_free_ char *how = process_describe_status(status);

	error_set(err, ERROR_HARNESS, "%s %s at commit %s: the bisection stops",
		  command->options.argv->items[0], how, git_oid_tostr_s(commit));
	return error_hint(err, "its messages are in %s; `kregress bisect run` goes on", files->log);
}

static char *skip_reason(const struct run_files *files, int code)
{
	_cleanup_(strbuf_release) struct strbuf text = STRBUF_INIT;
	_cleanup_(error_clear) struct error ignored = {0};
	_cleanup_free_ char *tail = NULL;

	if (file_read(files->log, &text, &ignored) == 0)
		tail = text_tail(strbuf_text(&text), 1);
	return xasprintf("exit code %d%s%s", code, tail && *tail ? ": " : "", tail ? tail : "");
}

/* With values an exit status other than 0 says that there is none. */
static int read_value(const struct command_measurer *command, const struct run_files *files,
		      int code, struct measurement *measurement, struct error *err)
{
	_cleanup_(strbuf_release) struct strbuf text = STRBUF_INIT;

	if (code != 0) {
		measurement->state = MEASURED_BROKEN;
		measurement->reason = skip_reason(files, code);
		return 0;
	}
	measurement->state = MEASURED_VALUE;
	if (file_read(files->output, &text, err) < 0)
		return -1;
	return command->options.read(command->options.read_context, files->output,
				     strbuf_text(&text), text.length, &measurement->value, err);
}

static int judge(struct command_measurer *command, const git_oid *commit, int status,
		 const struct run_files *files, struct measurement *measurement, struct error *err)
{
	int code = WIFEXITED(status) ? WEXITSTATUS(status) : STATUS_STOP;

	measurement->log_path = xstrdup(files->log);
	if (code >= STATUS_STOP)
		return stop(command, commit, status, files, err);
	if (code == STATUS_SKIP) {
		measurement->state = MEASURED_BROKEN;
		measurement->reason = skip_reason(files, code);
		return 0;
	}
	if ((code == STATUS_NOT_EXECUTABLE || code == STATUS_NOT_FOUND) &&
	    !git_oid_equal(commit, &command->options.good) &&
	    verify_good(command, code, files, err) < 0)
		return -1;
	if (command->options.read)
		return read_value(command, files, code, measurement, err);
	measurement->state = code ? MEASURED_FAIL : MEASURED_PASS;
	return 0;
}

static void name_files(const struct command_measurer *command, const git_oid *commit,
		       struct run_files *files)
{
	const char *id = git_oid_tostr_s(commit);

	files->output = xasprintf("%s/%.12s.out", command->options.folder, id);
	files->log = xasprintf("%s/%.12s.log", command->options.folder, id);
}

static int measure(void *context, const git_oid *commit, size_t count,
		   struct measurement_list *list, struct error *err)
{
	struct command_measurer *command = context;
	_cleanup_(run_files_release) struct run_files files = {0};
	struct measurement *measurement;
	double start;
	int status = 0;

	(void)count;
	name_files(command, commit, &files);
	if (turn_to(command, commit, err) < 0)
		return -1;
	start = now_s();
	if (run_once(command, commit, &files, &status, err) < 0)
		return -1;
	measurement = array_append(list);
	measurement->duration_s = now_s() - start;
	command->runs++;
	command->total_s += measurement->duration_s;
	return judge(command, commit, status, &files, measurement, err);
}

static double measure_cost_s(void *context)
{
	const struct command_measurer *command = context;

	return command->runs ? fmax(command->total_s / (double)command->runs, 1e-3) : 1;
}

struct command_measurer *command_measurer_new(const struct command_options *options,
					      struct measurer *measurer)
{
	struct command_measurer *command = xcalloc(1, sizeof(*command));

	command->options = *options;
	*measurer = (struct measurer){
		.context = command,
		.measure = measure,
		.measure_cost_s = measure_cost_s,
	};
	return command;
}

void command_measurer_free(struct command_measurer *command)
{
	free(command);
}

/* The number on the last line that is not empty, else the only number of the text. */
int command_read_number(void *context, const char *name, const char *text, size_t length,
			double *value, struct error *err)
{
	_cleanup_(string_list_release) struct string_list lines = {0};
	_cleanup_(string_list_release) struct string_list words = {0};
	_cleanup_(error_clear) struct error why = {0};
	size_t numbers = 0;
	double number;

	(void)context;
	(void)length;
	string_list_split(&lines, text, "\r\n");
	if (lines.count)
		string_list_split(&words, lines.items[lines.count - 1], " \t");
	if (words.count == 1 && number_parse(words.items[0], value, &why) == 0)
		return 0;
	string_list_release(&words);
	string_list_split(&words, text, " \t\r\n");
	for (size_t i = 0; i < words.count; i++) {
		error_clear(&why);
		if (number_parse(words.items[i], &number, &why) < 0)
			continue;
		numbers++;
		*value = number;
	}
	if (numbers == 1)
		return 0;
	error_set(err, ERROR_DATA, "%s: %s", name,
		  numbers ? "several numbers and none on the last line" : "no number");
	return error_hint(err, "print the value, a finite number, alone on the last line");
}
