/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "reports/table.h"

#include "common/text.h"

#define COLUMN_GAP 2

void table_add(struct table *table, const char *text)
{
	string_list_add(&table->cells, text);
}

static void measure_columns(const struct table *table, size_t *widths)
{
	for (size_t i = 0; i < table->cells.count; i++) {
		size_t width = text_width(table->cells.items[i]);

		if (width > widths[i % table->columns])
			widths[i % table->columns] = width;
	}
}

/* `pending` carries the blanks that are owed before the next text of the row. */
static void append_cell(struct strbuf *out, const char *text, size_t width, bool right,
			size_t *pending)
{
	size_t blanks = width - text_width(text);

	if (right)
		*pending += blanks;
	if (*text) {
		strbuf_append_repeat(out, ' ', *pending);
		strbuf_append(out, text);
		*pending = 0;
	} else {
		*pending += right ? 0 : width;
	}
	if (*text && !right)
		*pending += blanks;
	*pending += COLUMN_GAP;
}

void table_append(const struct table *table, struct strbuf *out)
{
	size_t widths[TABLE_MAX_COLUMNS] = {0};
	size_t rows = table->cells.count / table->columns;

	measure_columns(table, widths);
	for (size_t row = 0; row < rows; row++) {
		size_t pending = 0;

		for (size_t column = 0; column < table->columns; column++)
			append_cell(out, table->cells.items[row * table->columns + column],
				    widths[column], table->align_right[column], &pending);
		strbuf_append_char(out, '\n');
	}
}

void table_release(struct table *table)
{
	string_list_release(&table->cells);
}
