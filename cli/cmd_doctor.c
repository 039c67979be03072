/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <errno.h>
#include <math.h>
#include <stdint.h>
#include <string.h>
#include <sys/wait.h>

#include "cli/quieting.h"
#include "cli/table_out.h"
#include "collector/noise/source.h"
#include "common/process.h"

struct options {
	struct common_options common;
	bool fix;
	bool restore;
	bool json;
};

static const struct option_spec specs[] = {
	OPTION_ROW(struct options, fix, OPTION_FLAG, "fix", 0, NULL,
		   "set what can be set: while the command behind -- runs, else until --restore"),
	OPTION_ROW(struct options, restore, OPTION_FLAG, "restore", 0, NULL,
		   "put back what --fix has set"),
	OPTION_ROW(struct options, json, OPTION_FLAG, "json", 0, NULL, "print JSON"),
	COMMON_OPTIONS(struct options),
	OPTION_END,
};

/* What was done about a source, or can be. Owned by the caller. */
static char *remedy(const struct quieting *quieting, const struct noise_source *source,
		    enum noise_state state)
{
	char *outcome = quieting_outcome(quieting, source->name);
	_cleanup_free_ char *wanted = NULL;

	if (outcome || state == NOISE_QUIET || state == NOISE_ABSENT)
		return outcome ? outcome : xstrdup("");
	if (source->path)
		wanted = noise_wanted(&quieting->machine, source);
	if (wanted)
		return xasprintf("--fix sets %s", wanted);
	return xstrdup(source->advice ? source->advice : "");
}

static void add_row(struct table_out *table, const struct quieting *quieting,
		    const struct noise_source *source, const struct noise_reading *reading)
{
	_cleanup_free_ char *todo = remedy(quieting, source, reading->state);

	table_out_add(table, (const char *const[]){source->name, noise_state_name(reading->state),
						   reading->value ? reading->value : "-", todo,
						   source->cost});
}

/* The values are those before --fix: what it did stands beside them. */
static int show(const struct options *options, const struct log *log, struct error *err)
{
	static const char *const columns[] = {"source", "state", "now", "remedy", "cost", NULL};
	_cleanup_(table_out_release) struct table_out table = table_out_new(columns);
	struct quieting quieting = {.machine = machine_here()};
	struct noise_reading *readings = xcalloc(noise_source_count, sizeof(*readings));
	int result = 0;

	for (size_t i = 0; i < noise_source_count; i++)
		noise_read(&quieting.machine, &noise_sources[i], &readings[i]);
	if (options->fix)
		result = quieting_begin(&quieting, true, log, err);
	for (size_t i = 0; i < noise_source_count; i++) {
		add_row(&table, &quieting, &noise_sources[i], &readings[i]);
		noise_reading_release(&readings[i]);
	}
	free(readings);
	if (result == 0)
		result = table_out_print(&table, options->json, err);
	quieting_end(&quieting, log);
	return result;
}

static int restore(const struct log *log, struct error *err)
{
	struct machine machine = machine_here();
	size_t restored;

	if (quiet_recover(&machine, true, log, &restored, err) < 0)
		return -1;
	log_note(log, "put back %zu setting%s", restored, restored == 1 ? "" : "s");
	return 0;
}

/* The exit code that a shell would give. */
static int wait_for_command(pid_t *pid, const char *name, struct error *err)
{
	int status = 0;

	if (process_wait(pid, INFINITY, &status) < 0) {
		process_stop(pid);
		return error_set(err, ERROR_INTERRUPTED, "%s: interrupted", name);
	}
	return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}

static int run_quietly(const struct string_list *command, const struct log *log, struct error *err)
{
	const struct process_streams streams = {0, 1, 2};
	struct quieting quieting = {0};
	pid_t pid = -1;
	int result;

	if (quieting_begin(&quieting, false, log, err) < 0)
		return -1;
	result = process_start(command, &streams, &pid, err);
	if (result == 0)
		result = wait_for_command(&pid, command->items[0], err);
	quieting_end(&quieting, log);
	return result;
}

static int check_options(const struct options *options, const struct string_list *words,
			 struct error *err)
{
	if (words->count && !options->fix)
		return error_set(err, ERROR_USAGE, "a command needs --fix before it");
	if (options->fix && options->restore)
		return error_set(err, ERROR_USAGE, "--fix and --restore exclude each other");
	return 0;
}

static int run(int argc, char **argv, struct error *err)
{
	_cleanup_(session_close) struct session session = {0};
	_cleanup_(string_list_release) struct string_list words = {0};
	struct options options = {0};

	if (options_parse(specs, &options, argc, argv, &words, err) < 0 ||
	    check_options(&options, &words, err) < 0 ||
	    session_open(&session, &options.common, false, err) < 0)
		return -1;
	if (words.count)
		return run_quietly(&words, &session.log, err);
	return options.restore ? restore(&session.log, err) : show(&options, &session.log, err);
}

const struct command command_doctor = {
	.name = "doctor",
	.arguments = "[-- COMMAND...]",
	.summary = "what makes this machine noisy, what it lacks, and what to do about it",
	.description =
		"Prints a line for each source of noise and each missing capability: whether the "
		"machine is quiet in that respect, the value now, the remedy, and what it costs "
		"measurements. Nothing is changed.\n\n"
		"With --fix, sets what can be set. With a command behind --, only while that runs; "
		"its exit code is handed on. Everything is put back at its end, also when kregress "
		"is killed: by a guard process, or else by the next start of any kregress command. "
		"Without a command, the settings stay until `kregress doctor --restore` or the "
		"next "
		"boot. The same option of run and ab does it for a collection.\n\n"
		"KREGRESS_ROOT names a folder to look at in the place of /.",
	.examples = "  kregress doctor\n"
		    "  kregress doctor --fix -- perf bench sched pipe\n"
		    "  kregress ab voluntary full --fix\n",
	.options = specs,
	.run = run,
};
