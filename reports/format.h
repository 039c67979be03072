/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Pieces of text that several report formats share. All are the same in every locale. */
#ifndef KREGRESS_REPORTS_FORMAT_H
#define KREGRESS_REPORTS_FORMAT_H

#include "reports/report.h"

/* A unit that makes a series' values readable: value in the series' unit x factor = shown. */
struct scale {
	double factor;
	char *unit; /* owned; "" for a series without unit */
};

/*
 * The scale at which `value` reads well: 21000 ns/op is shown as 21 us/op. All values of a series
 * are to be shown at one scale.
 */
struct scale scale_for(double value, const char *unit);
void scale_release(struct scale *scale);

/* The value to show; finite for a finite value. */
double scale_apply(const struct scale *scale, double value);

/* A value that is typical of the series, to choose the scale by; 0 when there is none. */
double series_typical_value(const struct report_series *series);

/* "+7.1%" for the ratio 1.071. */
void format_change(struct strbuf *out, double ratio);

/* "+5.9% .. +8.3%" for a CI of the ratio, "unknown" when it is. */
void format_change_interval(struct strbuf *out, const struct interval *interval);

/* "2%" for 0.02. */
void format_fraction(struct strbuf *out, double fraction);

/* "95% CI" for alpha 0.05. */
void format_confidence(struct strbuf *out, double alpha);

/* Three significant digits: "0.05", "0.0131". */
void format_alpha(struct strbuf *out, double alpha);

/*
 * "0.836": three places, cut and not rounded, as tables on the kernel list traditionally give it;
 * significant digits where three places say nothing.
 */
void format_ratio(struct strbuf *out, double ratio);

/* "q=0.0004", "q<0.0001". */
void format_probability(struct strbuf *out, const char *name, double probability);

/* "8.324 ns/op"; "+8.324 ns/op" for a difference. */
void format_value(struct strbuf *out, double value, const struct scale *scale);
void format_shift(struct strbuf *out, double shift, const struct scale *scale);

/* "sched.hackbench [groups=4] time". */
void format_series_name(struct strbuf *out, const struct report_series *series);

/* "2 regressed, 0 improved, 1 equivalent, 1 inconclusive, 0 failed". */
void format_counts(struct strbuf *out, const struct report *report);

/*
 * A reason from outside on one line and at most 300 bytes long; says so when it is NULL or empty.
 * Owned by the caller.
 */
char *format_reason(const char *text);

/* Appends the first `limit` bytes of `text`, whole code points, "..." behind what was cut. */
void format_head(struct strbuf *out, const char *text, size_t limit);

/*
 * Appends the end of `text`, at most `limit` bytes of it, from the start of a line where there is
 * one, else from the start of a code point; says how much was left out.
 */
void format_tail(struct strbuf *out, const char *text, size_t limit);

#endif
