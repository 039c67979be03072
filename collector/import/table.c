/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The format `table`: plain text tables as people paste them into mails. */
#include "collector/import/table.h"

#include <string.h>

/* As much of the text as recognising looks at. */
#define RECOGNISE_BYTES 65536

int table_variant_check(const char *variant, struct error *err)
{
	if (*variant && !strchr(variant, '@'))
		return 0;
	error_set(err, ERROR_DATA, "'%s' cannot be the name of a variant", variant);
	return error_hint(err, "rename it: '@' separates a variant from the id of its run set");
}

static bool has_values(const struct table_line *line, size_t first, bool may_miss)
{
	_cleanup_(error_clear) struct error ignored = {0};
	struct table_cells cells;

	if (table_cells_read(&cells, line, first, may_miss, &ignored) < 0)
		return false;
	array_release(&cells);
	return true;
}

/* A block whose name ends in a number is claimed only when the name is marked or known. */
static bool looks_like_block(const struct table_lines *lines)
{
	const struct table_block_state state = {0};
	const struct table_line *head = &lines->items[0];
	const struct table_line *row = &lines->items[1];
	enum better better;

	if (table_starts_with_values(lines) || table_line_kind(lines, 1, &state) != LINE_VALUES)
		return false;
	if (head->words.count == 2 && !head->brackets && !head->colon &&
	    word_is_numeric(head->words.items[1]) &&
	    !direction_suggested(head->words.items[0], "", &better))
		return false;
	return has_values(row, row->colon ? row->colon : 1, false);
}

static bool looks_like_table(const struct table_lines *lines)
{
	const struct table_line *row = &lines->items[1];

	if (lines->count < 2)
		return false;
	if (table_layout_find(lines) == LAYOUT_BLOCKS)
		return looks_like_block(lines);
	return has_values(row, table_columns_label(row), true);
}

bool table_recognise(const char *text, size_t length)
{
	_cleanup_(error_clear) struct error ignored = {0};
	struct import_input input = {.name = "", .text = text, .length = length};
	struct table_lines lines;
	bool recognised;

	if (length > RECOGNISE_BYTES) {
		const char *newline = memrchr(text, '\n', RECOGNISE_BYTES);

		input.length = newline ? (size_t)(newline - text) : RECOGNISE_BYTES;
	}
	if (table_lines_read(&lines, &input, &ignored) < 0)
		return false;
	recognised = looks_like_table(&lines);
	table_lines_release(&lines);
	return recognised;
}

int table_read(const struct import_input *input, struct run_set_list *sets, struct error *err)
{
	_cleanup_(import_builder_release) struct import_builder builder = {0};
	_cleanup_(table_lines_release) struct table_lines lines = {0};
	int result;

	if (table_lines_read(&lines, input, err) < 0)
		return -1;
	import_builder_init(&builder, input);
	if (table_layout_find(&lines) == LAYOUT_BLOCKS)
		result = table_blocks_read(&lines, &builder, err);
	else
		result = table_columns_read(&lines, &builder, err);
	if (result < 0)
		return -1;
	import_builder_finish(&builder, sets);
	return 0;
}
