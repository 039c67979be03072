/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the commands of `kregress bisect` share: the state on disk, and how it is told. */
#ifndef KREGRESS_CLI_BISECTING_H
#define KREGRESS_CLI_BISECTING_H

#include "bisect/driver/bisection.h"
#include "bisect/driver/journal.h"
#include "bisect/driver/view.h"
#include "bisect/history.h"
#include "cli/cli.h"
#include "reports/bisect_report.h"

/*
 * The state of one bisection, in the folder `bisect` beside the store: journal, lock, logs,
 * working tree.
 */
struct bisecting {
	struct session session;
	char *folder; /* absolute */
	int lock_fd;  /* -1: not held */
	json_t *records;
	struct journal journal;
	struct bisection bisection;
	struct history history;
};

enum bisecting_access {
	BISECTING_READ,	 /* may be used by others at the same time */
	BISECTING_WRITE, /* alone */
};

/*
 * Opens the session and the journal, if there is one: bisection.started tells; its repository is
 * open then. ERROR_USAGE when another process writes.
 */
int bisecting_open(struct bisecting *bisecting, const struct common_options *common,
		   enum bisecting_access access, struct error *err) __must_check;
/* The same; no bisection is an error that says how to start one. */
int bisecting_open_started(struct bisecting *bisecting, const struct common_options *common,
			   enum bisecting_access access, struct error *err) __must_check;
/* Only the session and the folder's name; nothing is read. */
int bisecting_open_folder(struct bisecting *bisecting, const struct common_options *common,
			  struct error *err) __must_check;
void bisecting_close(struct bisecting *bisecting);

/* Takes the lock, making the folder. */
int bisecting_lock(struct bisecting *bisecting, struct error *err) __must_check;

/* Makes a new bisection of these records in the place of any other. The lock is held. */
int bisecting_create(struct bisecting *bisecting, const json_t *records, struct error *err)
	__must_check;

/* Writes and applies a record, whose reference it takes. */
int bisecting_record(struct bisecting *bisecting, json_t *record, struct error *err) __must_check;

/* A path in the folder. Owned by the caller. */
char *bisecting_path(const struct bisecting *bisecting, const char *name);

/* Prints how it stands, as `git bisect` does, and returns the exit code. */
int bisecting_say(struct bisecting *bisecting, const struct view *view, struct error *err);

/*
 * Puts the commit that is to be tested next into the working tree, and prints where. Without `make`
 * only where files of another commit are there already. Does nothing where nothing is to be tested.
 */
int bisecting_move_files(const struct bisecting *bisecting, const struct view *view, bool make,
			 struct error *err) __must_check;

/* Files to write about a bisection. */
struct bisecting_files {
	const char *junit;
	const char *json;
	const char *text;
	const char *html;
};

#define BISECTING_FILE_OPTIONS(structure)                                                          \
	OPTION_ROW(structure, files.junit, OPTION_STRING, "junit", 0, "FILE",                      \
		   "write JUnit XML: a case for each commit and one for the answer"),              \
		OPTION_ROW(structure, files.json, OPTION_OUTPUT, "json", 0, "FILE.json",           \
			   "write JSON, format kregress-bisect-1; in the place of the text when "  \
			   "no file is named"),                                                    \
		OPTION_ROW(structure, files.text, OPTION_STRING, "text", 0, "FILE",                \
			   "write the report as text"),                                            \
		OPTION_ROW(structure, files.html, OPTION_STRING, "html", 0, "FILE",                \
			   "write a page with the probability of every commit and the path taken")

/* Fills the model of the reports, with every commit of the range if asked; the caller releases it.
 */
int bisecting_report(const struct bisecting *bisecting, const struct view *view, bool whole_range,
		     struct bisect_report *report, struct error *err) __must_check;

/* Writes the files that are asked for. */
int bisecting_write_files(const struct bisecting *bisecting, const struct view *view,
			  const struct bisecting_files *files, struct error *err) __must_check;

/* The exit code that goes with a stage. */
int bisecting_exit_code(enum stage stage);

/* The commands, ended by NULL. */
extern const struct command *const bisect_commands[];
extern const struct command command_bisect_start, command_bisect_run, command_bisect_status,
	command_bisect_good, command_bisect_bad, command_bisect_skip, command_bisect_value,
	command_bisect_log, command_bisect_replay, command_bisect_visualize, command_bisect_reset,
	command_bisect_next;

/* good, bad, skip, or a term of the bisection's own. */
int bisect_mark_word(const char *word, int argc, char **argv, struct error *err);

#endif
