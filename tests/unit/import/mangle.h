/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Damages an input in many ways, and holds the importers to their promise: an error with the line,
 * or values that the whole input has, too; never another value.
 */
#ifndef KREGRESS_TESTS_UNIT_IMPORT_MANGLE_H
#define KREGRESS_TESTS_UNIT_IMPORT_MANGLE_H

#include <stddef.h>

struct mangle_counts {
	size_t refused;	 /* with file and line */
	size_t accepted; /* with values of the whole input only */
};

/*
 * Reads the text, of `format` or "auto", whole; then cut behind every line, cut at about `steps`
 * places in between, and with about `steps` digits replaced, one at a time, by each letter of
 * `letters`. Fails the test when a promise is broken. `name` is for messages.
 */
struct mangle_counts mangle(const char *name, const char *format, const char *text, size_t length,
			    size_t steps, const char *letters);

#endif
