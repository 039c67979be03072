/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A JUnit document read again: libxml2 reports success for text that no parser takes. */
#ifndef KREGRESS_REPORTS_JUNIT_CHECK_H
#define KREGRESS_REPORTS_JUNIT_CHECK_H

#include <stddef.h>

#include "common/error.h"

struct junit_counts {
	size_t tests;
	size_t failures;
	size_t errors;
	size_t skipped;
	double time_s;
};

/*
 * Fails with ERROR_DATA when the document is not well-formed, does not hold as many cases of each
 * outcome as expected, a case has several outcomes, or two cases share classname and name.
 */
int junit_check(const char *document, size_t length, const struct junit_counts *expected,
		struct error *err) __must_check;

#endif
