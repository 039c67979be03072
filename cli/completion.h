/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Completion scripts for shells, from the tables of commands and options. */
#ifndef KREGRESS_CLI_COMPLETION_H
#define KREGRESS_CLI_COMPLETION_H

#include "common/strbuf.h"

/* Appends a script for bash. */
void completion_append_bash(struct strbuf *out);

#endif
