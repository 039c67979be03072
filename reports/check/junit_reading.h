/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A JUnit document as its readers see it: cases with their outcomes, in order. */
#ifndef KREGRESS_REPORTS_CHECK_JUNIT_READING_H
#define KREGRESS_REPORTS_CHECK_JUNIT_READING_H

#include <stdbool.h>
#include <stddef.h>

#include <libxml/tree.h>

#include "common/array.h"
#include "common/error.h"

/* Bytes of one text that readers built on libxml2 take when they read a file. */
#define JUNIT_TEXT_MAX 10000000

enum case_outcome {
	CASE_PASSED,
	CASE_FAILED,
	CASE_ERROR,
	CASE_SKIPPED,
};

struct junit_case {
	long line;
	size_t suite; /* index into junit_reading.suites */
	char *classname;
	char *name;
	char *time;
	enum case_outcome outcome; /* the gravest of its children */
	size_t outcomes;	   /* children that say one */
	bool also_skipped;	   /* `skipped` beside a failure or error */
	char *message;		   /* of the outcome child; NULL: none */
	char *body;		   /* of the outcome child, without blanks around; "" when empty */
	bool has_type;
	size_t output_length; /* system-out, in bytes */
	size_t attachments;
	bool has_output;
	bool has_properties;
	bool has_file;
};

struct junit_suite {
	long line;
	size_t depth;			 /* 0: not within another suite */
	size_t counts[CASE_SKIPPED + 1]; /* its own cases, by outcome */
	char *name;
	char *time;
	char *timestamp;
	char *tests, *failures, *errors, *skipped; /* attributes as written, or NULL */
	bool has_package, has_id, has_hostname;
	bool has_properties, has_output, has_error_output;
};

struct junit_reading {
	bool root_is_suite; /* testsuite without testsuites around it */
	bool root_has_attributes;
	long huge_line;	       /* of a text over JUNIT_TEXT_MAX, 0: none */
	char *unknown_element; /* first one that no schema has, or NULL */
	long unknown_line;
	char *unknown_attribute; /* of a case, beyond classname, name, time, file and line */
	ARRAY_OF(struct junit_suite) suites;
	ARRAY_OF(struct junit_case) cases;
};

/* Reads the tree; false when its root is no JUnit element. The caller releases in any case. */
bool junit_reading_of(struct junit_reading *reading, xmlDoc *document);
void junit_reading_release(struct junit_reading *reading);

#endif
