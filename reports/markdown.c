/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "common/number.h"
#include "common/text.h"
#include "reports/format.h"
#include "reports/writers.h"

/* Rows beyond are counted only: a comment is to be read, and forges limit its size. */
#define MOST_ROWS 40

/* A cell's text stays short, whatever a name or reason holds. */
#define CELL_LIMIT 500

/* Text from outside as literal text: no markup, no table separator, no mention, no HTML. */
static void append_escaped(struct strbuf *out, const char *text)
{
	_cleanup_(strbuf_release) struct strbuf visible = STRBUF_INIT;
	size_t used = 0;

	text_append_visible(&visible, text);
	for (const char *byte = strbuf_text(&visible); *byte; byte++, used++) {
		bool continues = ((unsigned char)*byte & 0xc0) == 0x80;

		if (used >= CELL_LIMIT && !continues) {
			strbuf_append(out, "...");
			return;
		}
		if (*byte == '&')
			strbuf_append(out, "&amp;");
		else if (*byte == '<')
			strbuf_append(out, "&lt;");
		else if (*byte == '>')
			strbuf_append(out, "&gt;");
		else if (*byte == '@')
			strbuf_append(out, "&#64;");
		else if (strchr("\\`*_[]|~#$", *byte))
			strbuf_printf(out, "\\%c", *byte);
		else
			strbuf_append_char(out, *byte);
	}
}

static void append_finding(struct strbuf *out, const struct report *report,
			   const struct report_series *series, const struct report_finding *finding)
{
	_cleanup_(strbuf_release) struct strbuf text = STRBUF_INIT;
	const struct comparison *comparison = &finding->comparison;
	bool compared = finding->problem == PROBLEM_NONE;

	strbuf_append(out, "| ");
	format_series_name(&text, series);
	append_escaped(out, strbuf_text(&text));
	strbuf_append(out, " | ");
	append_escaped(out, report->variants.items[finding->variant].name);
	strbuf_append(out, " | ");
	if (compared && comparison->ratio_known)
		format_change(out, comparison->ratio);
	else
		strbuf_append_char(out, '-');
	strbuf_append(out, " | ");
	strbuf_clear(&text);
	report_explain(&text, report, series, finding);
	append_escaped(out, strbuf_text(&text));
	strbuf_append(out, " |\n");
}

/* Appends the findings of a verdict while there is room; returns how many found none. */
static size_t append_findings(struct strbuf *out, const struct report *report, enum verdict verdict,
			      size_t *room)
{
	size_t left_out = 0;

	array_for_each (series, &report->series) {
		if (series->context)
			continue;
		array_for_each (finding, &series->findings) {
			if (finding->comparison.verdict != verdict)
				continue;
			if (*room) {
				append_finding(out, report, series, finding);
				--*room;
			} else {
				left_out++;
			}
		}
	}
	return left_out;
}

static void append_table(struct strbuf *out, const struct report *report)
{
	static const enum verdict order[] = {VERDICT_REGRESSED, VERDICT_FAILED, VERDICT_IMPROVED,
					     VERDICT_INCONCLUSIVE};
	size_t room = MOST_ROWS, left_out = 0, shown = 0;

	for (size_t i = 0; i < ARRAY_SIZE(order); i++)
		shown += report_count(report, order[i]);
	if (!shown)
		return;
	strbuf_append(out, "| benchmark | variant | change | verdict |\n|---|---|--:|---|\n");
	for (size_t i = 0; i < ARRAY_SIZE(order); i++)
		left_out += append_findings(out, report, order[i], &room);
	if (left_out)
		strbuf_printf(out, "\n%zu more findings are left out here.\n", left_out);
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
		append_escaped(out, variant->name);
	}
	strbuf_append(out, " against the base ");
	append_escaped(out, report->base.name);
	strbuf_append(out, ": ");
	format_counts(out, report);
	strbuf_append(out, " (limit ");
	format_fraction(out, report->limit_frac);
	strbuf_append(out, ", alpha ");
	format_alpha(out, report->alpha);
	strbuf_append(out, ").\n\n");
}

int report_write_markdown(const struct report *report, struct strbuf *out, struct error *err)
{
	size_t shown = 0;

	(void)err;
	strbuf_printf(out, "### kregress: %s\n\n", headline(report));
	append_subject(out, report);
	append_table(out, report);
	array_for_each (note, &report->notes) {
		if (shown++ == MOST_ROWS) {
			strbuf_printf(out, "- %zu more notes are left out here\n",
				      report->notes.count - MOST_ROWS);
			break;
		}
		strbuf_append(out, "- ");
		append_escaped(out, *note);
		strbuf_append_char(out, '\n');
	}
	return 0;
}
