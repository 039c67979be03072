/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <git2.h>
#include <gsl/gsl_errno.h>
#include <libxml/parser.h>

#include "cli/cli.h"
#include "cli/quieting.h"
#include "common/interrupt.h"

const struct command *const commands[] = {
	&command_list,
	&command_doctor,
	&command_run,
	&command_ab,
	&command_ci,
	&command_baseline,
	&command_import,
	&command_bisect,
	&command_compare,
	&command_history,
	&command_findings,
	&command_report,
	&command_plan,
	&command_calibrate,
	&command_export,
	&command_gc,
	&command_help,
	&command_version,
	NULL,
};

const struct command *command_find(const char *name)
{
	for (size_t i = 0; commands[i]; i++)
		if (!strcmp(commands[i]->name, name))
			return commands[i];
	return NULL;
}

/* The word that asks for help or version in the place of a command. */
static const char *command_word(const char *word)
{
	if (!word || !strcmp(word, "--help") || !strcmp(word, "-h"))
		return "help";
	return !strcmp(word, "--version") ? "version" : word;
}

static bool asks_for_help(int argc, char **argv)
{
	for (int i = 0; i < argc && strcmp(argv[i], "--") != 0; i++)
		if (!strcmp(argv[i], "--help") || !strcmp(argv[i], "-h"))
			return true;
	return false;
}

static int run_command(int argc, char **argv, struct error *err)
{
	const char *word = command_word(argc > 1 ? argv[1] : NULL);
	const struct command *command = command_find(word);
	int rest = argc > 2 ? argc - 2 : 0;

	if (!command) {
		error_set(err, ERROR_USAGE, "'%s' is no command", word);
		return error_hint(err, "`kregress help` lists the commands");
	}
	if (asks_for_help(rest, argv + argc - rest))
		return command_help.run(1, (char *[]){(char *)command->name}, err);
	if (command->run == command_help.run && argc > 1 && argv[1][0] == '-')
		return command_help.run(0, NULL, err);
	quieting_recover();
	return command->run(rest, argv + argc - rest, err);
}

static int exit_code(const struct error *err)
{
	switch (err->kind) {
	case ERROR_USAGE:
		return EXIT_USAGE;
	case ERROR_INTERRUPTED:
		return 128 + interrupt_signal();
	default:
		return EXIT_FAILED;
	}
}

int main(int argc, char **argv)
{
	_cleanup_(error_clear) struct error err = {0};
	int code;

	gsl_set_error_handler_off();
	git_libgit2_init();
	interrupt_install();
	code = run_command(argc, argv, &err);
	if (code < 0) {
		fprintf(stderr, "kregress: %s\n", err.message);
		if (err.hint)
			fprintf(stderr, "hint: %s\n", err.hint);
		code = exit_code(&err);
	}
	git_libgit2_shutdown();
	xmlCleanupParser();
	return code;
}
