/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A table of aligned columns in plain text. Its width follows the content; table_fit() makes it
 * narrower.
 */
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
	bool hidden[TABLE_MAX_COLUMNS];
	size_t first_limit; /* of the first column; 0: none */
	/* Terminal attributes of a cell's text, such as "31", or NULL; may be NULL itself. */
	const char *(*style)(const char *cell);
};

/* Adds the next cell; a row is full after `columns` of them. */
void table_add(struct table *table, const char *text);

/* Columns of the widest row. */
size_t table_width(const struct table *table);

/*
 * Hides columns in the given order, as many as needed, and then cuts the first one, down to twelve
 * columns, until the table is no wider than `width`. Returns how many it hid.
 */
size_t table_fit(struct table *table, size_t width, const size_t *order, size_t count);

/* Appends the rows; an incomplete last row is left out. No line ends in a space. */
void table_append(const struct table *table, struct strbuf *out);

void table_release(struct table *table);

#endif
