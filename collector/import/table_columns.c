/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tables of columns: a line of variants, then a line for each benchmark. */
#include "collector/import/table.h"

#include <string.h>
#include <strings.h>

struct column {
	char *variant;
	bool ignored; /* a ratio or a change, not a variant */
};

struct reader {
	struct import_builder *builder;
	ARRAY_OF(struct column) columns;
	size_t needed;		    /* columns up to the last that is not ignored */
	struct import_label common; /* what the header states for all rows */
};

static void clear_header(struct reader *reader)
{
	array_for_each (column, &reader->columns)
		free(column->variant);
	array_release(&reader->columns);
	import_label_release(&reader->common);
	reader->needed = 0;
}

static bool names_no_variant(const char *word)
{
	static const char *const others[] = {"ratio", "change", "delta", "diff", "%", "+/-"};

	for (size_t i = 0; i < ARRAY_SIZE(others); i++)
		if (!strcasecmp(word, others[i]))
			return true;
	return false;
}

static int add_column(struct reader *reader, const char *word, struct error *err)
{
	struct column *column;

	array_for_each (other, &reader->columns) {
		if (!other->ignored && !strcmp(other->variant, word)) {
			error_set(err, ERROR_DATA, "variant '%s' is twice in the header", word);
			return error_hint(err, "write a second value as a second row");
		}
	}
	if (table_variant_check(word, err) < 0)
		return -1;
	if (reader->columns.count == IMPORT_VARIANTS_MAX)
		return error_set(err, ERROR_DATA, "more than %d variants", IMPORT_VARIANTS_MAX);
	column = array_append(&reader->columns);
	column->variant = xstrdup(word);
	column->ignored = names_no_variant(word);
	if (!column->ignored)
		reader->needed = reader->columns.count;
	return 0;
}

static int read_common(struct reader *reader, const struct table_line *line, struct error *err)
{
	if (!line->brackets)
		return 0;
	if (import_label_parse(&reader->common, "header", line->brackets, err) < 0)
		return -1;
	if (!*reader->common.params)
		return 0;
	error_set(err, ERROR_DATA, "'%s' in the header's brackets is no unit and no direction",
		  reader->common.params);
	return error_hint(err, "write units as in [us] or [1/s, higher]");
}

static int read_header(struct reader *reader, const struct table_line *line, struct error *err)
{
	clear_header(reader);
	for (size_t i = word_is_corner(line->words.items[0]); i < line->words.count; i++) {
		const char *word = line->words.items[i];

		if (*word == '|' || *word == '(')
			continue;
		if (add_column(reader, word, err) < 0)
			return -1;
	}
	if (!reader->needed) {
		error_set(err, ERROR_DATA, "the header names no variant");
		return error_hint(err, "write 'benchmark VARIANT VARIANT ...'");
	}
	return read_common(reader, line, err);
}

size_t table_columns_label(const struct table_line *line)
{
	size_t end = 1;

	if (line->colon)
		return line->colon;
	if (line->brackets && line->brackets_at < line->words.count)
		return line->brackets_at ? line->brackets_at : 1;
	while (end < line->words.count && !word_is_numeric(line->words.items[end]) &&
	       strcmp(line->words.items[end], "-") != 0 &&
	       strcasecmp(line->words.items[end], "n/a") != 0)
		end++;
	return end;
}

static int check_count(const struct reader *reader, size_t count, struct error *err)
{
	if (count >= reader->needed && count <= reader->columns.count)
		return 0;
	error_set(err, ERROR_DATA, "too %s values: %zu for %zu columns",
		  count < reader->needed ? "few" : "many", count, reader->columns.count);
	return error_hint(err, "write one value a column, '-' where there is none, ratios in "
			       "parentheses, and ':' behind a name that has numbers in it");
}

/* Takes the cells of ignored columns out of the row: they have no unit and no value. */
static void blank_ignored(const struct reader *reader, struct table_cells *cells)
{
	for (size_t i = 0; i < cells->count; i++)
		if (reader->columns.items[i].ignored)
			cells->items[i] = (struct table_cell){.missing = true};
}

static int read_label(const struct reader *reader, const struct table_line *line, size_t end,
		      struct import_label *label, struct error *err)
{
	_cleanup_free_ char *text = table_line_join(line, 0, end, ' ');

	if (import_label_parse(label, text, line->brackets, err) < 0)
		return -1;
	if (!label->unit)
		label->unit = xstrdup(reader->common.unit);
	if (!label->has_better) {
		label->has_better = reader->common.has_better;
		label->better = reader->common.better;
	}
	return 0;
}

static int store_cells(struct reader *reader, const struct import_label *label,
		       const struct table_cells *cells, struct error *err)
{
	_cleanup_(import_measure_release) struct import_measure measure = {0};
	const char *unit;

	if (table_cells_unit(cells, &unit, err) < 0 ||
	    import_measure_resolve(&measure, reader->builder->input, label, unit, err) < 0)
		return -1;
	for (size_t i = 0; i < cells->count; i++) {
		double value = cells->items[i].value * measure.factor;

		if (!cells->items[i].missing &&
		    import_builder_add(reader->builder, reader->columns.items[i].variant, label,
				       &measure, &value, 1, err) < 0)
			return -1;
	}
	return 0;
}

static int read_row(struct reader *reader, const struct table_line *line, struct error *err)
{
	_cleanup_(import_label_release) struct import_label label = {0};
	size_t end = table_columns_label(line);
	struct table_cells cells;
	int result;

	if (read_label(reader, line, end, &label, err) < 0 ||
	    table_cells_read(&cells, line, end, true, err) < 0)
		return -1;
	result = check_count(reader, cells.count, err);
	if (result == 0) {
		blank_ignored(reader, &cells);
		result = store_cells(reader, &label, &cells, err);
	}
	array_release(&cells);
	return result;
}

static int read_lines(struct reader *reader, const struct table_lines *lines, struct error *err)
{
	for (size_t i = 0; i < lines->count; i++) {
		const struct table_line *line = &lines->items[i];
		bool header = i == 0 || word_is_corner(line->words.items[0]);

		if ((header ? read_header(reader, line, err) : read_row(reader, line, err)) < 0)
			return table_line_fail(reader->builder->input, line, err);
	}
	if (reader->builder->sets.count)
		return 0;
	error_set(err, ERROR_DATA, "no values below the header");
	error_hint(err, "write a row 'BENCHMARK VALUE VALUE ...' for each benchmark");
	return table_line_fail(reader->builder->input, &lines->items[0], err);
}

int table_columns_read(const struct table_lines *lines, struct import_builder *builder,
		       struct error *err)
{
	struct reader reader = {.builder = builder};
	int result = read_lines(&reader, lines, err);

	clear_header(&reader);
	return result;
}
