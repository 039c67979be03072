/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A bisection as text, and as bars. */
#include <string.h>

#include "common/number.h"
#include "common/text.h"
#include "reports/bisect_report.h"

enum { ABBREVIATION = 12 };

static void append_values(struct strbuf *out, const struct bisect_commit *commit)
{
	if (!commit->count)
		return;
	strbuf_append(out, "  ");
	number_append_significant(out, commit->mean, 6);
	if (commit->count > 1) {
		strbuf_append(out, " +- ");
		number_append_significant(out, commit->sd, 3);
	}
	strbuf_printf(out, " (n=%zu)", commit->count);
}

static void append_commit(struct strbuf *out, const struct bisect_commit *commit)
{
	strbuf_printf(out, "  %c %.*s %-8s ", commit->in_set ? '*' : ' ', ABBREVIATION, commit->id,
		      bisect_commit_state_name(commit->state));
	number_append_fixed(out, commit->probability, 4);
	append_values(out, commit);
	strbuf_append(out, "  ");
	text_append_visible(out, commit->subject);
	if (commit->reason) {
		strbuf_append(out, " [");
		text_append_visible(out, commit->reason);
		strbuf_append(out, "]");
	}
	strbuf_append_char(out, '\n');
}

static void append_line(struct strbuf *out, const char *label, const struct strbuf *text)
{
	if (text->length)
		strbuf_printf(out, "%s%s\n", label, strbuf_text(text));
}

static void append_change(struct strbuf *out, const struct bisect_effect *effect,
			  const struct bisect_proof *proof, const struct bisect_proof *revert)
{
	_cleanup_(strbuf_release) struct strbuf text = STRBUF_INIT;
	const struct bisect_proof *const proofs[] = {proof, revert};

	bisect_report_effect(&text, effect);
	append_line(out, "effect: ", &text);
	for (int i = 0; i < 2; i++) {
		strbuf_clear(&text);
		bisect_report_proof(&text, proofs[i], i == 1);
		append_line(out, "", &text);
	}
}

static void append_conclusions(struct strbuf *out, const struct bisect_report *report)
{
	const struct bisect_second *second = &report->second;

	append_change(out, &report->effect, &report->proof, &report->revert);
	if (!second->commit)
		return;
	strbuf_printf(out, "\n%s: %s\n", second->fix ? "the fix" : "the second change",
		      second->commit);
	append_change(out, &second->effect, &second->proof, &second->revert);
	strbuf_append_char(out, '\n');
}

static void append_first_bad(struct strbuf *out, const struct bisect_report *report)
{
	array_for_each (commit, &report->commits) {
		if (!report->first_bad || strcmp(commit->id, report->first_bad) != 0)
			continue;
		strbuf_append(out, "Author: ");
		text_append_visible(out, commit->author);
		strbuf_printf(out, "\nDate:   %s\n\n    ", commit->author_date);
		text_append_visible(out, commit->subject);
		strbuf_append(out, "\n\n");
	}
}

int bisect_write_text(const struct bisect_report *report, struct strbuf *out, struct error *err)
{
	(void)err;
	bisect_report_summary(out, report);
	strbuf_append_char(out, '\n');
	append_first_bad(out, report);
	append_conclusions(out, report);
	if (report->measures) {
		strbuf_append(out, "probability that nothing made it slow: ");
		number_append_significant(out, report->nothing, 3);
		strbuf_append(out, "; that it is one of the commits marked *: ");
		number_append_significant(out, report->mass, 4);
		strbuf_append_char(out, '\n');
	}
	if (!report->finished && report->next) {
		strbuf_printf(out, "next: %s", report->next);
		if (report->cost_left > 0) {
			strbuf_append(out, ", about ");
			number_append_significant(out, report->cost_left, 2);
			strbuf_append(out, report->measures ? " measurements left" : " steps left");
		}
		strbuf_append_char(out, '\n');
	}
	array_for_each (commit, &report->commits)
		append_commit(out, commit);
	return 0;
}
