/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Units as tools and people write them, and what they and benchmarks' names say of direction. */
#ifndef KREGRESS_COLLECTOR_IMPORT_UNIT_H
#define KREGRESS_COLLECTOR_IMPORT_UNIT_H

#include <stdbool.h>

#include "common/metric.h"

/* Bytes of a unit's name, with the NUL. */
#define UNIT_SIZE 40

struct unit {
	char name[UNIT_SIZE]; /* one spelling per unit: "us" for "usecs", "MB/s" for "MB/sec" */
	double factor;	      /* value in `name` per value in the unit as written: 60 for "min" */
	const char *metric;   /* "time", "cycles", "insn", "rate"; "value" when not known */
	enum better better;   /* of a known unit */
	bool known;	      /* false: nothing but the name is known */
};

/*
 * Reads a unit: times, cycles, instructions, also per operation ("ns/op"), and anything per time
 * ("MB/sec", "1/s"). Any other word that can be a unit is accepted as not known. False for what
 * cannot be one: empty, too long, with blanks or digits in it.
 */
bool unit_parse(const char *text, struct unit *unit);

/* True when a benchmark's name or parameters contain a word that suggests a direction. */
bool direction_suggested(const char *name, const char *params, enum better *better);

#endif
