/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The report formats, a file each; see struct report_writer. */
#ifndef KREGRESS_REPORTS_WRITERS_H
#define KREGRESS_REPORTS_WRITERS_H

#include "reports/report.h"

/* For a terminal and a mail; UTF-8, no line break or control character from outside. */
int report_write_text(const struct report *report, struct strbuf *out, struct error *err);

/*
 * JUnit XML as Jenkins' xunit plug-in, GitLab and their like read it; see junit.c. Fails when the
 * document, read again, is not the one that was meant.
 */
int report_write_junit(const struct report *report, struct strbuf *out, struct error *err);

/* `kregress-comparison-1`, described by docs/kregress-comparison-1.schema.json. */
int report_write_json(const struct report *report, struct strbuf *out, struct error *err);

/* A short comment for a merge request. */
int report_write_markdown(const struct report *report, struct strbuf *out, struct error *err);

#endif
