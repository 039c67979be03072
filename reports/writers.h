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

/* A mail to the kernel's lists; see mail.c. */
int report_write_mail(const struct report *report, struct strbuf *out, struct error *err);

/*
 * Numbers for other systems, each described in its file. What the format has no place for is left
 * out: report_left_out() counts it.
 */
int report_write_kcidb(const struct report *report, struct strbuf *out, struct error *err);
int report_write_squad_metrics(const struct report *report, struct strbuf *out, struct error *err);
int report_write_squad_tests(const struct report *report, struct strbuf *out, struct error *err);
int report_write_squad_metadata(const struct report *report, struct strbuf *out, struct error *err);
int report_write_github_smaller(const struct report *report, struct strbuf *out, struct error *err);
int report_write_github_bigger(const struct report *report, struct strbuf *out, struct error *err);
int report_write_bencher(const struct report *report, struct strbuf *out, struct error *err);
int report_write_benchfmt(const struct report *report, struct strbuf *out, struct error *err);
int report_write_prometheus(const struct report *report, struct strbuf *out, struct error *err);

/* One self-contained page with plots and the raw samples; see html.c. */
int report_write_html(const struct report *report, struct strbuf *out, struct error *err);

#endif
