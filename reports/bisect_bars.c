/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Where the answer may lie, commit by commit, as bars. */
#include "common/number.h"
#include "common/text.h"
#include "reports/bisect_report.h"

enum { ABBREVIATION = 12, BAR_WIDTH = 30 };

/* Untested commits less likely than this are counted, not shown. */
#define SHOWN_LEAST 5e-4

static bool is_shown(const struct bisect_commit *commit)
{
	return commit->state != BISECT_UNTESTED || commit->in_set ||
	       commit->probability >= SHOWN_LEAST;
}

static void append_hidden(struct strbuf *out, size_t *hidden)
{
	if (*hidden)
		strbuf_printf(out, "  ... %zu more\n", *hidden);
	*hidden = 0;
}

static void append_bar(struct strbuf *out, const struct bisect_commit *commit, double most)
{
	double share = most > 0 ? commit->probability / most : 0;
	size_t length = (size_t)(share * BAR_WIDTH + 0.5);

	strbuf_printf(out, "%c %.*s ", commit->in_set ? '*' : ' ', ABBREVIATION, commit->id);
	number_append_fixed(out, commit->probability, 4);
	strbuf_append_char(out, ' ');
	strbuf_append_repeat(out, '#', length);
	strbuf_append_repeat(out, ' ', BAR_WIDTH - length);
	strbuf_printf(out, " %-8s ",
		      commit->state == BISECT_UNTESTED ? ""
						       : bisect_commit_state_name(commit->state));
	text_append_visible(out, commit->subject);
	strbuf_append_char(out, '\n');
}

static void append_path(struct strbuf *out, const struct bisect_report *report)
{
	if (!report->path.count)
		return;
	strbuf_append(out, "path:");
	for (size_t i = 0; i < report->path.count; i++)
		strbuf_printf(out, " %.*s", ABBREVIATION, report->path.items[i]);
	strbuf_append_char(out, '\n');
}

int bisect_write_bars(const struct bisect_report *report, struct strbuf *out, struct error *err)
{
	double most = 0;
	size_t hidden = 0;

	(void)err;
	array_for_each (commit, &report->commits)
		most = commit->probability > most ? commit->probability : most;
	for (size_t i = report->commits.count; i-- > 0;) {
		const struct bisect_commit *commit = &report->commits.items[i];

		if (!is_shown(commit)) {
			hidden++;
			continue;
		}
		append_hidden(out, &hidden);
		append_bar(out, commit, most);
	}
	append_hidden(out, &hidden);
	strbuf_append(out, "  nothing      ");
	number_append_fixed(out, report->nothing, 4);
	strbuf_append_char(out, '\n');
	append_path(out, report);
	return 0;
}
