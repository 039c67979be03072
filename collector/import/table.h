/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The parts of the format `table`; docs/import.md describes it. */
#ifndef KREGRESS_COLLECTOR_IMPORT_TABLE_H
#define KREGRESS_COLLECTOR_IMPORT_TABLE_H

#include "collector/import/builder.h"
#include "collector/import/cells.h"
#include "collector/import/layout.h"

/* Reads all lines of a table in LAYOUT_BLOCKS. Errors name file and line. */
int table_blocks_read(const struct table_lines *lines, struct import_builder *builder,
		      struct error *err) __must_check;

/* The same for LAYOUT_COLUMNS. */
int table_columns_read(const struct table_lines *lines, struct import_builder *builder,
		       struct error *err) __must_check;

/* Words at the front of a row of LAYOUT_COLUMNS that name its benchmark. */
size_t table_columns_label(const struct table_line *line);

/* Refuses a variant's name that the command line could not name again. */
int table_variant_check(const char *variant, struct error *err) __must_check;

#endif
