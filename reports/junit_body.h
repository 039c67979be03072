/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a JUnit case says, as text that is fit for XML and short enough for dashboards. */
#ifndef KREGRESS_REPORTS_JUNIT_BODY_H
#define KREGRESS_REPORTS_JUNIT_BODY_H

#include "reports/report.h"

/* The outcome child of a case; a case that passed has none. */
enum junit_outcome {
	JUNIT_PASSED,
	JUNIT_FAILURE,
	JUNIT_ERROR,
	JUNIT_SKIPPED,
};

/* One line of a message. */
#define JUNIT_MESSAGE_LIMIT 1000

/* Dashboards cut or refuse more than 50 kB of a body. */
#define JUNIT_BODY_LIMIT 48000

/* What the reader chose, or else the outcome by default. */
enum junit_outcome junit_outcome_as(enum shown_as shown, enum junit_outcome by_default);

/* By the verdict, and as the report's presentation wants open findings and improvements shown. */
enum junit_outcome junit_outcome_of(const struct report *report,
				    const struct report_finding *finding);

/* Attribute `type` of a failure or error, NULL for the others. */
const char *junit_outcome_type(const struct report *report, const struct report_finding *finding);

/* True when the variant gets a case of its own for its boots: every one of them failed. */
bool junit_has_boot_case(const struct report_variant *variant);

/* Appends the message, one line of at most about 1 kB. */
void junit_message(struct strbuf *out, const struct report *report,
		   const struct report_series *series, const struct report_finding *finding);
void junit_boot_message(struct strbuf *out, const struct report_variant *variant);

/* Appends message and details, less than 50 kB. */
void junit_body(struct strbuf *out, const struct report *report, const struct report_series *series,
		const struct report_finding *finding);
void junit_boot_body(struct strbuf *out, const struct report_variant *variant);

/* Appends the failed boots of a side with the ends of their consoles, less than 50 kB. */
void junit_failed_boots(struct strbuf *out, const struct report_variant *variant);

/* Appends a line "[[ATTACHMENT|PATH]]" for each file that goes with a failed finding. */
void junit_attachments(struct strbuf *out, const struct report *report,
		       const struct report_finding *finding);

/* Appends the first `limit` bytes of a text that is fit for XML; says how much is missing. */
void junit_bounded(struct strbuf *out, const struct strbuf *text, size_t limit);

/* Appends one clean line, cut after `limit` bytes. */
void junit_line(struct strbuf *out, const char *text, size_t limit);

#endif
