/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Completion scripts for shells, from the tables of commands and options. */
#ifndef KREGRESS_CLI_COMPLETION_H
#define KREGRESS_CLI_COMPLETION_H

#include "cli/cli.h"
#include "common/strbuf.h"

struct completion {
	const char *shell; /* "bash" */
	/* Appends the whole script. */
	void (*append)(struct strbuf *out);
};

extern const struct completion completion_bash, completion_zsh, completion_fish;

/* NULL for a shell that there is no script for. */
const struct completion *completion_find(const char *shell);

/* "start" of "bisect start". */
const char *completion_last_word(const struct command *command);

#endif
