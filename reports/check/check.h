/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Does a report suit those who read it? A document, ours or anyone's JUnit, is held against what
 * the consumers are known to take, show, drop and refuse. Nothing is fetched or executed.
 */
#ifndef KREGRESS_REPORTS_CHECK_CHECK_H
#define KREGRESS_REPORTS_CHECK_CHECK_H

#include <stddef.h>

#include "common/array.h"
#include "common/error.h"

enum remark_level {
	REMARK_NOTE,	/* what is shown, and how */
	REMARK_WARNING, /* something of the file is not shown */
	REMARK_ERROR,	/* the file is refused, or a failure is not shown as one */
};

struct remark {
	enum remark_level level;
	const char *consumer; /* static; NULL: holds for every reader */
	long line;	      /* 0: none in particular */
	char *text;
};

struct check_result {
	const char *format; /* static: "junit", "kcidb", "json", "prometheus", "benchfmt" */
	char *summary;	    /* what the file holds, a sentence */
	ARRAY_OF(struct remark) remarks;
};

/*
 * Checks a document. `consumer`: one of consumers[] (consumers.h), or NULL for all but
 * those that are asked for by name; only JUnit has several. The format is told from the content;
 * ERROR_DATA when it is none that is known. What is wrong with the document is in the remarks and
 * no failure of this function.
 */
int report_check(const char *document, size_t length, const char *consumer,
		 struct check_result *result, struct error *err) __must_check;
void check_result_release(struct check_result *result);

/* The gravest level among the remarks; REMARK_NOTE when there are none. */
enum remark_level check_result_level(const struct check_result *result);

/* "note", "warning", "error". */
const char *remark_level_name(enum remark_level level);

/* Adds a remark. */
void check_remark(struct check_result *result, enum remark_level level, const char *consumer,
		  long line, const char *format, ...) _printf_(5, 6);

#endif
