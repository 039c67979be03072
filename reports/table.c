/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "reports/table.h"

#include "common/text.h"
#include "reports/format.h"

#define COLUMN_GAP 2

/* Of the first column, whatever the width. */
#define FIRST_LEAST 12

void table_add(struct table *table, const char *text)
{
	string_list_add(&table->cells, text);
}

/* What of a cell is shown; the first column may have to be shorter. */
static char *shown_text(const struct table *table, size_t index)
{
	const char *text = table->cells.items[index];
	struct strbuf cut = STRBUF_INIT;

	if (index % table->columns || !table->first_limit || text_width(text) <= table->first_limit)
		return xstrdup(text);
	format_head(&cut, text, table->first_limit - 3);
	return strbuf_take(&cut);
}

static void measure_columns(const struct table *table, size_t *widths)
{
	for (size_t i = 0; i < table->cells.count; i++) {
		_cleanup_free_ char *text = shown_text(table, i);
		size_t width = text_width(text);

		if (width > widths[i % table->columns])
			widths[i % table->columns] = width;
	}
}

size_t table_width(const struct table *table)
{
	size_t widths[TABLE_MAX_COLUMNS] = {0};
	size_t total = 0, shown = 0;

	measure_columns(table, widths);
	for (size_t i = 0; i < table->columns; i++) {
		if (table->hidden[i])
			continue;
		total += widths[i];
		shown++;
	}
	return shown ? total + COLUMN_GAP * (shown - 1) : 0;
}

size_t table_fit(struct table *table, size_t width, const size_t *order, size_t count)
{
	size_t widths[TABLE_MAX_COLUMNS] = {0};
	size_t hidden = 0, total;

	for (total = table_width(table); hidden < count && total > width;
	     total = table_width(table))
		table->hidden[order[hidden++]] = true;
	if (total <= width)
		return hidden;
	measure_columns(table, widths);
	table->first_limit = widths[0] > FIRST_LEAST + (total - width) ? widths[0] - (total - width)
								       : FIRST_LEAST;
	return hidden;
}

/* `pending` carries the blanks that are owed before the next text of the row. */
static void append_cell(struct strbuf *out, const struct table *table, const char *text,
			size_t width, bool right, size_t *pending)
{
	const char *style = table->style ? table->style(text) : NULL;
	size_t blanks = width - text_width(text);

	if (right)
		*pending += blanks;
	if (*text) {
		strbuf_append_repeat(out, ' ', *pending);
		if (style)
			strbuf_printf(out, "\033[%sm%s\033[0m", style, text);
		else
			strbuf_append(out, text);
		*pending = 0;
	} else {
		*pending += right ? 0 : width;
	}
	if (*text && !right)
		*pending += blanks;
	*pending += COLUMN_GAP;
}

static void append_row(const struct table *table, const size_t *widths, size_t row,
		       struct strbuf *out)
{
	size_t pending = 0;

	for (size_t column = 0; column < table->columns; column++) {
		_cleanup_free_ char *text = shown_text(table, row * table->columns + column);

		if (!table->hidden[column])
			append_cell(out, table, text, widths[column], table->align_right[column],
				    &pending);
	}
	strbuf_append_char(out, '\n');
}

void table_append(const struct table *table, struct strbuf *out)
{
	size_t widths[TABLE_MAX_COLUMNS] = {0};
	size_t rows = table->cells.count / table->columns;

	measure_columns(table, widths);
	for (size_t row = 0; row < rows; row++)
		append_row(table, widths, row, out);
}

void table_release(struct table *table)
{
	string_list_release(&table->cells);
}
