/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A history that is a column of numbers in a file: nothing is remembered about it. */
#ifndef KREGRESS_CLI_HISTORY_CSV_H
#define KREGRESS_CLI_HISTORY_CSV_H

#include "common/strbuf.h"
#include "reports/history.h"

/*
 * Adds the file ("-": standard input) as a series: one number a line, with an optional heading in
 * the first; blank lines at the end do not count. ERROR_DATA names file and line.
 */
int history_csv_read(const char *path, const struct change_settings *settings, enum better better,
		     struct history_report *report, struct error *err) __must_check;

/*
 * Appends {"series":[{"change_points":[{"index","low","high","before","after","p"}]}]}; a change
 * that is none of level has its "kind", too.
 */
void history_csv_append_json(const struct history_report *report, struct strbuf *out);

#endif
