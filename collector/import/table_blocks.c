/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tables of blocks: a line that names a benchmark, then a line of values for each variant. */
#include "collector/import/table.h"

#include <string.h>

static const char mark_hint[] = "put ':' or the unit in brackets behind a benchmark's name, as in "
				"'tbench 8 [MB/s]', and '_' for blanks in a variant's name";

struct reader {
	const struct table_lines *lines;
	struct import_builder *builder;
	struct table_block_state state;
	size_t head; /* index of the line that names the benchmark */
	/* The block's rows; state.in_block holds their variants in the same order. */
	ARRAY_OF(struct table_cells) rows;
	ARRAY_OF(const struct table_line *) row_lines;
};

static int fail(struct reader *reader, const struct table_line *line, struct error *err)
{
	return table_line_fail(reader->builder->input, line, err);
}

static void clear_rows(struct reader *reader)
{
	array_for_each (cells, &reader->rows)
		array_release(cells);
	reader->rows.count = 0;
	reader->row_lines.count = 0;
	string_list_release(&reader->state.in_block);
	reader->state.fewest_values = 0;
}

static void reader_release(struct reader *reader)
{
	clear_rows(reader);
	array_release(&reader->rows);
	array_release(&reader->row_lines);
	string_list_release(&reader->state.variants);
}

static int check_new_variant(struct reader *reader, const char *variant, struct error *err)
{
	const struct table_line *head = &reader->lines->items[reader->head];

	if (table_variant_check(variant, err) < 0)
		return -1;
	if (string_list_contains(&reader->state.in_block, variant)) {
		error_set(err, ERROR_DATA, "variant '%s' is twice in '%s' of line %zu", variant,
			  head->words.items[0], head->number);
		return error_hint(err, "write all values of a variant on one line; %s", mark_hint);
	}
	if (reader->state.in_block.count == IMPORT_VARIANTS_MAX)
		return error_set(err, ERROR_DATA, "more than %d variants", IMPORT_VARIANTS_MAX);
	return 0;
}

static int add_row(struct reader *reader, const struct table_line *line, struct error *err)
{
	_cleanup_free_ char *variant = table_line_variant(line);
	struct table_cells cells;
	size_t values;

	if (line->brackets) {
		error_set(err, ERROR_DATA, "brackets among the values of '%s'", variant);
		return error_hint(err, "brackets belong to the line that names the benchmark");
	}
	if (check_new_variant(reader, variant, err) < 0 ||
	    table_cells_read(&cells, line, line->colon ? line->colon : 1, false, err) < 0)
		return -1;
	values = cells.count;
	*array_append(&reader->rows) = cells;
	*array_append(&reader->row_lines) = line;
	string_list_add(&reader->state.in_block, variant);
	if (!reader->state.fewest_values || values < reader->state.fewest_values)
		reader->state.fewest_values = values;
	return 0;
}

/* The unit of the block is the one of its first row. */
static int check_block_unit(char **unit, const struct import_measure *measure, struct error *err)
{
	if (!*unit) {
		*unit = xstrdup(measure->unit);
		return 0;
	}
	if (!strcmp(*unit, measure->unit))
		return 0;
	error_set(err, ERROR_DATA, "mixed units in one benchmark: '%s' and '%s'",
		  **unit ? *unit : "none", *measure->unit ? measure->unit : "none");
	return error_hint(err, "write all values of a benchmark in one unit");
}

static int store_row(struct reader *reader, size_t index, const struct import_label *label,
		     char **block_unit, struct error *err)
{
	const struct table_cells *cells = &reader->rows.items[index];
	_cleanup_(import_measure_release) struct import_measure measure = {0};
	_cleanup_free_ double *values = xcalloc(cells->count, sizeof(*values));
	const char *unit;

	if (table_cells_unit(cells, &unit, err) < 0 ||
	    import_measure_resolve(&measure, reader->builder->input, label, unit, err) < 0 ||
	    check_block_unit(block_unit, &measure, err) < 0)
		return -1;
	for (size_t i = 0; i < cells->count; i++)
		values[i] = cells->items[i].value * measure.factor;
	return import_builder_add(reader->builder, reader->state.in_block.items[index], label,
				  &measure, values, cells->count, err);
}

static int store_rows(struct reader *reader, const struct import_label *label, struct error *err)
{
	_cleanup_free_ char *unit = NULL;

	if (!reader->row_lines.items)
		return 0;
	if (table_cells_drop_ratio(reader->rows.items, reader->rows.count, err) < 0)
		return fail(reader, reader->row_lines.items[reader->rows.count - 1], err);
	for (size_t i = 0; i < reader->rows.count; i++)
		if (store_row(reader, i, label, &unit, err) < 0)
			return fail(reader, reader->row_lines.items[i], err);
	return 0;
}

/*
 * A line that is a benchmark only by its look, above variants that no former benchmark has, is
 * rather a mistyped line of values.
 */
static int check_guess(struct reader *reader, struct error *err)
{
	const struct table_line *head = &reader->lines->items[reader->head];

	if (!reader->rows.count) {
		error_set(err, ERROR_DATA, "no values below '%s'", head->words.items[0]);
		return error_hint(err, "%s", mark_hint);
	}
	if (!table_line_is_guessed(reader->lines, reader->head))
		return 0;
	for (size_t i = 0; i < reader->state.in_block.count; i++)
		if (string_list_contains(&reader->state.variants, reader->state.in_block.items[i]))
			return 0;
	error_set(err, ERROR_DATA,
		  "'%s' is taken for a benchmark, but has no variant in common with those before",
		  head->words.items[0]);
	return error_hint(err, "%s", mark_hint);
}

static void note_variants(struct table_block_state *state)
{
	for (size_t i = 0; i < state->in_block.count; i++)
		if (!string_list_contains(&state->variants, state->in_block.items[i]))
			string_list_add(&state->variants, state->in_block.items[i]);
}

static int finish_block(struct reader *reader, struct error *err)
{
	const struct table_line *head = &reader->lines->items[reader->head];
	_cleanup_free_ char *text = table_line_join(head, 0, head->words.count, ' ');
	_cleanup_(import_label_release) struct import_label label = {0};

	if (check_guess(reader, err) < 0 ||
	    import_label_parse(&label, text, head->brackets, err) < 0)
		return fail(reader, head, err);
	if (store_rows(reader, &label, err) < 0)
		return -1;
	note_variants(&reader->state);
	clear_rows(reader);
	return 0;
}

static int read_line(struct reader *reader, size_t index, struct error *err)
{
	const struct table_line *line = &reader->lines->items[index];

	switch (table_line_kind(reader->lines, index, &reader->state)) {
	case LINE_BENCHMARK:
		if (finish_block(reader, err) < 0)
			return -1;
		reader->head = index;
		return 0;
	case LINE_VALUES:
		return add_row(reader, line, err) < 0 ? fail(reader, line, err) : 0;
	case LINE_AMBIGUOUS:
		break;
	}
	error_set(err, ERROR_DATA, "'%s %s' can be a benchmark or a variant with its value",
		  line->words.items[0], line->words.items[1]);
	error_hint(err, "%s", mark_hint);
	return fail(reader, line, err);
}

int table_blocks_read(const struct table_lines *lines, struct import_builder *builder,
		      struct error *err)
{
	_cleanup_(reader_release) struct reader reader = {.lines = lines, .builder = builder};

	if (table_starts_with_values(lines)) {
		error_set(err, ERROR_DATA, "'%s' and values, but no benchmark above them",
			  lines->items[0].words.items[0]);
		error_hint(err, "begin with a line that names the benchmark; %s", mark_hint);
		return fail(&reader, &lines->items[0], err);
	}
	for (size_t i = 1; i < lines->count; i++)
		if (read_line(&reader, i, err) < 0)
			return -1;
	return finish_block(&reader, err);
}
