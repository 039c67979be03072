/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Where imported text comes from: a file, standard input, or a folder of results. */
#ifndef KREGRESS_COLLECTOR_IMPORT_SOURCE_H
#define KREGRESS_COLLECTOR_IMPORT_SOURCE_H

#include "collector/import/importer.h"

/*
 * Reads the file, "-" for standard input, or a folder, whose name, text and length replace those of
 * `defaults`. Of a folder, such as LKP's for a run, each file that a tool's format recognises is
 * read, and all are one variant, named after the folder; other files are left out. "NAME.1" beside
 * "NAME.2" are instances that ran at once. LKP's own statistics count where no raw output is.
 *
 * With defaults->variant, values go behind those that a set of that variant in `*sets` already has;
 * else each file's sets are new. On failure `*sets` may have got values.
 */
int import_path(const char *format, const struct import_input *defaults, const char *path,
		struct run_set_list *sets, struct error *err) __must_check;

#endif
