/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "cli/cli.h"

void session_clear_progress(struct session *session)
{
	if (session->progress_shown)
		fputs("\r\033[K", stderr);
	session->progress_shown = false;
}

static void write_log(void *context, enum log_level level, const char *message)
{
	struct session *session = context;

	if (session->quiet && level != LOG_WARNING)
		return;
	if (level == LOG_PROGRESS && !session->terminal)
		return;
	session_clear_progress(session);
	if (level == LOG_PROGRESS) {
		fprintf(stderr, "%s", message);
		session->progress_shown = true;
	} else {
		fprintf(stderr, "%s%s\n", level == LOG_WARNING ? "warning: " : "", message);
	}
	fflush(stderr);
}

int session_open(struct session *session, const struct common_options *common, bool with_store,
		 struct error *err)
{
	*session = (struct session){
		.terminal = isatty(STDERR_FILENO),
		.quiet = common->quiet,
	};
	session->log = (struct log){write_log, session};
	if (config_load(common->config, &session->config, err) < 0)
		return -1;
	if (common->store)
		replace_string(&session->config.store, common->store);
	if (with_store && store_open(session->config.store, &session->store, err) < 0) {
		session_close(session);
		return -1;
	}
	return 0;
}

void session_close(struct session *session)
{
	session_clear_progress(session);
	if (session->store)
		store_close(session->store);
	session->store = NULL;
	config_release(&session->config);
}

int print_text(const char *text, struct error *err)
{
	if (fputs(text, stdout) < 0 || fflush(stdout) != 0)
		return error_set_errno(err, ERROR_IO, errno, "standard output: cannot write");
	return 0;
}

int check_words(const struct command *command, const struct string_list *words, size_t least,
		size_t most, struct error *err)
{
	if (words->count >= least && words->count <= most)
		return 0;
	error_set(err, ERROR_USAGE,
		  words->count < least ? "too few arguments" : "too many arguments");
	return error_hint(err, "usage: kregress %s [OPTION...] %s", command->name,
			  command->arguments);
}
