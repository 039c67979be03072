/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The command that measures a finding again, or compares it again where it cannot be measured. */
#ifndef KREGRESS_REPORTS_REPRODUCE_H
#define KREGRESS_REPORTS_REPRODUCE_H

#include "reports/report.h"

/*
 * Appends a shell command, quoted where needed: `kregress ab BASE NEW --bench NAME --boots N`, with
 * the schedule's seed and what differs from the defaults; `kregress compare BASE@ID NEW@ID` where
 * a side was imported. `boots` a side; 0: as many as there were.
 */
void report_reproduce(struct strbuf *out, const struct report *report,
		      const struct report_series *series, const struct report_finding *finding,
		      size_t boots);

/* Appends ` WORD`, in single quotes unless a shell takes it as it is. */
void shell_append_word(struct strbuf *out, const char *word);

#endif
