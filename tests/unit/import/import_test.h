/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the tests of the importers share. */
#ifndef KREGRESS_TESTS_UNIT_IMPORT_TEST_H
#define KREGRESS_TESTS_UNIT_IMPORT_TEST_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "collector/import/importer.h"

static inline struct import_input input_of(const char *text)
{
	return (struct import_input){
		.name = "t",
		.text = text,
		.length = strlen(text),
		.created_at = "2026-11-30T20:33:07Z",
		.machine = "box",
	};
}

/* Reads what must be good. */
static inline struct run_set_list read_input(const char *format, const struct import_input *input)
{
	struct run_set_list sets = {0};
	struct error err = {0};

	if (importer_read(format, input, &sets, &err) < 0)
		fail_msg("%s (%s)", err.message, err.hint ? err.hint : "no hint");
	assert_null(err.message);
	return sets;
}

static inline struct run_set_list read_table(const char *text)
{
	struct import_input input = input_of(text);

	return read_input("table", &input);
}

/* Reads what must be refused: the message begins with `where`, holds `what`, and has a hint. */
static inline void refuse_input(const char *format, const struct import_input *input,
				const char *where, const char *what)
{
	_cleanup_(error_clear) struct error err = {0};
	struct run_set_list sets = {0};

	assert_int_equal(importer_read(format, input, &sets, &err), -1);
	if (strncmp(err.message, where, strlen(where)) != 0 || !strstr(err.message, what))
		fail_msg("'%s' is not '%s' with '%s'", err.message, where, what);
	assert_non_null(err.hint);
	assert_int_equal(sets.count, 0);
	assert_null(sets.items);
}

static inline void refuse_table(const char *text, const char *where, const char *what)
{
	struct import_input input = input_of(text);

	refuse_input("table", &input, where, what);
}

static inline const struct run_set *set_of(const struct run_set_list *sets, const char *variant)
{
	for (size_t i = 0; i < sets->count; i++)
		if (!strcmp(sets->items[i]->variant, variant))
			return sets->items[i];
	fail_msg("no variant '%s'", variant);
	return NULL;
}

/* The series must consist of exactly these values, to 1e-12 of each. */
static inline const struct series *expect_values(const struct run_set_list *sets,
						 const char *variant, const char *benchmark,
						 const char *params, const char *metric,
						 const double *values, size_t count)
{
	const struct series *series =
		run_set_find(set_of(sets, variant), benchmark, params, metric);

	if (!series)
		fail_msg("%s has no %s [%s] %s", variant, benchmark, params, metric);
	assert_int_equal(series->samples.count, count);
	for (size_t i = 0; i < count; i++) {
		double difference = series->samples.items[i].value - values[i];

		if (difference > 1e-12 * values[i] || difference < -1e-12 * values[i])
			fail_msg("%s %s: value %zu is %.17g, not %.17g", variant, benchmark, i,
				 series->samples.items[i].value, values[i]);
	}
	return series;
}

#define EXPECT(sets, variant, benchmark, params, metric, ...)                                      \
	expect_values(sets, variant, benchmark, params, metric, (const double[]){__VA_ARGS__},     \
		      sizeof((const double[]){__VA_ARGS__}) / sizeof(double))

#endif
