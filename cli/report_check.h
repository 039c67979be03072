/* SPDX-License-Identifier: GPL-3.0-or-later */
/* `kregress report check FILE...` */
#ifndef KREGRESS_CLI_REPORT_CHECK_H
#define KREGRESS_CLI_REPORT_CHECK_H

#include "cli/cli.h"

/*
 * Checks the files and prints what their readers make of them. `consumer`: one of them, or NULL
 * for all. Returns 0 when none refuses a file or hides a failure, else EXIT_FAILED; -1 when a file
 * cannot be read.
 */
int report_check_files(const struct string_list *paths, const char *consumer, bool json,
		       struct error *err);

#endif
