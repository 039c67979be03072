/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Which line of a table is what. docs/import.md gives the rules to the user.
 */
#ifndef KREGRESS_COLLECTOR_IMPORT_LAYOUT_H
#define KREGRESS_COLLECTOR_IMPORT_LAYOUT_H

#include <stdbool.h>

#include "collector/import/lines.h"

enum table_layout {
	LAYOUT_BLOCKS,	/* a line "BENCHMARK", then lines "VARIANT VALUE ..." */
	LAYOUT_COLUMNS, /* a line of variants, then lines "BENCHMARK VALUE ..." */
};

/* `lines` holds at least one line. */
enum table_layout table_layout_find(const struct table_lines *lines);

/* True for the first word of a header line that heads the column of benchmarks. */
bool word_is_corner(const char *word);

/* What is known in LAYOUT_BLOCKS when the next line is to be judged. */
struct table_block_state {
	struct string_list variants; /* of the blocks before */
	struct string_list in_block; /* of the block so far */
	size_t fewest_values;	     /* in a line of the block so far */
};

enum line_kind {
	LINE_BENCHMARK,
	LINE_VALUES,
	LINE_AMBIGUOUS, /* "tbench 8" can be both */
};

/* The kind of line number `index` in LAYOUT_BLOCKS. The first is LINE_BENCHMARK. */
enum line_kind table_line_kind(const struct table_lines *lines, size_t index,
			       const struct table_block_state *state);

/* True when the first line holds values, so that the benchmark's line is missing before it. */
bool table_starts_with_values(const struct table_lines *lines);

/* True when nothing but the line's own look makes it LINE_BENCHMARK. */
bool table_line_is_guessed(const struct table_lines *lines, size_t index);

/* The variant's name at the front of a line of values. Owned by the caller. */
char *table_line_variant(const struct table_line *line);

#endif
