/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "reports/mail_table.h"

#include <math.h>

#include "common/number.h"
#include "common/text.h"
#include "reports/export_names.h"
#include "reports/format.h"
#include "reports/wrap.h"

/* Rows of a group that nobody has to act on. */
#define MOST_QUIET_ROWS 40

/* Columns: a value, its deviation, the change, the other value with its deviation, the name. */
enum { VALUE_COLUMNS = 10, SPREAD_COLUMNS = 7, CHANGE_COLUMNS = 9, NAME_COLUMN = 46 };

enum group {
	GROUP_CHANGED,
	GROUP_QUIET,
	GROUP_CONTEXT,
};

static enum group group_of(const struct report_series *series, const struct report_finding *finding)
{
	if (series->context)
		return GROUP_CONTEXT;
	return finding->comparison.verdict == VERDICT_REGRESSED ||
			       finding->comparison.verdict == VERDICT_IMPROVED
		       ? GROUP_CHANGED
		       : GROUP_QUIET;
}

static void append_right(struct strbuf *out, const struct strbuf *cell, size_t columns)
{
	size_t width = text_width(strbuf_text(cell));

	strbuf_append_repeat(out, ' ', width < columns ? columns - width : 0);
	strbuf_append(out, strbuf_text(cell));
}

/* "     23.17 ±  2%": a deviation that rounds to nothing is left out. */
static void append_value(struct strbuf *out, const struct summary *summary,
			 const struct scale *scale)
{
	_cleanup_(strbuf_release) struct strbuf value = STRBUF_INIT;
	_cleanup_(strbuf_release) struct strbuf spread = STRBUF_INIT;
	double percent = summary->mean != 0 ? 100 * fabs(summary->sd / summary->mean) : 0;

	number_append_significant(&value, scale_apply(scale, summary->mean), 5);
	append_right(out, &value, VALUE_COLUMNS);
	if (summary->n > 1 && percent >= 0.5 && percent < 999)
		strbuf_printf(&spread, " ± %3.0f%%", percent);
	strbuf_append(out, strbuf_text(&spread));
	strbuf_append_repeat(out, ' ', SPREAD_COLUMNS - text_width(strbuf_text(&spread)));
}

static void append_change(struct strbuf *out, const struct comparison *comparison)
{
	_cleanup_(strbuf_release) struct strbuf change = STRBUF_INIT;

	if (comparison->ratio_known)
		format_change(&change, comparison->ratio);
	else
		strbuf_append_char(&change, '-');
	append_right(out, &change, CHANGE_COLUMNS);
}

static void append_name(struct strbuf *out, size_t start, const struct report *report,
			const struct report_series *series, const struct report_finding *finding,
			const struct scale *scale)
{
	_cleanup_(strbuf_release) struct strbuf name = STRBUF_INIT;
	size_t used = text_width(out->text + start);

	strbuf_append(&name, series->benchmark);
	strbuf_printf(&name, ".%s", series->metric);
	if (*series->params)
		strbuf_printf(&name, " [%s]", series->params);
	if (*scale->unit)
		strbuf_printf(&name, " (%s)", scale->unit);
	if (report->variants.count > 1)
		strbuf_printf(&name, " @%s", report->variants.items[finding->variant].name);
	if (used < NAME_COLUMN) {
		strbuf_append_repeat(out, ' ', NAME_COLUMN - used);
		used = NAME_COLUMN;
	}
	wrap_append(out, strbuf_text(&name), used, NAME_COLUMN, MAIL_WIDTH);
}

/* n, CI, q, limit: what the row rests on. */
static void append_support(struct strbuf *out, const struct report *report,
			   const struct report_finding *finding, bool judged)
{
	const struct comparison *comparison = &finding->comparison;
	_cleanup_(strbuf_release) struct strbuf text = STRBUF_INIT;

	strbuf_printf(&text, "n=%zu+%zu, ", comparison->base.n, comparison->candidate.n);
	format_confidence(&text, report->alpha);
	strbuf_append_char(&text, ' ');
	format_change_interval(&text, &comparison->ratio_ci);
	if (comparison->p_known) {
		strbuf_append(&text, ", ");
		format_probability(&text, judged ? "q" : "p",
				   judged ? comparison->q : comparison->p);
	}
	if (judged) {
		strbuf_append(&text, ", limit ");
		format_fraction(&text, finding->limit_frac);
		strbuf_printf(&text, ", %s", verdict_name(comparison->verdict));
	}
	strbuf_printf(&text, ", finding %s", finding->id);
	strbuf_append(out, "            ");
	wrap_append(out, strbuf_text(&text), 12, 12, MAIL_WIDTH);
}

static void append_row(struct strbuf *out, const struct report *report,
		       const struct report_series *series, const struct report_finding *finding)
{
	_cleanup_(scale_release) struct scale scale =
		scale_for(series_typical_value(series), series->unit);
	size_t start = out->length;

	append_value(out, &finding->comparison.base, &scale);
	append_change(out, &finding->comparison);
	strbuf_append(out, "  ");
	append_value(out, &finding->comparison.candidate, &scale);
	append_name(out, start, report, series, finding, &scale);
	append_support(out, report, finding, !series->context);
}

static void append_heading(struct strbuf *out, const struct report *report, const char *title)
{
	_cleanup_(strbuf_release) struct strbuf base = STRBUF_INIT;
	_cleanup_(strbuf_release) struct strbuf names = STRBUF_INIT;

	text_append_visible(&names, report->base.name);
	format_head(&base, strbuf_text(&names), VALUE_COLUMNS + SPREAD_COLUMNS - 4);
	strbuf_clear(&names);
	text_append_visible(&names,
			    report->variants.count == 1 ? report->variants.items[0].name : "new");
	strbuf_printf(out, "%s:\n\n", title);
	append_right(out, &base, VALUE_COLUMNS + SPREAD_COLUMNS);
	strbuf_append(out, "             ");
	format_head(out, strbuf_text(&names), MAIL_WIDTH / 2 - 4);
	strbuf_append(out, "\n      mean %stddev   %change        mean %stddev\n"
			   "---------------- --------- -----------------\n");
}

static void append_group(struct strbuf *out, const struct report *report, enum group group,
			 const char *title)
{
	size_t shown = 0, left_out = 0;

	array_for_each (series, &report->series) {
		array_for_each (finding, &series->findings) {
			if (finding->problem != PROBLEM_NONE || group_of(series, finding) != group)
				continue;
			if (group != GROUP_CHANGED && shown == MOST_QUIET_ROWS) {
				left_out++;
				continue;
			}
			if (!shown++)
				append_heading(out, report, title);
			append_row(out, report, series, finding);
		}
	}
	if (left_out)
		strbuf_printf(out, "    (%zu more, left out here)\n", left_out);
	if (shown)
		strbuf_append_char(out, '\n');
}

void mail_table_append(struct strbuf *out, const struct report *report)
{
	append_group(out, report, GROUP_CHANGED, "Changed");
	append_group(out, report, GROUP_QUIET, "Judged, no certain change");
	append_group(out, report, GROUP_CONTEXT, "Background, not judged");
}
