/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "reports/junit_body.h"

#include "reports/format.h"
#include "reports/xml_text.h"

/* The list of failed boots within it. */
#define FAILURES_LIMIT (JUNIT_BODY_LIMIT - 4 * JUNIT_MESSAGE_LIMIT)

/* The end of one console. */
#define CONSOLE_LIMIT 8000

enum junit_outcome junit_outcome_as(enum shown_as shown, enum junit_outcome by_default)
{
	switch (shown) {
	case SHOWN_PASSED:
		return JUNIT_PASSED;
	case SHOWN_SKIPPED:
		return JUNIT_SKIPPED;
	case SHOWN_FAILED:
		return JUNIT_FAILURE;
	default:
		return by_default;
	}
}

enum junit_outcome junit_outcome_of(const struct report *report,
				    const struct report_finding *finding)
{
	switch (finding->comparison.verdict) {
	case VERDICT_REGRESSED:
		return JUNIT_FAILURE;
	case VERDICT_FAILED:
		return JUNIT_ERROR;
	case VERDICT_INCONCLUSIVE:
		/* What could not be compared at all is no open question. */
		return finding->problem == PROBLEM_NONE
			       ? junit_outcome_as(report->presentation.inconclusive, JUNIT_SKIPPED)
			       : JUNIT_SKIPPED;
	case VERDICT_IMPROVED:
		return junit_outcome_as(report->presentation.improvement, JUNIT_PASSED);
	default:
		return JUNIT_PASSED;
	}
}

const char *junit_outcome_type(const struct report *report, const struct report_finding *finding)
{
	switch (junit_outcome_of(report, finding)) {
	case JUNIT_FAILURE:
		if (finding->comparison.verdict == VERDICT_IMPROVED)
			return "performance-improvement";
		return finding->comparison.verdict == VERDICT_INCONCLUSIVE
			       ? "performance-inconclusive"
			       : "performance-regression";
	case JUNIT_ERROR:
		/* In another unit, what the base measured is missing as well. */
		return finding->problem == PROBLEM_MISSING || finding->problem == PROBLEM_MIXED
			       ? "benchmark-missing"
			       : "benchmark-crash";
	default:
		return NULL;
	}
}

bool junit_has_boot_case(const struct report_variant *variant)
{
	return variant->boots_failed && !variant->boots_ok;
}

void junit_line(struct strbuf *out, const char *text, size_t limit)
{
	_cleanup_(strbuf_release) struct strbuf line = STRBUF_INIT;

	xml_append_line(&line, text);
	format_head(out, strbuf_text(&line), limit);
}

void junit_bounded(struct strbuf *out, const struct strbuf *text, size_t limit)
{
	size_t before = out->length;

	format_head(out, strbuf_text(text), limit);
	if (text->length > limit)
		strbuf_printf(out, "\n[about %zu bytes left out]\n",
			      text->length - (out->length - before));
}

void junit_message(struct strbuf *out, const struct report *report,
		   const struct report_series *series, const struct report_finding *finding)
{
	_cleanup_(strbuf_release) struct strbuf text = STRBUF_INIT;

	report_explain(&text, report, series, finding);
	junit_line(out, strbuf_text(&text), JUNIT_MESSAGE_LIMIT);
}

void junit_boot_message(struct strbuf *out, const struct report_variant *variant)
{
	const char *failure = variant->failures.items[0];
	_cleanup_free_ char *first = xstrndup(failure, strcspn(failure, "\n"));
	_cleanup_free_ char *text = xasprintf("failed: all %zu boots of %s failed; %s",
					      variant->boots_failed, variant->name, first);

	junit_line(out, text, JUNIT_MESSAGE_LIMIT);
}

/* "  base voluntary: n=3, 23.17 s, sd 0.06 s" */
static void append_side(struct strbuf *out, const char *role, const struct report_variant *variant,
			const struct summary *summary, const struct scale *scale)
{
	_cleanup_(strbuf_release) struct strbuf text = STRBUF_INIT;

	if (!summary->n) {
		strbuf_printf(&text, "%s %s: no samples", role, variant->name);
	} else {
		strbuf_printf(&text, "%s %s: %zu boot%s, mean ", role, variant->name, summary->n,
			      summary->n == 1 ? "" : "s");
		format_value(&text, summary->mean, scale);
		if (summary->n > 1) {
			strbuf_append(&text, ", sd ");
			format_value(&text, summary->sd, scale);
		}
	}
	if (variant->kernel)
		strbuf_printf(&text, ", kernel %s", variant->kernel);
	strbuf_append_char(out, '\n');
	junit_line(out, strbuf_text(&text), JUNIT_MESSAGE_LIMIT);
}

static void append_warning(struct strbuf *out, const struct report *report,
			   const struct report_series *series, const struct report_finding *finding)
{
	_cleanup_(strbuf_release) struct strbuf text = STRBUF_INIT;

	report_warn(&text, report, series, finding);
	if (!text.length)
		return;
	strbuf_append(out, "\ndata: ");
	junit_line(out, strbuf_text(&text), JUNIT_MESSAGE_LIMIT);
}

static void append_identity(struct strbuf *out, const struct report *report,
			    const struct report_series *series,
			    const struct report_finding *finding)
{
	const struct report_variant *variant = &report->variants.items[finding->variant];
	_cleanup_(strbuf_release) struct strbuf text = STRBUF_INIT;
	_cleanup_(scale_release) struct scale scale =
		scale_for(series_typical_value(series), series->unit);

	format_series_name(&text, series);
	strbuf_printf(&text, ", %s is better", better_name(series->better));
	strbuf_append_char(out, '\n');
	junit_line(out, strbuf_text(&text), JUNIT_MESSAGE_LIMIT);
	append_side(out, "base", &report->base, &finding->comparison.base, &scale);
	append_side(out, "new", variant, &finding->comparison.candidate, &scale);
	append_warning(out, report, series, finding);
	strbuf_printf(out, "\nfinding: %s\nagain: kregress compare ", finding->id);
	junit_line(out, report->base.run_set_id, JUNIT_MESSAGE_LIMIT);
	strbuf_append_char(out, ' ');
	junit_line(out, variant->run_set_id, JUNIT_MESSAGE_LIMIT);
}

/* The end of a console, cleaned; says how much of it is not shown. */
static void append_console(struct strbuf *out, const char *console)
{
	_cleanup_(strbuf_release) struct strbuf clean = STRBUF_INIT;
	size_t length = strlen(console);
	size_t skipped = length > CONSOLE_LIMIT ? length - CONSOLE_LIMIT : 0;

	if (skipped)
		strbuf_printf(out, "[the console's first %zu bytes left out]\n", skipped);
	/* Cleaned before it is cut to what fits: a byte grows fourfold. */
	xml_append_text(&clean, console + skipped);
	format_tail(out, strbuf_text(&clean), CONSOLE_LIMIT);
	strbuf_append_char(out, '\n');
}

static void append_failed_boot(struct strbuf *out, const struct report_variant *variant,
			       const char *failure)
{
	size_t head = strcspn(failure, "\n");
	_cleanup_free_ char *first = xstrndup(failure, head);

	junit_line(out, variant->name, JUNIT_MESSAGE_LIMIT);
	strbuf_append(out, ", ");
	junit_line(out, first, JUNIT_MESSAGE_LIMIT);
	strbuf_append_char(out, '\n');
	if (failure[head])
		append_console(out, failure + head + 1);
}

void junit_failed_boots(struct strbuf *out, const struct report_variant *variant)
{
	_cleanup_(strbuf_release) struct strbuf list = STRBUF_INIT;
	size_t shown = 0;

	while (shown < variant->failures.count && list.length < FAILURES_LIMIT)
		append_failed_boot(&list, variant, variant->failures.items[shown++]);
	junit_bounded(out, &list, FAILURES_LIMIT);
	if (shown < variant->failures.count)
		strbuf_printf(out, "[%zu more failed boots left out]\n",
			      variant->failures.count - shown);
}

void junit_attachments(struct strbuf *out, const struct report *report,
		       const struct report_finding *finding)
{
	struct string_list paths = {0};

	if (!report->presentation.attachments)
		return;
	string_list_split(&paths, report->presentation.attachments, ",");
	array_for_each (path, &paths) {
		const char *mark = strstr(*path, "{finding}");
		_cleanup_free_ char *full =
			mark ? xasprintf("%.*s%s%s", (int)(mark - *path), *path, finding->id,
					 mark + strlen("{finding}"))
			     : xstrdup(*path);

		strbuf_append(out, "[[ATTACHMENT|");
		junit_line(out, full, JUNIT_MESSAGE_LIMIT);
		strbuf_append(out, "]]\n");
	}
	string_list_release(&paths);
}

void junit_body(struct strbuf *out, const struct report *report, const struct report_series *series,
		const struct report_finding *finding)
{
	const struct report_variant *variant = &report->variants.items[finding->variant];
	_cleanup_(strbuf_release) struct strbuf text = STRBUF_INIT;

	junit_message(&text, report, series, finding);
	append_identity(&text, report, series, finding);
	if (finding->problem == PROBLEM_CRASH && variant->failures.count) {
		strbuf_append_char(&text, '\n');
		junit_failed_boots(&text, variant);
	}
	junit_bounded(out, &text, JUNIT_BODY_LIMIT);
}

void junit_boot_body(struct strbuf *out, const struct report_variant *variant)
{
	_cleanup_(strbuf_release) struct strbuf text = STRBUF_INIT;

	junit_boot_message(&text, variant);
	strbuf_append_char(&text, '\n');
	junit_failed_boots(&text, variant);
	junit_bounded(out, &text, JUNIT_BODY_LIMIT);
}
