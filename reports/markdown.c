/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A comment for a merge request: the verdict in the first line, what somebody has to act on in a
 * short table, everything else folded.
 */
#include "common/number.h"
#include "common/text.h"
#include "reports/format.h"
#include "reports/markdown_text.h"
#include "reports/writers.h"

static void append_series(struct strbuf *out, const struct report_series *series)
{
	_cleanup_(strbuf_release) struct strbuf text = STRBUF_INIT;

	format_series_name(&text, series);
	markdown_append(out, strbuf_text(&text));
}

/* "+7.1% | +5.9% .. +8.3% | 0.0004", or what stands in the way. */
static void append_numbers(struct strbuf *out, const struct report_finding *finding)
{
	const struct comparison *comparison = &finding->comparison;

	if (finding->problem != PROBLEM_NONE) {
		strbuf_append(out, "- | - | -");
		return;
	}
	if (comparison->ratio_known)
		format_change(out, comparison->ratio);
	else
		strbuf_append_char(out, '-');
	strbuf_append(out, " | ");
	format_change_interval(out, &comparison->ratio_ci);
	strbuf_append(out, " | ");
	if (!comparison->p_known)
		strbuf_append_char(out, '-');
	else if (comparison->q < 1e-4)
		strbuf_append(out, "&lt;0.0001");
	else
		number_append_significant(out, comparison->q, 2);
}

static void append_row(struct strbuf *out, const struct report *report,
		       const struct report_series *series, const struct report_finding *finding)
{
	bool regressed = finding->comparison.verdict == VERDICT_REGRESSED;

	strbuf_append(out, "| ");
	append_series(out, series);
	strbuf_append(out, " | ");
	markdown_append(out, report->variants.items[finding->variant].name);
	strbuf_append(out, " | ");
	append_numbers(out, finding);
	strbuf_printf(out, " | %s%s%s |\n", regressed ? "**" : "",
		      verdict_name(finding->comparison.verdict), regressed ? "**" : "");
}

typedef void (*append_fn)(struct strbuf *out, const struct report *report,
			  const struct report_series *series, const struct report_finding *finding);

/* Appends the findings of these verdicts while there is room; says how many found none. */
static void append_findings(struct strbuf *out, const struct report *report,
			    const enum verdict *verdicts, size_t count, append_fn append)
{
	size_t room = MARKDOWN_MOST_ROWS, left_out = 0;

	for (size_t i = 0; i < count; i++) {
		array_for_each (series, &report->series) {
			array_for_each (finding, &series->findings) {
				if (series->context || finding->comparison.verdict != verdicts[i])
					continue;
				if (!room)
					left_out++;
				else if (room--)
					append(out, report, series, finding);
			}
		}
	}
	if (left_out)
		strbuf_printf(out, "\n%zu more findings are left out here.\n", left_out);
}

static size_t count_of(const struct report *report, const enum verdict *verdicts, size_t count)
{
	size_t total = 0;

	for (size_t i = 0; i < count; i++)
		total += report_count(report, verdicts[i]);
	return total;
}

static void append_table(struct strbuf *out, const struct report *report,
			 const enum verdict *verdicts, size_t count)
{
	if (!count_of(report, verdicts, count))
		return;
	strbuf_append(out, "| benchmark | variant | change | ");
	format_confidence(out, report->alpha);
	strbuf_append(out, " | q | verdict |\n|---|---|--:|---|--:|---|\n");
	append_findings(out, report, verdicts, count, append_row);
	strbuf_append_char(out, '\n');
}

static const char *headline(const struct report *report)
{
	if (report_count(report, VERDICT_REGRESSED))
		return "performance regression";
	if (report_count(report, VERDICT_FAILED))
		return "measurement failed";
	if (report_count(report, VERDICT_IMPROVED))
		return "performance improvement";
	if (report_count(report, VERDICT_INCONCLUSIVE))
		return "no regression found, some series are undecided";
	return "no change beyond the limit";
}

static void append_subject(struct strbuf *out, const struct report *report)
{
	array_for_each (variant, &report->variants) {
		if (variant != report->variants.items)
			strbuf_append(out, ", ");
		markdown_append(out, variant->name);
	}
	strbuf_append(out, " against the base ");
	markdown_append(out, report->base.name);
	strbuf_append(out, ": ");
	format_counts(out, report);
	strbuf_append(out, " (limit ");
	format_fraction(out, report->limit_frac);
	strbuf_append(out, ", alpha ");
	format_alpha(out, report->alpha);
	strbuf_append(out, ").\n\n");
}

static void append_culprit(struct strbuf *out, const struct report *report)
{
	if (!report->culprit_note)
		return;
	strbuf_append(out, "**");
	markdown_append(out, report->culprit_note);
	strbuf_append(out, "**\n\n");
}

static void append_sentence(struct strbuf *out, const struct report *report,
			    const struct report_series *series,
			    const struct report_finding *finding)
{
	_cleanup_(strbuf_release) struct strbuf text = STRBUF_INIT;

	strbuf_append(out, "- ");
	append_series(out, series);
	if (report->variants.count > 1) {
		strbuf_append(out, ", ");
		markdown_append(out, report->variants.items[finding->variant].name);
	}
	strbuf_append(out, ": ");
	report_explain(&text, report, series, finding);
	markdown_append(out, strbuf_text(&text));
	strbuf_printf(out, " (finding %s)\n", finding->id);
}

static void append_notes(struct strbuf *out, const struct report *report)
{
	size_t shown = 0;

	markdown_open_fold(out, "how it was measured");
	array_for_each (note, &report->notes) {
		if (*note == report->culprit_note)
			continue;
		if (shown++ == MARKDOWN_MOST_ROWS) {
			strbuf_printf(out, "- %zu more notes are left out here\n",
				      report->notes.count - MARKDOWN_MOST_ROWS);
			break;
		}
		strbuf_append(out, "- ");
		markdown_append(out, *note);
		strbuf_append_char(out, '\n');
	}
	markdown_close_fold(out);
}

/* A fold with the sentences of these verdicts, if there are any. */
static void append_sentences(struct strbuf *out, const struct report *report, const char *summary,
			     const enum verdict *verdicts, size_t count)
{
	if (!count_of(report, verdicts, count))
		return;
	markdown_open_fold(out, summary);
	append_findings(out, report, verdicts, count, append_sentence);
	markdown_close_fold(out);
}

int report_write_markdown(const struct report *report, struct strbuf *out, struct error *err)
{
	static const enum verdict urgent[] = {VERDICT_REGRESSED, VERDICT_FAILED, VERDICT_IMPROVED};
	static const enum verdict open[] = {VERDICT_INCONCLUSIVE};

	(void)err;
	strbuf_printf(out, "### kregress: %s\n\n", headline(report));
	append_subject(out, report);
	append_culprit(out, report);
	append_table(out, report, urgent, ARRAY_SIZE(urgent));
	append_sentences(out, report, "numbers behind it", urgent, ARRAY_SIZE(urgent));
	append_sentences(out, report, "undecided", open, ARRAY_SIZE(open));
	append_notes(out, report);
	return 0;
}
