/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a row of imported values measures: from names and units as written to a series. */
#ifndef KREGRESS_COLLECTOR_IMPORT_MEASURE_H
#define KREGRESS_COLLECTOR_IMPORT_MEASURE_H

#include <stdbool.h>
#include <stddef.h>

#include "collector/import/importer.h"

/* Bytes of a name with its parameters; they are keys in stores and reports. */
#define IMPORT_LABEL_MAX 512

/* A benchmark as the input writes it. */
struct import_label {
	char *written;	 /* the name as it is in the input */
	char *benchmark; /* the name, of [A-Za-z0-9._-] only */
	char *params;	 /* "-l 10000"; "" when there are none */
	char *unit;	 /* as written; NULL when the label states none */
	bool has_better;
	enum better better;
};

void import_label_release(struct import_label *label);

/*
 * A name of [A-Za-z0-9._-] only: runs of other characters become one "_", or nothing at the ends.
 * "" when nothing is left. Owned by the caller.
 */
char *import_clean_name(const char *text, size_t length);

/*
 * Reads "tbench 8" with the text from brackets behind it ("MB/s, higher"), or NULL when there are
 * none. The first word is the name, the others are the parameters. Without brackets, unit and
 * direction may follow a comma: "tbench 8, MB/s". In brackets, parts that are neither unit nor
 * direction are parameters: "hackbench [groups=4]". Characters that a name cannot hold become "_".
 * Refused: a name without letters or digits, over 512 bytes, two units, two directions.
 */
int import_label_parse(struct import_label *label, const char *text, const char *brackets,
		       struct error *err) __must_check;

/* True when `text` ends in a comma and units or directions: ", MB/s, higher". */
bool import_label_states_unit(const char *text);

/* The series that a label's values belong to. */
struct import_measure {
	char *metric;
	char *unit; /* "" when dimensionless */
	enum better better;
	double factor;	     /* from values as read to values in `unit` */
	bool never_negative; /* a time, a count or a rate */
};

void import_measure_release(struct import_measure *measure);

/*
 * Decides metric, unit and direction. `at_values` is the name of the unit (struct unit) that the
 * values carry themselves and were converted to, or NULL. Direction, the first that applies: the
 * label, `input`, the unit, words of the label. Fails when the units of values and label differ,
 * and when the direction stays unknown.
 */
int import_measure_resolve(struct import_measure *measure, const struct import_input *input,
			   const struct import_label *label, const char *at_values,
			   struct error *err) __must_check;

#endif
