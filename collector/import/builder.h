/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Collects imported values into run sets, one per variant. */
#ifndef KREGRESS_COLLECTOR_IMPORT_BUILDER_H
#define KREGRESS_COLLECTOR_IMPORT_BUILDER_H

#include <stddef.h>

#include "collector/import/importer.h"
#include "collector/import/measure.h"

/* More of them in one file is taken for a mistake. */
#define IMPORT_VARIANTS_MAX   256
#define IMPORT_BENCHMARKS_MAX 4096

/* A series as the first row that names it states it. */
struct import_known {
	char *written;
	char *benchmark;
	char *params;
	char *metric;
	char *unit;
	enum better better;
};

struct import_builder {
	const struct import_input *input; /* not owned */
	char *collection;
	struct run_set_list sets;
	ARRAY_OF(struct import_known) known;
};

void import_builder_init(struct import_builder *builder, const struct import_input *input);
void import_builder_release(struct import_builder *builder);

/*
 * Adds values, in their unit, behind those that the variant's series already has. With LEVEL_BOOT
 * the n-th value of every series is boot n. Refused: a unit or direction that differs from former
 * rows of the series, a name that only cleaning makes equal to another, a negative or infinite
 * value where there can be none, too many variants or benchmarks.
 */
int import_builder_add(struct import_builder *builder, const char *variant,
		       const struct import_label *label, const struct import_measure *measure,
		       const double *values, size_t count, struct error *err) __must_check;

/*
 * Appends a value to a series of the set, at the place that the set's level gives it: the n-th
 * value of a series is boot n, or invocation or iteration n of boot 0.
 */
void import_add_value(struct run_set *set, struct series *series, double value);

/*
 * Appends the run sets to `*sets` and leaves the builder empty. Each variant is a block of its own,
 * as nothing says that the variants were interleaved; slots follow the input.
 */
void import_builder_finish(struct import_builder *builder, struct run_set_list *sets);

#endif
