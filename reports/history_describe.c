/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "reports/history_describe.h"

#include <string.h>

#include "common/number.h"
#include "store/run_set.h"

enum { ABBREVIATION = 12, DATE_LENGTH = 10 };

static bool same_text(const char *a, const char *b)
{
	return a && b ? !strcmp(a, b) : a == b;
}

bool history_same_timeline(const struct history_series *a, const struct history_series *b)
{
	return same_text(a->variant, b->variant) && same_text(a->machine, b->machine);
}

void history_series_name(struct strbuf *out, const struct history_report *report,
			 const struct history_series *series)
{
	_cleanup_free_ char *label = series_label(series->benchmark, series->params);

	strbuf_printf(out, "%s%s%s", label, *series->metric ? " " : "", series->metric);
	if (!report->several)
		return;
	if (series->variant)
		strbuf_printf(out, ", %s", series->variant);
	if (series->machine)
		strbuf_printf(out, " on %s", series->machine);
}

struct scale history_scale(const struct history_series *series)
{
	double typical = 0;

	if (series->levels.count)
		typical = series->levels.items[0].from;
	else if (series->points.count)
		typical = series->points.items[0].location;
	return scale_for(typical, series->unit);
}

static const char *change_word(const struct history_change *change)
{
	if (change->kind == CHANGE_KIND_SPREAD)
		return change->after > change->before ? "spread wider" : "spread narrower";
	if (change->grade == HISTORY_UNSURE)
		return "unsure";
	if (!change->finding)
		return "changed";
	return change->finding->regression ? "regressed" : "improved";
}

void history_change_verdict(struct strbuf *out, const struct history_change *change)
{
	if (change->kind == CHANGE_KIND_TREND)
		strbuf_append(out, "trend ");
	strbuf_append(out, change_word(change));
	if (change->finding)
		strbuf_printf(out, " (%s)", finding_state_name(change->finding->state));
}

void history_point_name(struct strbuf *out, const struct history_series *series, size_t index)
{
	const struct history_point *point = &series->points.items[index];

	if (point->commit)
		strbuf_printf(out, "%.*s", ABBREVIATION, point->commit);
	else if (point->run_set)
		strbuf_printf(out, "run set %.*s", ABBREVIATION, point->run_set);
	else
		strbuf_printf(out, "line %zu", index + 1);
}

void history_point_date(struct strbuf *out, const struct history_series *series, size_t index)
{
	const struct history_point *point = &series->points.items[index];

	if (point->time)
		strbuf_printf(out, "%.*s", DATE_LENGTH, point->time);
}

void history_change_place(struct strbuf *out, const struct history_series *series,
			  const struct history_change *change)
{
	_cleanup_(strbuf_release) struct strbuf date = STRBUF_INIT;

	history_point_name(out, series, change->index);
	history_point_date(&date, series, change->index);
	if (date.length)
		strbuf_printf(out, " (%s)", strbuf_text(&date));
}

void history_change_bounds(struct strbuf *out, const struct history_series *series,
			   const struct history_change *change)
{
	if (change->low == change->high)
		strbuf_append(out, "right ");
	strbuf_append(out, "after ");
	history_point_name(out, series, change->low ? change->low - 1 : 0);
	if (change->low == change->high)
		return;
	strbuf_append(out, ", at ");
	history_point_name(out, series, change->high);
	strbuf_append(out, " at the latest");
}

void history_change_sides(struct strbuf *out, const struct history_change *change,
			  const struct scale *scale)
{
	if (change->kind == CHANGE_KIND_SPREAD)
		strbuf_append(out, "sd ");
	format_value(out, change->before, scale);
	strbuf_append(out, " \u2192 ");
	format_value(out, change->after, scale);
}

void history_change_size(struct strbuf *out, const struct history_change *change,
			 const struct scale *scale)
{
	if (change->ratio > 0)
		format_change(out, change->ratio);
	else
		format_shift(out, change->difference, scale);
}

void history_change_interval(struct strbuf *out, const struct history_change *change,
			     const struct scale *scale)
{
	if (change->ratio > 0) {
		format_change_interval(out, &change->ratio_ci);
	} else if (!change->difference_ci.known) {
		strbuf_append(out, "unknown");
	} else {
		format_shift(out, change->difference_ci.low, scale);
		strbuf_append(out, " .. ");
		format_shift(out, change->difference_ci.high, scale);
	}
}

void history_change_probability(struct strbuf *out, const struct history_change *change)
{
	format_probability(out, "p", change->p);
	if (change->q < 0)
		return;
	strbuf_append(out, ", ");
	format_probability(out, "q", change->q);
}

static void append_finding(struct strbuf *out, const struct history_change *change)
{
	const struct finding *finding = change->finding;

	if (!change->seen)
		strbuf_append(out, "; not shown by the present detection");
	if (change->cause)
		strbuf_printf(out, "; likely cause: %s", change->cause);
	if (!finding)
		return;
	if (change->group_size > 1)
		strbuf_printf(out, "; one of %zu changes in group %s", change->group_size,
			      finding->group);
	if (finding->fixed_by && finding->state == FINDING_FIXED)
		strbuf_printf(out, "; taken back by finding %s", finding->fixed_by);
	if (finding->note)
		strbuf_printf(out, "; note: %s", finding->note);
	strbuf_printf(out, "; finding %s", finding->id);
}

void history_change_sentence(struct strbuf *out, const struct history_report *report,
			     const struct history_series *series,
			     const struct history_change *change)
{
	_cleanup_(scale_release) struct scale scale = history_scale(series);

	(void)report;
	history_change_verdict(out, change);
	strbuf_append(out, ": ");
	history_change_size(out, change, &scale);
	strbuf_append(out, " (95% CI ");
	history_change_interval(out, change, &scale);
	strbuf_append(out, "), ");
	history_change_sides(out, change, &scale);
	strbuf_append(out, ", at ");
	history_change_place(out, series, change);
	strbuf_append(out, ", ");
	history_change_bounds(out, series, change);
	strbuf_append(out, ", ");
	history_change_probability(out, change);
	append_finding(out, change);
}

void history_counts(struct strbuf *out, const struct history_report *report)
{
	for (size_t i = 0; i < HISTORY_GRADES; i++) {
		if (i && !report->counts[i])
			continue;
		strbuf_printf(out, "%s%zu %s", i ? ", " : "", report->counts[i],
			      history_grade_name((enum history_grade)i));
	}
}

void history_extent(struct strbuf *out, const struct history_report *report)
{
	strbuf_printf(out, "%zu series with %zu points, %zu of them without a change",
		      report->series.count, report->points, report->steady);
}
