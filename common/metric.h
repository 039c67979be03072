/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What is measured, and which way is good. The metrics that kregress itself collects are in one
 * table; imported series may bring others and state unit and direction themselves.
 */
#ifndef KREGRESS_COMMON_METRIC_H
#define KREGRESS_COMMON_METRIC_H

#include <stdbool.h>

enum better {
	BETTER_LOWER,
	BETTER_HIGHER,
};

struct metric {
	const char *name; /* "time", "cycles", "insn", "rate" */
	const char *unit; /* as kregress collects it: "ns/op", "cycles/op", "insn/op", "1/s" */
	enum better better;
	/*
	 * True where disturbance only ever adds and the undisturbed value repeats exactly:
	 * a boot is then represented by its smallest sample, and values without variance are
	 * compared exactly instead of by a test.
	 */
	bool deterministic;
	const char *summary;
};

/* The metric of that name, or NULL. */
const struct metric *metric_find(const char *name);

/* The table, ended by an entry whose name is NULL. */
extern const struct metric metrics[];

/* "lower" or "higher". */
const char *better_name(enum better better);

/* Reads "lower" or "higher"; false for anything else. */
bool better_parse(const char *text, enum better *better);

#endif
