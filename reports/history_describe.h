/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the formats of a history report say in the same words. */
#ifndef KREGRESS_REPORTS_HISTORY_DESCRIBE_H
#define KREGRESS_REPORTS_HISTORY_DESCRIBE_H

#include "reports/format.h"
#include "reports/history.h"

/* True when both are of one variant on one machine class. */
bool history_same_timeline(const struct history_series *a, const struct history_series *b);

/* "sched.hackbench [groups=4] time", and, where the report has several, ", VARIANT on MACHINE". */
void history_series_name(struct strbuf *out, const struct history_report *report,
			 const struct history_series *series);

/* The scale of a series' values; the caller releases it. */
struct scale history_scale(const struct history_series *series);

/* "regressed (new)", "improved (fixed)", "spread wider", "trend regressed (new)", "changed" */
void history_change_verdict(struct strbuf *out, const struct history_change *change);

/* A point by what identifies it best: "85e511df3cec", "run set 0123456789ab", "line 12". */
void history_point_name(struct strbuf *out, const struct history_series *series, size_t index);

/* The date of a point, "2026-11-30"; nothing where it is unknown. */
void history_point_date(struct strbuf *out, const struct history_series *series, size_t index);

/* "85e511df3cec (2026-11-30)", the first point after the change. */
void history_change_place(struct strbuf *out, const struct history_series *series,
			  const struct history_change *change);

/*
 * "after 0123456789ab, at 85e511df3cec at the latest": the interval of the place; "right after
 * 0123456789ab" where it holds one point only.
 */
void history_change_bounds(struct strbuf *out, const struct history_series *series,
			   const struct history_change *change);

/* "100.1 ns/op → 107.2 ns/op"; for the spread, "sd 1.1 ns/op → 3.2 ns/op". */
void history_change_sides(struct strbuf *out, const struct history_change *change,
			  const struct scale *scale);

/* "+7.1%", "+7.12 ns/op" where there is no ratio. */
void history_change_size(struct strbuf *out, const struct history_change *change,
			 const struct scale *scale);
/* Its interval, "+5.9% .. +8.3%", "unknown" when it is. */
void history_change_interval(struct strbuf *out, const struct history_change *change,
			     const struct scale *scale);

/* "p=0.0004", or "p=0.0004, q=0.01" where q is known. */
void history_change_probability(struct strbuf *out, const struct history_change *change);

/*
 * A sentence without its line break: verdict, size, sides, where, p and q, cause, group, what took
 * it back, note, finding id.
 */
void history_change_sentence(struct strbuf *out, const struct history_report *report,
			     const struct history_series *series,
			     const struct history_change *change);

/* "1 regressed, 0 acknowledged, 2 improved": what is there, and always the regressed. */
void history_counts(struct strbuf *out, const struct history_report *report);

/* "12 series with 340 points, 10 of them without a change." */
void history_extent(struct strbuf *out, const struct history_report *report);

#endif
