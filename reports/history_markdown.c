/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A history as a comment on a merge request, laid out like that of a comparison. */
#include "common/number.h"
#include "reports/history_describe.h"
#include "reports/markdown_text.h"

static const struct history_change *change_of(const struct history_report *report,
					      const struct history_item *item,
					      const struct history_series **series)
{
	*series = &report->series.items[item->series];
	return &(*series)->changes.items[item->change];
}

/* In the table, against in the fold. */
static bool is_urgent(const struct history_change *change)
{
	return change->grade <= HISTORY_CHANGED;
}

static void take_escaped(struct strbuf *out, struct strbuf *text)
{
	markdown_append(out, strbuf_text(text));
	strbuf_clear(text);
}

static void append_q(struct strbuf *out, const struct history_change *change)
{
	double shown = change->q >= 0 ? change->q : change->p;

	if (shown < 1e-4)
		strbuf_append(out, "&lt;0.0001");
	else
		number_append_significant(out, shown, 2);
}

static void append_row(struct strbuf *out, const struct history_report *report,
		       const struct history_series *series, const struct history_change *change)
{
	_cleanup_(scale_release) struct scale scale = history_scale(series);
	_cleanup_(strbuf_release) struct strbuf text = STRBUF_INIT;
	const char *emphasis = change->grade == HISTORY_REGRESSED ? "**" : "";

	history_series_name(&text, report, series);
	strbuf_append(out, "| ");
	take_escaped(out, &text);
	history_change_verdict(&text, change);
	strbuf_printf(out, " | %s%s%s | ", emphasis, strbuf_text(&text), emphasis);
	strbuf_clear(&text);
	history_change_place(&text, series, change);
	take_escaped(out, &text);
	strbuf_append(out, " | ");
	history_change_size(&text, change, &scale);
	take_escaped(out, &text);
	strbuf_append(out, " | ");
	history_change_interval(&text, change, &scale);
	take_escaped(out, &text);
	strbuf_append(out, " | ");
	append_q(out, change);
	strbuf_append(out, " |\n");
}

static void append_sentence(struct strbuf *out, const struct history_report *report,
			    const struct history_series *series,
			    const struct history_change *change)
{
	_cleanup_(strbuf_release) struct strbuf text = STRBUF_INIT;

	strbuf_append(out, "- ");
	history_series_name(&text, report, series);
	take_escaped(out, &text);
	strbuf_append(out, ": ");
	history_change_sentence(&text, report, series, change);
	take_escaped(out, &text);
	strbuf_append_char(out, '\n');
}

typedef void (*append_fn)(struct strbuf *out, const struct history_report *report,
			  const struct history_series *series, const struct history_change *change);

/* Appends the changes that are urgent, or not, while there is room. */
static void append_changes(struct strbuf *out, const struct history_report *report, bool urgent,
			   append_fn append)
{
	size_t room = MARKDOWN_MOST_ROWS, left_out = 0;

	array_for_each (item, &report->items) {
		const struct history_series *series;
		const struct history_change *change = change_of(report, item, &series);

		if (is_urgent(change) != urgent)
			continue;
		if (!room)
			left_out++;
		else if (room--)
			append(out, report, series, change);
	}
	if (left_out)
		strbuf_printf(out, "\n%zu more changes are left out here.\n", left_out);
}

static size_t count_urgent(const struct history_report *report)
{
	size_t count = 0;

	for (size_t i = 0; i <= HISTORY_CHANGED; i++)
		count += report->counts[i];
	return count;
}

static void append_urgent(struct strbuf *out, const struct history_report *report)
{
	if (!count_urgent(report))
		return;
	strbuf_append(out, "| series | change | first at | size | 95% CI | q |\n"
			   "|---|---|---|--:|---|--:|\n");
	append_changes(out, report, true, append_row);
	strbuf_append_char(out, '\n');
	markdown_open_fold(out, "numbers behind it");
	append_changes(out, report, true, append_sentence);
	markdown_close_fold(out);
}

static void append_others(struct strbuf *out, const struct history_report *report)
{
	if (report->items.count == count_urgent(report))
		return;
	markdown_open_fold(out, "settled, unsure, or of the spread");
	append_changes(out, report, false, append_sentence);
	markdown_close_fold(out);
}

static void append_notes(struct strbuf *out, const struct history_report *report)
{
	size_t shown = 0;

	if (!report->notes.count)
		return;
	markdown_open_fold(out, "how it was found");
	array_for_each (note, &report->notes) {
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

static const char *headline(const struct history_report *report)
{
	if (report->counts[HISTORY_REGRESSED])
		return "performance regression in the history";
	if (report->counts[HISTORY_ACKNOWLEDGED])
		return "no new regression, some are being worked on";
	if (report->counts[HISTORY_IMPROVED])
		return "performance improvement in the history";
	return count_urgent(report) ? "the level changed" : "no change in the history";
}

int history_write_markdown(const struct history_report *report, struct strbuf *out,
			   struct error *err)
{
	(void)err;
	strbuf_printf(out, "### kregress: %s\n\n", headline(report));
	history_extent(out, report);
	strbuf_append(out, ": ");
	history_counts(out, report);
	strbuf_append(out, " (alpha ");
	format_alpha(out, report->alpha);
	strbuf_append(out, ").\n\n");
	append_urgent(out, report);
	append_others(out, report);
	append_notes(out, report);
	return 0;
}
