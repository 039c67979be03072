/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/unit/import/mangle.h"

#include <ctype.h>

#include "tests/unit/import/import_test.h"

struct mangler {
	const char *name;
	const char *format;
	struct run_set_list whole;
	struct mangle_counts counts;
};

static bool has_value(const struct run_set_list *sets, const struct series *wanted, double value)
{
	for (size_t i = 0; i < sets->count; i++)
		array_for_each (series, &sets->items[i]->series) {
			/* A name may hold the letter; the value may not. */
			if (strcmp(series->unit, wanted->unit) != 0)
				continue;
			array_for_each (sample, &series->samples)
				if (sample->value == value)
					return true;
		}
	return false;
}

static void check_values(const struct mangler *mangler, const struct run_set_list *sets,
			 const char *how, size_t at)
{
	for (size_t i = 0; i < sets->count; i++)
		array_for_each (series, &sets->items[i]->series)
			array_for_each (sample, &series->samples)
				if (!has_value(&mangler->whole, series, sample->value))
					fail_msg("%s, %s at %zu: %s [%s] %s is %.17g %s",
						 mangler->name, how, at, series->benchmark,
						 series->params, series->metric, sample->value,
						 series->unit);
}

/* "t:12: cause" */
static bool names_line(const char *message)
{
	size_t digits = strncmp(message, "t:", 2) ? 0 : strspn(message + 2, "0123456789");

	return digits && message[2 + digits] == ':' && message[3 + digits] == ' ';
}

static void try_input(struct mangler *mangler, const char *text, size_t length, const char *how,
		      size_t at)
{
	_cleanup_(run_set_list_release) struct run_set_list sets = {0};
	_cleanup_(error_clear) struct error err = {0};
	struct import_input input = input_of("");

	input.text = text;
	input.length = length;
	if (importer_read(mangler->format, &input, &sets, &err) == 0) {
		check_values(mangler, &sets, how, at);
		mangler->counts.accepted++;
		return;
	}
	if (!names_line(err.message) || !err.hint)
		fail_msg("%s, %s at %zu: '%s' names no line, or has no hint", mangler->name, how,
			 at, err.message);
	assert_int_equal(sets.count, 0);
	mangler->counts.refused++;
}

/* A copy of its own size for each, so that a sanitizer sees a step beyond it. */
static void try_cut(struct mangler *mangler, const char *text, size_t length)
{
	_cleanup_free_ char *copy = xcalloc(length + 1, 1);

	memcpy(copy, text, length);
	try_input(mangler, copy, length, "cut", length);
}

static void cut_lines(struct mangler *mangler, const char *text, size_t length)
{
	for (size_t i = 0; i < length; i++)
		if (text[i] == '\n') {
			try_cut(mangler, text, i);
			try_cut(mangler, text, i + 1);
		}
}

static void cut_anywhere(struct mangler *mangler, const char *text, size_t length, size_t steps)
{
	size_t step = length / steps + 1;

	for (size_t i = 0; i < length; i += step)
		try_cut(mangler, text, i);
}

static void replace_digits(struct mangler *mangler, const char *text, size_t length, size_t steps,
			   char letter)
{
	_cleanup_free_ char *copy = xcalloc(length + 1, 1);
	size_t digits = 0, seen = 0;

	memcpy(copy, text, length);
	for (size_t i = 0; i < length; i++)
		digits += isdigit((unsigned char)text[i]) != 0;
	for (size_t i = 0; i < length; i++) {
		if (!isdigit((unsigned char)text[i]) || seen++ % (digits / steps + 1))
			continue;
		copy[i] = letter;
		try_input(mangler, copy, length, "a letter", i);
		copy[i] = text[i];
	}
}

struct mangle_counts mangle(const char *name, const char *format, const char *text, size_t length,
			    size_t steps, const char *letters)
{
	struct mangler mangler = {.name = name, .format = format};
	struct import_input input = input_of("");

	input.text = text;
	input.length = length;
	mangler.whole = read_input(format, &input);
	cut_lines(&mangler, text, length);
	cut_anywhere(&mangler, text, length, steps);
	for (; *letters; letters++)
		replace_digits(&mangler, text, length, steps, *letters);
	run_set_list_release(&mangler.whole);
	return mangler.counts;
}
