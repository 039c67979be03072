/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A mail for the kernel's lists, laid out as their readers know it from the kernel test robot:
 * what and where in the first lines, tags for the fix, then the two kernels side by side. What was
 * judged stands apart from what only serves as background. Lines have at most 75 columns, so that
 * a reply can quote them.
 */
#include <math.h>
#include <string.h>

#include "common/number.h"
#include "common/text.h"
#include "reports/export_names.h"
#include "reports/format.h"
#include "reports/mail_table.h"
#include "reports/reproduce.h"
#include "reports/wrap.h"
#include "reports/writers.h"

static void append_line(struct strbuf *out, const char *text)
{
	wrap_append(out, text, 0, 0, MAIL_WIDTH);
}

/* The finding that the mail is about: the largest change of the gravest verdict there is. */
struct headline {
	const struct report_series *series;
	const struct report_finding *finding;
};

static double change_size(const struct report_finding *finding)
{
	double ratio = finding->comparison.ratio;

	if (!finding->comparison.ratio_known || ratio <= 0)
		return 0;
	return ratio < 1 ? 1 / ratio : ratio;
}

static struct headline largest_of(const struct report *report, enum verdict verdict)
{
	struct headline best = {0};

	array_for_each (series, &report->series)
		array_for_each (finding, &series->findings)
			if (!series->context && finding->comparison.verdict == verdict &&
			    (!best.finding || change_size(finding) > change_size(best.finding)))
				best = (struct headline){series, finding};
	return best;
}

static struct headline headline_of(const struct report *report)
{
	static const enum verdict order[] = {VERDICT_REGRESSED, VERDICT_FAILED, VERDICT_IMPROVED,
					     VERDICT_INCONCLUSIVE, VERDICT_EQUIVALENT};

	for (size_t i = 0; i < ARRAY_SIZE(order); i++) {
		struct headline headline = largest_of(report, order[i]);

		if (headline.finding)
			return headline;
	}
	return (struct headline){0};
}

static const char *headline_noun(enum verdict verdict)
{
	switch (verdict) {
	case VERDICT_REGRESSED:
		return "regression";
	case VERDICT_IMPROVED:
		return "improvement";
	case VERDICT_FAILED:
		return "failure";
	case VERDICT_EQUIVALENT:
		return "unchanged result";
	default:
		return "undecided change";
	}
}

/* "+7.1% regression of hackbench.time" */
static void append_what(struct strbuf *out, const struct headline *headline)
{
	const struct report_finding *finding = headline->finding;
	const char *noun = headline_noun(finding->comparison.verdict);

	if (finding->problem == PROBLEM_NONE && finding->comparison.ratio_known) {
		format_change(out, finding->comparison.ratio);
		strbuf_printf(out, " %s of ", noun);
	} else {
		strbuf_printf(out, "%s of ", noun);
	}
	text_append_visible(out, headline->series->benchmark);
	strbuf_append_char(out, '.');
	text_append_visible(out, headline->series->metric);
}

/* A subject is one line; a long name is cut. */
static void append_subject(struct strbuf *out, const struct headline *headline)
{
	_cleanup_(strbuf_release) struct strbuf text = STRBUF_INIT;
	bool regressed = headline->finding->comparison.verdict == VERDICT_REGRESSED;

	strbuf_append(&text, regressed ? "[REGRESSION] " : "");
	append_what(&text, headline);
	strbuf_append(out, "Subject: ");
	format_head(out, strbuf_text(&text), MAIL_WIDTH - 12);
	strbuf_append_char(out, '\n');
	/* The body's sign for a deviation is no ASCII. */
	strbuf_append(out, "MIME-Version: 1.0\nContent-Type: text/plain; charset=UTF-8\n"
			   "Content-Transfer-Encoding: 8bit\n\n");
}

static void append_culprit(struct strbuf *out, const struct culprit *culprit)
{
	_cleanup_(strbuf_release) struct strbuf text = STRBUF_INIT;

	strbuf_printf(&text, "commit: %s", culprit->commit);
	if (culprit->subject)
		strbuf_printf(&text, " (\"%s\")", culprit->subject);
	append_line(out, strbuf_text(&text));
	if (culprit->probability_frac <= 0)
		return;
	strbuf_append(out, "found by bisection, with a probability of ");
	culprit_append_certainty(out, culprit->probability_frac);
	strbuf_append_char(out, '\n');
}

/* "measured again: slower than its parent, and a revert restores the tip" */
static void append_proof(struct strbuf *out, const struct culprit *culprit)
{
	if (!culprit->confirmed && !culprit->restored)
		return;
	strbuf_append(out, "measured again: ");
	culprit_append_proof(out, culprit);
	strbuf_append_char(out, '\n');
}

static void append_kernel(struct strbuf *out, const char *role,
			  const struct report_variant *variant)
{
	_cleanup_(strbuf_release) struct strbuf text = STRBUF_INIT;
	const char *commit = export_commit(variant);

	strbuf_printf(&text, "%s %s: kernel %s, %zu boot%s", role, variant->name,
		      variant->kernel ? variant->kernel : "unknown", variant->boots_ok,
		      variant->boots_ok == 1 ? "" : "s");
	if (variant->boots_failed)
		strbuf_printf(&text, " and %zu that failed", variant->boots_failed);
	if (commit)
		strbuf_printf(&text, ", commit %s", commit);
	strbuf_append(out, "  ");
	wrap_append(out, strbuf_text(&text), 2, 6, MAIL_WIDTH);
	if (!variant->cmdline)
		return;
	strbuf_append(out, "      ");
	wrap_append(out, variant->cmdline, 6, 6, MAIL_WIDTH);
}

static void append_kernels(struct strbuf *out, const struct report *report)
{
	strbuf_append(out, "kernels:\n");
	append_kernel(out, "base", &report->base);
	array_for_each (variant, &report->variants)
		append_kernel(out, "new", variant);
	strbuf_append_char(out, '\n');
}

/* "test machine: x86_64-tcg, Intel(R) Xeon(R)" */
static void append_machine(struct strbuf *out, const struct report *report)
{
	_cleanup_(strbuf_release) struct strbuf text = STRBUF_INIT;

	strbuf_printf(&text, "test machine: %s", report->machine ? report->machine : "unknown");
	array_for_each (item, &report->base.environment)
		if (!strcmp(item->key, "cpu.model"))
			strbuf_printf(&text, ", %s", item->value);
	append_line(out, strbuf_text(&text));
}

static void append_parameters(struct strbuf *out, const struct report_series *series)
{
	struct string_list params = {0};

	string_list_split(&params, series->params, ",");
	if (params.count)
		strbuf_append(out, "parameters:\n\n");
	array_for_each (param, &params) {
		char *equals = strchr(*param, '=');
		_cleanup_free_ char *line =
			equals ? xasprintf("%.*s: %s", (int)(equals - *param), *param, equals + 1)
			       : xstrdup(*param);

		/* A tab is eight columns wide for a reader. */
		strbuf_append_char(out, '\t');
		wrap_append(out, line, 8, 8, MAIL_WIDTH);
	}
	if (params.count)
		strbuf_append_char(out, '\n');
	string_list_release(&params);
}

static void append_test(struct strbuf *out, const struct report *report,
			const struct headline *headline)
{
	_cleanup_free_ char *line = xasprintf("testcase: %s", headline->series->benchmark);

	append_line(out, line);
	append_machine(out, report);
	strbuf_append_char(out, '\n');
	append_parameters(out, headline->series);
}

/* What regzbot can follow: the culprit, else the range between two commits that are known. */
static char *introduced_of(const struct report *report)
{
	const char *good = export_commit(&report->base);
	const char *bad = export_commit(report->variants.items);

	if (report->presentation.culprit.commit)
		return xstrdup(report->presentation.culprit.commit);
	if (!good || !bad || report->variants.count != 1)
		return NULL;
	return xasprintf("%.12s..%.12s", good, bad);
}

static void append_tags(struct strbuf *out, const struct report *report)
{
	_cleanup_free_ char *introduced = introduced_of(report);
	const char *reporter = report->presentation.reported_by;

	if (!report_count(report, VERDICT_REGRESSED))
		return;
	if (reporter) {
		strbuf_append(out,
			      "If you fix the issue in a separate patch or commit (not in a new\n"
			      "version of the same one), kindly add the following tag\n"
			      "| Reported-by: ");
		text_append_visible(out, reporter);
		strbuf_append(out, "\n\n");
	}
	if (introduced) {
		strbuf_append(out, "#regzbot introduced: ");
		text_append_visible(out, introduced);
		strbuf_append(out, "\n\n");
	} else {
		strbuf_append(out, "The commits of the two kernels are not known here, so "
				   "regzbot is not told.\n\n");
	}
}

static void append_rule(struct strbuf *out, char character)
{
	strbuf_append_repeat(out, character, MAIL_WIDTH);
	strbuf_append_char(out, '\n');
}

/* Findings without numbers to compare, by their reason. */
static void append_problems(struct strbuf *out, const struct report *report)
{
	size_t start = out->length;

	array_for_each (series, &report->series) {
		array_for_each (finding, &series->findings) {
			_cleanup_(strbuf_release) struct strbuf text = STRBUF_INIT;
			_cleanup_free_ char *name = NULL;

			if (series->context || finding->problem == PROBLEM_NONE)
				continue;
			if (out->length == start)
				strbuf_append(out, "Not comparable:\n\n");
			name = export_finding_name(report, series, finding);
			strbuf_printf(&text, "%s: ", name);
			report_explain(&text, report, series, finding);
			strbuf_printf(&text, " (finding %s)", finding->id);
			strbuf_append(out, "  ");
			wrap_append(out, strbuf_text(&text), 2, 4, MAIL_WIDTH);
		}
	}
	if (out->length > start)
		strbuf_append_char(out, '\n');
}

static void append_notes(struct strbuf *out, const struct report *report)
{
	strbuf_append(out, "How it was measured:\n\n");
	array_for_each (note, &report->notes) {
		if (*note == report->culprit_note)
			continue;
		strbuf_append(out, "- ");
		wrap_append(out, *note, 2, 2, MAIL_WIDTH);
	}
	strbuf_append_char(out, '\n');
}

/* A command, continued on further lines where it is too long for one. */
static void append_command(struct strbuf *out, const char *command)
{
	_cleanup_(strbuf_release) struct strbuf lines = STRBUF_INIT;
	const char *at;

	wrap_append(&lines, command, 8, 12, MAIL_WIDTH - 2);
	strbuf_append(out, "        ");
	for (at = strbuf_text(&lines); at[0] && at[1]; at++) {
		if (*at == '\n')
			strbuf_append(out, " \\");
		strbuf_append_char(out, *at);
	}
	strbuf_append_char(out, '\n');
}

static void append_reproduce(struct strbuf *out, const struct report *report,
			     const struct headline *headline)
{
	_cleanup_(strbuf_release) struct strbuf command = STRBUF_INIT;

	strbuf_append(out, "To reproduce:\n\n");
	report_reproduce(&command, report, headline->series, headline->finding, 0);
	append_command(out, strbuf_text(&command));
	strbuf_clear(&command);
	strbuf_append(out, "        # the same verdicts from the samples that were taken\n");
	strbuf_printf(&command, "kregress compare %s", report->base.run_set_id);
	array_for_each (variant, &report->variants)
		strbuf_printf(&command, " %s", variant->run_set_id);
	append_command(out, strbuf_text(&command));
	strbuf_append_char(out, '\n');
}

static void append_first_lines(struct strbuf *out, const struct headline *headline)
{
	_cleanup_(strbuf_release) struct strbuf text = STRBUF_INIT;

	append_what(&text, headline);
	strbuf_append(out, "kregress noticed ");
	strbuf_append(out, strchr("aeiou", *strbuf_text(&text)) ? "an " : "a ");
	strbuf_append(&text, " on:");
	wrap_append(out, strbuf_text(&text), text_width("kregress noticed an "), 0, MAIL_WIDTH);
	strbuf_append_char(out, '\n');
}

static void append_details(struct strbuf *out, const struct report *report,
			   const struct headline *headline)
{
	_cleanup_(strbuf_release) struct strbuf counts = STRBUF_INIT;

	strbuf_append(out, "Details are as below:\n");
	append_rule(out, '-');
	strbuf_append_char(out, '\n');
	format_counts(&counts, report);
	append_line(out, strbuf_text(&counts));
	strbuf_append_char(out, '\n');
	mail_table_append(out, report);
	append_problems(out, report);
	append_notes(out, report);
	append_reproduce(out, report, headline);
}

int report_write_mail(const struct report *report, struct strbuf *out, struct error *err)
{
	struct headline headline = headline_of(report);

	if (!headline.finding)
		return error_set(err, ERROR_DATA, "there is no finding to write a mail about");
	append_subject(out, &headline);
	append_first_lines(out, &headline);
	if (report->presentation.culprit.commit) {
		append_culprit(out, &report->presentation.culprit);
		append_proof(out, &report->presentation.culprit);
		strbuf_append_char(out, '\n');
	}
	append_kernels(out, report);
	append_test(out, report, &headline);
	append_tags(out, report);
	append_details(out, report, &headline);
	strbuf_append(out, "-- \nkregress " KREGRESS_VERSION "\n");
	return 0;
}
