/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The values of one row of a table, with their units. */
#ifndef KREGRESS_COLLECTOR_IMPORT_CELLS_H
#define KREGRESS_COLLECTOR_IMPORT_CELLS_H

#include <stdbool.h>
#include <stddef.h>

#include "collector/import/lines.h"
#include "collector/import/unit.h"

struct table_cell {
	double value;
	char unit[UNIT_SIZE];  /* unit.name; "" when none is written */
	bool separate;	       /* the unit is a word of its own */
	bool missing;	       /* "-": there is no value */
	unsigned int decimals; /* digits behind the point; 0 for other than plain numbers */
};

struct table_cells {
	struct table_cell *items;
	size_t count;
	size_t capacity;
};

/*
 * Reads the words of `line` from `first` on. Left out: "(...)", the word "±" or "+-" with the word
 * behind it, and all from a word that begins with "|" or is "ratio". `may_miss` allows "-" and
 * "n/a". Errors do not name the line. At least one cell is returned; release with array_release().
 */
int table_cells_read(struct table_cells *cells, const struct table_line *line, size_t first,
		     bool may_miss, struct error *err) __must_check;

/*
 * The unit of the row: a unit behind the last value stands for all when no other has one. `*unit`
 * is NULL when there is none and points into `cells`. Mixed units are an error.
 */
int table_cells_unit(const struct table_cells *cells, const char **unit, struct error *err)
	__must_check;

/*
 * Drops a last column that repeats the ratio of means to the first row, as mails print it
 * (Galbraith 2013: "149354 124016 128436 .836"). It is one when in every row but the first the last
 * value has no unit, two decimals or more, and is the mean of the row's other values over that of
 * the first row, to one in its last digit; the first row may close with 1.000. Values that are near
 * the ratio themselves stay. A column that can be no sample, 20 times off each other value in every
 * row, and no ratio either, is an error.
 */
int table_cells_drop_ratio(struct table_cells *rows, size_t count, struct error *err) __must_check;

#endif
