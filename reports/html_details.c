/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What is known of one finding: the facts, the plots, and how to get them again. */
#include <math.h>

#include "common/number.h"
#include "reports/environment_diff.h"
#include "reports/html_parts.h"
#include "reports/reproduce.h"

/* So many of the gravest findings are open from the start. */
#define OPEN_AT_FIRST 1

static void fact(struct page *page, const char *term, struct strbuf *value)
{
	if (!value->length)
		return;
	page_start(page, "div", NULL);
	page_element(page, "dt", NULL, term);
	page_element_take(page, "dd", NULL, value);
	page_end(page);
}

static void append_interval(struct strbuf *out, const struct report *report,
			    const struct interval *ci, const struct scale *scale)
{
	if (!ci->known)
		return;
	strbuf_append(out, " (");
	format_confidence(out, report->alpha);
	strbuf_append_char(out, ' ');
	format_shift(out, ci->low, scale);
	strbuf_append(out, " .. ");
	format_shift(out, ci->high, scale);
	strbuf_append_char(out, ')');
}

static void write_change(struct page *page, const struct report *report,
			 const struct comparison *comparison, const struct scale *scale)
{
	_cleanup_(strbuf_release) struct strbuf text = STRBUF_INIT;

	if (comparison->ratio_known) {
		format_change(&text, comparison->ratio);
		strbuf_append(&text, " (");
		format_confidence(&text, report->alpha);
		strbuf_append_char(&text, ' ');
		format_change_interval(&text, &comparison->ratio_ci);
		strbuf_append_char(&text, ')');
	}
	fact(page, "change", &text);
	format_value(&text, comparison->base.mean, scale);
	strbuf_append(&text, " \u2192 ");
	format_value(&text, comparison->candidate.mean, scale);
	fact(page, "means over boots", &text);
	format_shift(&text, comparison->shift, scale);
	append_interval(&text, report, &comparison->shift_ci, scale);
	fact(page, "shift (Hodges-Lehmann)", &text);
}

static void write_test(struct page *page, const struct comparison *comparison)
{
	_cleanup_(strbuf_release) struct strbuf text = STRBUF_INIT;
	const char *reason = method_reason_text(comparison->method_reason);

	strbuf_append(&text, method_name(comparison->method));
	if (*reason)
		strbuf_printf(&text, " (%s)", reason);
	fact(page, "test", &text);
	if (comparison->p_known) {
		format_probability(&text, "p", comparison->p);
		strbuf_append(&text, ", ");
		format_probability(&text, "q", comparison->q);
		fact(page, "p, and q over all series", &text);
	}
	if (comparison->effect_known) {
		number_append_significant(&text, comparison->effect, 3);
		fact(page, "effect size (Hedges' g)", &text);
	}
}

static void write_power(struct page *page, const struct html_finding *item)
{
	const struct report_finding *finding = item->finding;
	const struct comparison *comparison = &finding->comparison;
	_cleanup_(strbuf_release) struct strbuf text = STRBUF_INIT;

	format_fraction(&text, finding->limit_frac);
	strbuf_printf(&text, "; %s is better", better_name(item->series->better));
	fact(page, "limit", &text);
	if (comparison->detectable_frac > 0) {
		number_append_significant(&text, 100 * comparison->detectable_frac, 2);
		strbuf_append_char(&text, '%');
		fact(page, "smallest change found with 80% power", &text);
	}
	if (finding->calibration.boots) {
		number_append_significant(&text, 100 * finding->calibration.noise_floor_frac, 2);
		strbuf_printf(&text, "%% (A/A on this machine, %zu boots a side)",
			      finding->calibration.boots);
	} else {
		strbuf_append(&text, "unknown; kregress calibrate finds it");
	}
	fact(page, "noise floor", &text);
	strbuf_printf(&text, "%zu + %zu boots, %zu + %zu samples", comparison->base.n,
		      comparison->candidate.n, finding->base_samples, finding->samples);
	fact(page, "measured", &text);
}

/* In which the cause may lie. */
static void write_environment(struct html_report *html, const struct report_finding *finding)
{
	_cleanup_(environment_diff_release) struct environment_diff diff = environment_diff_of(
		&html->report->base, &html->report->variants.items[finding->variant]);

	page_start(html->page, "div", NULL);
	page_element(html->page, "dt", NULL, "environment");
	page_start(html->page, "dd", NULL);
	page_start(html->page, "a", NULL);
	page_attribute_format(html->page, "href", "#environment-%zu", finding->variant);
	page_format(html->page, "%zu setting%s differ%s", diff.items.count,
		    diff.items.count == 1 ? "" : "s", diff.items.count == 1 ? "s" : "");
	page_end(html->page);
	page_end(html->page);
	page_end(html->page);
}

static void write_facts(struct html_report *html, const struct html_finding *item,
			const struct scale *scale)
{
	const struct report_finding *finding = item->finding;
	_cleanup_(strbuf_release) struct strbuf text = STRBUF_INIT;

	page_start(html->page, "dl", NULL);
	if (finding->problem == PROBLEM_NONE) {
		write_change(html->page, html->report, &finding->comparison, scale);
		write_test(html->page, &finding->comparison);
	}
	write_power(html->page, item);
	if (finding->modes.known) {
		mode_comparison_append(&text, &finding->modes);
		fact(html->page, "two modes", &text);
	}
	write_environment(html, finding);
	strbuf_append(&text, finding->id);
	fact(html->page, "finding", &text);
	page_end(html->page);
}

static void command(struct page *page, const char *heading, struct strbuf *text)
{
	page_element(page, "h4", NULL, heading);
	page_start(page, "pre", NULL);
	page_element_take(page, "code", NULL, text);
	page_end(page);
}

static void write_commands(struct html_report *html, const struct html_finding *item)
{
	const struct comparison *comparison = &item->finding->comparison;
	_cleanup_(strbuf_release) struct strbuf text = STRBUF_INIT;

	report_reproduce(&text, html->report, item->series, item->finding, 0);
	command(html->page, "Do it again", &text);
	if (comparison->verdict != VERDICT_INCONCLUSIVE || !comparison->boots_needed)
		return;
	report_reproduce(&text, html->report, item->series, item->finding,
			 comparison->boots_needed);
	command(html->page, "Settle it", &text);
}

static void write_summary(struct html_report *html, const struct html_finding *item)
{
	_cleanup_(strbuf_release) struct strbuf text = STRBUF_INIT;

	format_series_name(&text, item->series);
	page_start(html->page, "summary", NULL);
	page_start(html->page, "h3", NULL);
	page_name(html->page, strbuf_text(&text));
	strbuf_clear(&text);
	if (html->report->variants.count > 1) {
		page_text(html->page, ", ");
		page_name(html->page, html->report->variants.items[item->finding->variant].name);
	}
	page_end(html->page);
	html_badge(html->page, item->finding->comparison.verdict);
	html_change(&text, item->finding);
	page_element_take(html->page, "span", "change", &text);
	page_end(html->page);
}

static void write_lead(struct html_report *html, const struct html_finding *item)
{
	enum verdict verdict = item->finding->comparison.verdict;
	_cleanup_(strbuf_release) struct strbuf text = STRBUF_INIT;

	/* What is decided needs no words beyond the facts. */
	if (verdict == VERDICT_INCONCLUSIVE || verdict == VERDICT_FAILED) {
		report_explain(&text, html->report, item->series, item->finding);
		page_element_take(html->page, "p", "lead", &text);
	}
	report_warn(&text, html->report, item->series, item->finding);
	if (text.length)
		page_element_take(html->page, "p", "warn", &text);
}

static void write_finding(struct html_report *html, const struct html_finding *item, bool open)
{
	_cleanup_(scale_release) struct scale scale =
		scale_for(series_typical_value(item->series), item->series->unit);
	_cleanup_free_ char *anchor = html_anchor(item);
	_cleanup_free_ char *classes =
		xasprintf("card %s", html_row_class(item->finding->comparison.verdict));
	_cleanup_(finding_shape_release) struct finding_shape shape =
		finding_shape_of(html->report, item->series, item->finding);

	page_raw(html->page, "\n");
	page_start(html->page, "details", classes);
	if (open)
		page_attribute(html->page, "open", "open");
	write_summary(html, item);
	/* Here and not at <details>: a link to what is within opens it. */
	page_start(html->page, "div", "body");
	page_attribute(html->page, "id", anchor);
	write_lead(html, item);
	write_facts(html, item, &scale);
	if (item->finding->problem != PROBLEM_MIXED)
		html_plots(html, item, &shape, &scale);
	html_plot_tables(html, item, &shape, &scale);
	write_commands(html, item);
	page_end(html->page);
	page_end(html->page);
}

void html_details(struct html_report *html)
{
	const struct html_findings *findings = &html->findings;

	page_section(html->page, "series", "Series by series");
	if (findings->detailed < findings->count) {
		page_start(html->page, "p", NULL);
		page_format(html->page,
			    "Details of the %zu gravest of %zu findings; `kregress report html` of "
			    "fewer variants or series shows the others.",
			    findings->detailed, findings->count);
		page_end(html->page);
	}
	for (size_t i = 0; i < findings->detailed; i++)
		write_finding(html, &findings->items[i], i < OPEN_AT_FIRST);
	page_end(html->page);
}
