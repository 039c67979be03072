/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What every JUnit document has around and in its suites. */
#ifndef KREGRESS_REPORTS_JUNIT_DOCUMENT_H
#define KREGRESS_REPORTS_JUNIT_DOCUMENT_H

#include "common/error.h"
#include "reports/junit_check.h"
#include "reports/junit_xml.h"
#include "reports/presentation.h"

/* Writes the suites of a document, within its root. */
typedef void (*junit_suites_fn)(struct junit *junit, const void *report);

/*
 * Appends a whole document. Fails with ERROR_IO when libxml2 does, and with ERROR_DATA when the
 * document, read again, does not hold what `counts` says.
 */
int junit_document_write(junit_suites_fn write_suites, const void *report,
			 enum junit_flavour flavour, const struct junit_counts *counts,
			 struct strbuf *out, struct error *err) __must_check;

/* The counts of a suite, with those that were skipped, and its time. */
void junit_suite_counts(struct junit *junit, const struct junit_counts *counts);

/*
 * The outcome child of a case: "failure", "error" or "skipped". `type` may be NULL. Message and
 * body are fit for XML; the message is also the body's first line, as GitLab drops the attribute.
 */
void junit_outcome(struct junit *junit, const char *name, const char *type,
		   const struct strbuf *message, const struct strbuf *body);

#endif
