/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Generic CSV (RFC 4180): a header of column names, then a value a row. The columns are found by
 * name: benchmark and value must be there; variant, params, metric, unit and better may.
 */
#include <string.h>
#include <strings.h>

#include "common/number.h"
#include "collector/import/tool.h"

enum column {
	COLUMN_BENCHMARK,
	COLUMN_VALUE,
	COLUMN_VARIANT,
	COLUMN_PARAMS,
	COLUMN_METRIC,
	COLUMN_UNIT,
	COLUMN_BETTER,
	COLUMN_COUNT,
};

static const char *const column_names[COLUMN_COUNT] = {
	"benchmark", "value", "variant", "params", "metric", "unit", "better",
};

struct table {
	size_t columns[COLUMN_COUNT]; /* which field, from 1; 0: none */
	size_t fields;		      /* of the header */
};

/* Takes one field off the front of `*at`; false for a quote without its end. */
static bool take_field(const char **at, struct string_list *fields)
{
	struct strbuf field = STRBUF_INIT;
	bool quoted = **at == '"';
	bool ok = true;

	*at += quoted;
	while (**at && (quoted || **at != ',')) {
		if (quoted && **at == '"') {
			if ((*at)[1] != '"')
				break;
			++*at;
		}
		strbuf_append_char(&field, *(*at)++);
	}
	if (quoted)
		ok = *(*at)++ == '"' && (!**at || **at == ',');
	string_list_add(fields, strbuf_text(&field));
	strbuf_release(&field);
	return ok;
}

static int split_fields(const char *line, struct string_list *fields, struct error *err)
{
	for (;; line++) {
		if (!take_field(&line, fields)) {
			error_set(err, ERROR_DATA, "a quote does not end");
			return error_hint(err,
					  "a field in quotes is on one line, with quotes in it "
					  "doubled");
		}
		if (*line != ',')
			return 0;
	}
}

static int read_header(struct table *table, const char *line, struct error *err)
{
	_cleanup_(string_list_release) struct string_list fields = {0};

	if (split_fields(line, &fields, err) < 0)
		return -1;
	table->fields = fields.count;
	for (size_t i = 0; i < fields.count; i++)
		for (size_t column = 0; column < COLUMN_COUNT; column++)
			if (!strcasecmp(fields.items[i], column_names[column]))
				table->columns[column] = i + 1;
	if (table->columns[COLUMN_BENCHMARK] && table->columns[COLUMN_VALUE])
		return 0;
	error_set(err, ERROR_DATA, "the header has no column 'benchmark' or no column 'value'");
	return error_hint(err, "columns: benchmark,value and perhaps variant, params, metric, "
			       "unit, better");
}

static const char *field_of(const struct table *table, const struct string_list *fields,
			    enum column column)
{
	const char *text = table->columns[column] ? fields->items[table->columns[column] - 1] : "";

	return *text ? text : NULL;
}

static int fill_label(struct import_label *label, const struct table *table,
		      const struct string_list *fields, struct error *err)
{
	const char *better = field_of(table, fields, COLUMN_BETTER);
	const char *params = field_of(table, fields, COLUMN_PARAMS);
	const char *name = field_of(table, fields, COLUMN_BENCHMARK);

	if (!name)
		return error_set(err, ERROR_DATA, "a row without a benchmark");
	label->written = xstrdup(name);
	label->benchmark = import_clean_name(name, strlen(name));
	label->params = xstrdup(params ? params : "");
	label->unit = xstrdup(field_of(table, fields, COLUMN_UNIT));
	label->has_better = better != NULL;
	if (!*label->benchmark || strlen(name) + strlen(label->params) > IMPORT_LABEL_MAX)
		return error_set(err, ERROR_DATA,
				 "a benchmark's name without letters or digits, or "
				 "too long");
	if (better && !better_parse(better, &label->better))
		return error_set(err, ERROR_DATA, "'%.40s' is neither lower nor higher", better);
	return 0;
}

static int add_row(struct tool_reader *reader, const struct table *table,
		   const struct string_list *fields, const struct import_label *label,
		   struct error *err)
{
	_cleanup_(import_measure_release) struct import_measure measure = {0};
	const char *variant = field_of(table, fields, COLUMN_VARIANT);
	const char *metric = field_of(table, fields, COLUMN_METRIC);
	const char *text = field_of(table, fields, COLUMN_VALUE);
	double value;

	if (number_parse(text ? text : "", &value, err) < 0 ||
	    import_measure_resolve(&measure, reader->input, label, NULL, err) < 0)
		return -1;
	if (metric) {
		free(measure.metric);
		measure.metric = import_clean_name(metric, strlen(metric));
	}
	if (!*measure.metric)
		return error_set(err, ERROR_DATA, "a metric without letters or digits");
	if (variant && strchr(variant, '@'))
		return error_set(err, ERROR_DATA, "'%.80s' cannot be the name of a variant",
				 variant);
	value *= measure.factor;
	reader->values++;
	return import_builder_add(&reader->builder, variant ? variant : reader->variant, label,
				  &measure, &value, 1, err);
}

static int read_row(struct tool_reader *reader, const struct table *table,
		    const struct tool_line *line, struct error *err)
{
	_cleanup_(string_list_release) struct string_list fields = {0};
	_cleanup_(import_label_release) struct import_label label = {0};

	if (split_fields(line->text, &fields, err) < 0)
		return -1;
	if (fields.count != table->fields)
		return error_set(err, ERROR_DATA, "%zu fields, the header has %zu", fields.count,
				 table->fields);
	if (!line->complete) {
		error_set(err, ERROR_DATA, "the file ends within this line");
		return error_hint(err, "if the row is whole, end the line");
	}
	if (fill_label(&label, table, &fields, err) < 0)
		return -1;
	return add_row(reader, table, &fields, &label, err);
}

bool csv_recognise(const char *text, size_t length)
{
	const char *newline = length ? memchr(text, '\n', length) : NULL;
	_cleanup_(error_clear) struct error ignored = {0};
	_cleanup_free_ char *line = NULL;
	struct table table = {0};

	if (!newline)
		return false;
	line = xstrndup(text, (size_t)(newline - text));
	line[strcspn(line, "\r")] = '\0';
	return strchr(line, ',') && read_header(&table, line, &ignored) == 0;
}

int csv_read(const struct import_input *input, struct run_set_list *sets, struct error *err)
{
	_cleanup_(tool_reader_release) struct tool_reader reader = {0};
	struct table table = {0};

	if (tool_reader_init(&reader, input, err) < 0)
		return -1;
	for (size_t i = 0; i < reader.lines.count; i++) {
		const struct tool_line *line = &reader.lines.items[i];

		reader.line = i + 1;
		if (!*line->text)
			continue;
		if ((table.fields ? read_row(&reader, &table, line, err)
				  : read_header(&table, line->text, err)) < 0)
			return tool_fail(&reader, err);
	}
	return tool_reader_finish(&reader, sets, err);
}
