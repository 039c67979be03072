/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The command line: the only part that prints and exits. A command is one file and one row in
 * commands[] (main.c).
 */
#ifndef KREGRESS_CLI_CLI_H
#define KREGRESS_CLI_CLI_H

#include <stdbool.h>

#include "collector/config.h"
#include "common/error.h"
#include "common/log.h"
#include "common/option.h"
#include "store/store.h"

/* Exit codes, as documented in kregress(1). A signal ends with 128 + its number. */
enum exit_code {
	EXIT_OK = 0,
	EXIT_REGRESSION = 1,
	EXIT_USAGE = 2,
	EXIT_INCONCLUSIVE = 3,
	EXIT_FAILED = 4,
	EXIT_NOT_REPRODUCED = 5, /* bisect: bad is not slower than good */
};

/* First member of every command's option structure. */
struct common_options {
	const char *config;
	const char *store;
	bool quiet;
};

#define COMMON_OPTIONS(structure)                                                                  \
	OPTION_ROW(structure, common.config, OPTION_STRING, "config", 'C', "FILE",                 \
		   "configuration file (default: kregress.conf here, if there is one)"),           \
		OPTION_ROW(structure, common.store, OPTION_STRING, "store", 'S', "FILE",           \
			   "the store (default: kregress.store of the configuration, else "        \
			   ".kregress/store.db)"),                                                 \
		OPTION_ROW(structure, common.quiet, OPTION_FLAG, "quiet", 'q', NULL,               \
			   "print no notes and no progress")

struct command {
	const char *name;
	const char *arguments;	 /* behind the options: "BASE NEW..." */
	const char *summary;	 /* a line */
	const char *description; /* paragraphs separated by blank lines */
	const char *examples;	 /* lines; those that begin with "  " are commands */
	const struct option_spec *options;
	/* Returns an exit code, or -1 with `err` set. argv[0] is the first word after the name. */
	int (*run)(int argc, char **argv, struct error *err);
	/* Commands behind this one ("bisect start"), ended by NULL; NULL: none. */
	const struct command *const *children;
};

extern const struct command command_ab, command_baseline, command_bisect, command_calibrate,
	command_ci, command_compare, command_doctor, command_export, command_findings, command_gc,
	command_help, command_history, command_import, command_list, command_plan, command_report,
	command_run, command_version;

/* All commands, ended by NULL. */
extern const struct command *const commands[];
const struct command *command_find(const char *name);

/* Whatever a command opens for itself. */
struct session {
	struct log log;
	bool terminal; /* stderr is one: progress is shown */
	bool quiet;
	bool progress_shown;
	struct config config;
	struct store *store;
};

/* Loads the configuration; opens the store when `with_store`. */
int session_open(struct session *session, const struct common_options *common, bool with_store,
		 struct error *err) __must_check;
void session_close(struct session *session);

/* Takes the progress line away, before something else is printed. */
void session_clear_progress(struct session *session);

/* Writes text to standard output; ERROR_IO when that fails. */
int print_text(const char *text, struct error *err) __must_check;

/* Splits the words at "--": *rest are those behind it, and `true` is returned when it is there. */
bool split_at_dashes(int *argc, char **argv, int *rest_count, char ***rest);

/* Fewer positional words than `least` or more than `most`: ERROR_USAGE that shows the usage. */
int check_words(const struct command *command, const struct string_list *words, size_t least,
		size_t most, struct error *err) __must_check;

#endif
