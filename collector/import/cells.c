/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "collector/import/cells.h"

#include <math.h>
#include <string.h>
#include <strings.h>

#include "common/number.h"

/* How far a last value must be from the mean of the others to be no sample. */
#define RATIO_APART  2.0
#define SAMPLE_APART 20.0

static bool ends_cells(const char *word)
{
	return *word == '|' || !strcasecmp(word, "ratio") || !strncasecmp(word, "ratio=", 6);
}

static bool is_missing(const char *word)
{
	return !strcmp(word, "-") || !strcasecmp(word, "n/a");
}

static bool is_spread_mark(const char *word)
{
	return !strcmp(word, "\xc2\xb1") || !strcmp(word, "+-") || !strcmp(word, "+/-");
}

static unsigned int count_decimals(const char *word)
{
	const char *point = strchr(word, '.');

	return point ? (unsigned int)strspn(point + 1, "0123456789") : 0;
}

static int set_unit(struct table_cell *cell, const char *text, struct error *err)
{
	struct unit unit;

	if (!unit_parse(text, &unit)) {
		error_set(err, ERROR_DATA, "'%.*s' is not a unit", 40, text);
		return -1;
	}
	memcpy(cell->unit, unit.name, sizeof(cell->unit));
	cell->value *= unit.factor;
	if (!isfinite(cell->value))
		return error_set(err, ERROR_DATA, "the value is out of range");
	return 0;
}

static int bad_value(const char *word, struct error *err)
{
	error_set(err, ERROR_DATA, "'%s' is not a value", word);
	return error_hint(err, "write 1234.5, 21.1ns or 3m44.8s: a decimal point, no thousands "
			       "separators, finite");
}

static int parse_value(struct table_cell *cell, const char *word, struct error *err)
{
	size_t length = strlen(word);
	_cleanup_free_ char *unit = NULL;
	_cleanup_free_ char *text = NULL;

	length -= word[length - 1] == ',' || word[length - 1] == ';';
	text = xstrndup(word, length);
	if (number_parse_quantity(text, &cell->value, &unit, err) < 0)
		return bad_value(text, err);
	if (!unit)
		cell->decimals = count_decimals(text);
	else if (set_unit(cell, unit, err) < 0)
		return bad_value(text, err);
	return 0;
}

/* A unit as a word of its own belongs to the value before it. */
static int parse_separate_unit(struct table_cells *cells, const char *word, struct error *err)
{
	struct table_cell *last = cells->count ? &cells->items[cells->count - 1] : NULL;
	struct unit unit;

	if (!last || last->missing || *last->unit || !unit_parse(word, &unit) || !unit.known) {
		error_set(err, ERROR_DATA, "'%s' is neither a value nor a unit", word);
		return error_hint(err, "put remarks into parentheses, and ':' behind names of "
				       "several words");
	}
	last->separate = true;
	last->decimals = 0;
	return set_unit(last, word, err);
}

static int parse_word(struct table_cells *cells, const char *word, bool may_miss, struct error *err)
{
	if (*word == '(' || !strncmp(word, "\xc2\xb1", 2))
		return 0;
	if (may_miss && is_missing(word)) {
		array_append(cells)->missing = true;
		return 0;
	}
	if (word_is_numeric(word))
		return parse_value(array_append(cells), word, err);
	return parse_separate_unit(cells, word, err);
}

int table_cells_read(struct table_cells *cells, const struct table_line *line, size_t first,
		     bool may_miss, struct error *err)
{
	*cells = (struct table_cells){0};
	for (size_t i = first; i < line->words.count; i++) {
		const char *word = line->words.items[i];

		if (ends_cells(word))
			break;
		if (is_spread_mark(word)) {
			i++;
			continue;
		}
		if (parse_word(cells, word, may_miss, err) < 0) {
			array_release(cells);
			return -1;
		}
	}
	if (!cells->count)
		return error_set(err, ERROR_DATA, "'%s' has no values", line->words.items[0]);
	return 0;
}

static int mixed_units(const char *one, const char *other, struct error *err)
{
	const char *first = *one ? one : other;
	const char *second = *one ? other : one;

	if (*second)
		error_set(err, ERROR_DATA, "mixed units in one row: '%s' and '%s'", first, second);
	else
		error_set(err, ERROR_DATA, "mixed units in one row: '%s' and none", first);
	return error_hint(err, "write all values in one unit, and ratios in parentheses");
}

int table_cells_unit(const struct table_cells *cells, const char **unit, struct error *err)
{
	const struct table_cell *first = NULL;
	const struct table_cell *last = NULL;
	size_t with_unit = 0;
	bool mixed = false;

	*unit = NULL;
	array_for_each (cell, cells) {
		if (cell->missing)
			continue;
		if (!first)
			first = cell;
		mixed |= strcmp(cell->unit, first->unit) != 0;
		if (mixed && !last)
			last = cell;
		with_unit += *cell->unit != '\0';
	}
	if (!first)
		return 0;
	if (mixed) {
		const struct table_cell *end = &cells->items[cells->count - 1];

		if (with_unit != 1 || !end->separate)
			return mixed_units(first->unit, last->unit, err);
		first = end;
	}
	*unit = *first->unit ? first->unit : NULL;
	return 0;
}

static double mean(const struct table_cell *cells, size_t count)
{
	double sum = 0;

	for (size_t i = 0; i < count; i++)
		sum += cells[i].value / (double)count;
	return sum;
}

static bool is_apart(double value, double other, double times)
{
	return value > 0 && other > 0 && (value > times * other || other > times * value);
}

/* The base row closes with 1.000, which is no sample. */
static bool closes_with_one(const struct table_cells *row)
{
	const struct table_cell *last = &row->items[row->count - 1];

	return row->count > 1 && last->decimals >= 2 && last->value == 1 &&
	       is_apart(1, mean(row->items, row->count - 1), RATIO_APART);
}

static bool closes_with_ratio(const struct table_cells *row, double base_mean)
{
	const struct table_cell *last = &row->items[row->count - 1];
	double row_mean, unit_in_last_place;

	if (row->count < 2 || last->decimals < 2 || *last->unit)
		return false;
	row_mean = mean(row->items, row->count - 1);
	unit_in_last_place = pow(10, -(double)last->decimals);
	return is_apart(last->value, row_mean, RATIO_APART) && base_mean > 0 &&
	       fabs(last->value - row_mean / base_mean) <= unit_in_last_place;
}

/* A bare last value that is far away from each of two or more others. */
static bool closes_far_off(const struct table_cells *row)
{
	const struct table_cell *last = &row->items[row->count - 1];

	if (row->count < 3 || last->decimals < 2)
		return false;
	for (size_t i = 0; i + 1 < row->count; i++)
		if (!is_apart(last->value, row->items[i].value, SAMPLE_APART))
			return false;
	return true;
}

int table_cells_drop_ratio(struct table_cells *rows, size_t count, struct error *err)
{
	bool one = closes_with_one(&rows[0]);
	double base_mean = mean(rows[0].items, rows[0].count - one);
	bool ratio = count > 1, far_off = count > 1;

	for (size_t i = 1; i < count; i++) {
		ratio = ratio && closes_with_ratio(&rows[i], base_mean);
		far_off = far_off && closes_far_off(&rows[i]);
	}
	if (!ratio && far_off) {
		error_set(err, ERROR_DATA,
			  "the last values are far off the others but not the ratio of means");
		return error_hint(err, "put a ratio into parentheses or behind '|'");
	}
	if (!ratio)
		return 0;
	rows[0].count -= one;
	for (size_t i = 1; i < count; i++)
		rows[i].count--;
	return 0;
}
