/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/table_out.h"

#include "cli/cli.h"
#include "common/text.h"

enum { COLUMN_LIMIT = 10 };

struct table_out table_out_new(const char *const *columns)
{
	return (struct table_out){json_array(), columns};
}

void table_out_release(struct table_out *table)
{
	json_decref(table->rows);
	table->rows = NULL;
}

void table_out_add(struct table_out *table, const char *const *values)
{
	json_t *row = json_object();

	for (size_t i = 0; table->columns[i]; i++)
		json_object_set_new(row, table->columns[i], json_string(values[i]));
	json_array_append_new(table->rows, row);
}

static const char *cell(const json_t *row, const char *column)
{
	const char *text = json_string_value(json_object_get(row, column));

	return text ? text : "";
}

static void measure_columns(const struct table_out *table, size_t *widths)
{
	const json_t *row;
	size_t index;

	for (size_t i = 0; table->columns[i]; i++) {
		widths[i] = text_width(table->columns[i]);
		json_array_foreach (table->rows, index, row) {
			size_t width = text_width(cell(row, table->columns[i]));

			widths[i] = width > widths[i] ? width : widths[i];
		}
	}
}

static void append_cell(struct strbuf *out, const char *text, size_t width, bool last)
{
	strbuf_append(out, text);
	if (!last)
		strbuf_append_repeat(out, ' ', width - text_width(text) + 2);
}

static void append_table(struct strbuf *out, const struct table_out *table)
{
	size_t widths[COLUMN_LIMIT];
	const json_t *row;
	size_t index;

	measure_columns(table, widths);
	for (size_t i = 0; table->columns[i]; i++)
		append_cell(out, table->columns[i], widths[i], !table->columns[i + 1]);
	strbuf_append_char(out, '\n');
	json_array_foreach (table->rows, index, row) {
		for (size_t i = 0; table->columns[i]; i++)
			append_cell(out, cell(row, table->columns[i]), widths[i],
				    !table->columns[i + 1]);
		strbuf_append_char(out, '\n');
	}
}

int table_out_print(const struct table_out *table, bool json, struct error *err)
{
	_cleanup_(strbuf_release) struct strbuf out = STRBUF_INIT;

	if (json) {
		_cleanup_free_ char *text = json_dumps(table->rows, JSON_INDENT(2));

		strbuf_printf(&out, "%s\n", text);
	} else {
		append_table(&out, table);
	}
	return print_text(strbuf_text(&out), err);
}
