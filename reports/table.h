/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A table of aligned columns in plain text. Its width follows the content, not a terminal. */
#ifndef KREGRESS_REPORTS_TABLE_H
#define KREGRESS_REPORTS_TABLE_H

#include <stdbool.h>

#include "common/array.h"
#include "common/strbuf.h"

#define TABLE_MAX_COLUMNS 12

struct table {
	size_t columns; /* at most TABLE_MAX_COLUMNS */
	bool align_right[TABLE_MAX_COLUMNS];
	struct string_list cells; /* row by row */
};

/* Adds the next cell; a row is full after `columns` of them. */
void table_add(struct table *table, const char *text);

/* Appends the rows; an incomplete last row is left out. No line ends in a space. */
void table_append(const struct table *table, struct strbuf *out);

void table_release(struct table *table);

#endif
