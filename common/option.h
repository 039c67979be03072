/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Command-line options from a table. The same table parses, prints the help and makes the man
 * page. Values go into a structure of the command's own, at the offset that its row names.
 */
#ifndef KREGRESS_COMMON_OPTION_H
#define KREGRESS_COMMON_OPTION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/array.h"
#include "common/error.h"
#include "common/strbuf.h"

enum option_kind {
	OPTION_FLAG,	 /* bool, set to true */
	OPTION_STRING,	 /* const char *, points into argv */
	OPTION_STRINGS,	 /* struct string_list, one more each time; the caller releases it */
	OPTION_UINT,	 /* uint64_t */
	OPTION_FRACTION, /* double, "2%" or "0.02" */
	OPTION_OUTPUT,	 /* const char *, a file to write; without a name "-", standard output */
	OPTION_DURATION, /* double, seconds; "90", "250ms", "3m44.8s" */
};

struct option_spec {
	const char *name;     /* without dashes; NULL ends the table */
	char letter;	      /* short form, or 0 */
	const char *argument; /* "FILE"; NULL for a flag */
	enum option_kind kind;
	size_t offset; /* of the value in the structure */
	const char *help;
};

#define OPTION_ROW(structure, field, kind, name, letter, argument, help)                           \
	{                                                                                          \
		name, letter, argument, kind, offsetof(structure, field), help                     \
	}
#define OPTION_END                                                                                 \
	{                                                                                          \
		NULL, 0, NULL, OPTION_FLAG, 0, NULL                                                \
	}

/*
 * Parses argv[0..argc). The argument of OPTION_OUTPUT may be missing: the next word is taken for
 * it only when it is "-" or ends as `argument` does (".json" of "FILE.json"). Options may stand
 * anywhere before "--"; what is left over goes to `positional`, which the caller releases. Refused
 * with ERROR_USAGE: an option that is not in the table, a missing or superfluous argument, a value
 * of the wrong kind.
 */
int options_parse(const struct option_spec *specs, void *values, int argc, char *const *argv,
		  struct string_list *positional, struct error *err) __must_check;

/* "-b, --boots N": as help and man page show it. */
void option_append_usage(struct strbuf *out, const struct option_spec *spec);

#endif
