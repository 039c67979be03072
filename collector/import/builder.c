/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "collector/import/builder.h"

#include <math.h>
#include <string.h>

void import_builder_init(struct import_builder *builder, const struct import_input *input)
{
	*builder = (struct import_builder){
		.input = input,
		.collection = run_set_make_id(),
	};
}

void import_builder_release(struct import_builder *builder)
{
	array_for_each (known, &builder->known) {
		free(known->written);
		free(known->benchmark);
		free(known->params);
		free(known->metric);
		free(known->unit);
	}
	array_release(&builder->known);
	run_set_list_release(&builder->sets);
	free(builder->collection);
	*builder = (struct import_builder){0};
}

static int check_known(const struct import_known *known, const struct import_label *label,
		       const struct import_measure *measure, struct error *err)
{
	if (strcmp(known->written, label->written) != 0) {
		error_set(err, ERROR_DATA, "'%s' and '%s' both become the benchmark '%s'",
			  known->written, label->written, known->benchmark);
		return error_hint(err, "use names that differ in letters, digits, '.', '_' or '-'");
	}
	if (strcmp(known->unit, measure->unit) != 0) {
		error_set(err, ERROR_DATA, "mixed units: '%s' is in '%s' and in '%s'",
			  known->written, known->unit, measure->unit);
		return error_hint(err, "write all values of a benchmark in one unit");
	}
	if (known->better != measure->better) {
		error_set(err, ERROR_DATA, "'%s' is better %s and better %s", known->written,
			  better_name(known->better), better_name(measure->better));
		return error_hint(err, "give a benchmark one direction");
	}
	return 0;
}

/* Compares with former rows of the series, or notes its first. */
static int check_series(struct import_builder *builder, const struct import_label *label,
			const struct import_measure *measure, struct error *err)
{
	struct import_known *first;

	array_for_each (known, &builder->known)
		if (!strcmp(known->benchmark, label->benchmark) &&
		    !strcmp(known->params, label->params) &&
		    !strcmp(known->metric, measure->metric))
			return check_known(known, label, measure, err);
	if (builder->known.count == IMPORT_BENCHMARKS_MAX) {
		error_set(err, ERROR_DATA, "more than %d benchmarks", IMPORT_BENCHMARKS_MAX);
		return error_hint(err, "split the input into several files");
	}
	first = array_append(&builder->known);
	first->written = xstrdup(label->written);
	first->benchmark = xstrdup(label->benchmark);
	first->params = xstrdup(label->params);
	first->metric = xstrdup(measure->metric);
	first->unit = xstrdup(measure->unit);
	first->better = measure->better;
	return 0;
}

static int check_values(const struct import_label *label, const struct import_measure *measure,
			const double *values, size_t count, struct error *err)
{
	for (size_t i = 0; i < count; i++) {
		if (!isfinite(values[i]))
			return error_set(err, ERROR_DATA, "value %zu of '%s' is out of range",
					 i + 1, label->written);
		if (measure->never_negative && values[i] < 0) {
			error_set(err, ERROR_DATA, "value %zu of '%s' is negative: %g %s", i + 1,
				  label->written, values[i], measure->unit);
			return error_hint(err, "a %s cannot be negative", measure->metric);
		}
	}
	return 0;
}

static struct run_set *add_set(struct import_builder *builder, const char *variant)
{
	const struct import_input *input = builder->input;
	struct run_set *set = xcalloc(1, sizeof(*set));

	run_set_init(set, variant);
	set->collection = xstrdup(builder->collection);
	set->target = xstrdup("import");
	set->machine = xstrdup(input->machine ? input->machine : "unknown");
	set->created_at = xstrdup(input->created_at);
	set->level = input->level;
	run_set_list_add(&builder->sets, set);
	return set;
}

static struct run_set *find_set(struct import_builder *builder, const char *variant,
				struct error *err)
{
	for (size_t i = 0; i < builder->sets.count; i++)
		if (!strcmp(builder->sets.items[i]->variant, variant))
			return builder->sets.items[i];
	if (builder->sets.count == IMPORT_VARIANTS_MAX) {
		error_set(err, ERROR_DATA, "more than %d variants", IMPORT_VARIANTS_MAX);
		error_hint(err, "split the input into several files");
		return NULL;
	}
	return add_set(builder, variant);
}

void import_add_value(struct run_set *set, struct series *series, double value)
{
	uint32_t place = (uint32_t)series->samples.count;
	uint32_t boot = set->level == LEVEL_BOOT ? place : 0;

	while (set->boots.count <= boot)
		run_set_add_boot(set);
	series_add_sample(series, boot, set->level == LEVEL_INVOCATION ? place : 0,
			  set->level == LEVEL_ITERATION ? place : 0, value);
}

int import_builder_add(struct import_builder *builder, const char *variant,
		       const struct import_label *label, const struct import_measure *measure,
		       const double *values, size_t count, struct error *err)
{
	struct run_set *set;
	struct series *series;

	if (check_values(label, measure, values, count, err) < 0 ||
	    check_series(builder, label, measure, err) < 0)
		return -1;
	set = find_set(builder, variant, err);
	if (!set)
		return -1;
	series = run_set_series(set, label->benchmark, label->params, measure->metric,
				measure->unit, measure->better);
	if (!series)
		return error_set(err, ERROR_DATA, "mixed units in '%s'", label->written);
	for (size_t i = 0; i < count; i++)
		import_add_value(set, series, values[i]);
	return 0;
}

void import_builder_finish(struct import_builder *builder, struct run_set_list *sets)
{
	uint32_t slot = 0;

	for (size_t i = 0; i < builder->sets.count; i++) {
		struct run_set *set = builder->sets.items[i];

		array_for_each (boot, &set->boots) {
			boot->block = (uint32_t)i;
			boot->slot = slot++;
		}
		run_set_list_add(sets, set);
	}
	builder->sets.count = 0;
	import_builder_release(builder);
}
