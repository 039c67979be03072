/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <math.h>
#include <string.h>

#include "common/number.h"
#include "reports/format.h"
#include "reports/report.h"

/* "+7.1% (95% CI +5.9% .. +8.3%), 23.17 s -> 24.83 s", as far as known. */
static void append_estimate(struct strbuf *out, const struct report *report,
			    const struct scale *scale, const struct comparison *comparison)
{
	if (comparison->ratio_known) {
		format_change(out, comparison->ratio);
		if (comparison->ratio_ci.known && comparison->method != METHOD_EXACT) {
			strbuf_append(out, " (");
			format_confidence(out, report->alpha);
			strbuf_append_char(out, ' ');
			format_change_interval(out, &comparison->ratio_ci);
			strbuf_append_char(out, ')');
		}
		strbuf_append(out, ", ");
	}
	format_value(out, comparison->base.mean, scale);
	strbuf_append(out, " -> ");
	format_value(out, comparison->candidate.mean, scale);
}

static void append_interval(struct strbuf *out, const struct report *report,
			    const struct scale *scale, const struct interval *interval)
{
	strbuf_append(out, " (");
	format_confidence(out, report->alpha);
	strbuf_append_char(out, ' ');
	format_shift(out, interval->low, scale);
	strbuf_append(out, " .. ");
	format_shift(out, interval->high, scale);
	strbuf_append_char(out, ')');
}

/*
 * ", shift +1.663 s (95% CI +1.31 s .. +2.02 s)". Too few boots for the shift's interval leave
 * that of the difference of means.
 */
static void append_shift(struct strbuf *out, const struct report *report, const struct scale *scale,
			 const struct comparison *comparison)
{
	bool exact = comparison->method == METHOD_EXACT;

	if (!comparison->shift_ci.known && comparison->difference_ci.known) {
		strbuf_append(out, ", means differ by ");
		format_shift(out, comparison->candidate.mean - comparison->base.mean, scale);
		append_interval(out, report, scale, &comparison->difference_ci);
		return;
	}
	strbuf_append(out, ", shift ");
	format_shift(out, comparison->shift, scale);
	if (comparison->shift_ci.known && !exact)
		append_interval(out, report, scale, &comparison->shift_ci);
}

/* " (welch, chosen as ...)"; what was asked for needs no reason. */
static void append_method(struct strbuf *out, const struct comparison *comparison)
{
	const char *reason = method_reason_text(comparison->method_reason);
	bool asked = comparison->method_reason == METHOD_REASON_REQUESTED;

	strbuf_printf(out, " (%s%s%s)", method_name(comparison->method),
		      *reason && !asked ? ": " : "", asked ? "" : reason);
}

/* ", q=0.0004 (welch: not interleaved)" */
static void append_test(struct strbuf *out, const struct comparison *comparison)
{
	if (comparison->p_known) {
		strbuf_append(out, ", ");
		format_probability(out, "q", comparison->q);
	}
	if (comparison->method == METHOD_EXACT)
		strbuf_append(out, ", compared exactly as no value varies");
	else if (comparison->method != METHOD_NONE)
		append_method(out, comparison);
}

static void append_limit(struct strbuf *out, const struct report_finding *finding)
{
	if (finding->limit_frac <= 0) {
		strbuf_append(out, "zero");
		return;
	}
	strbuf_append(out, "the limit of ");
	format_fraction(out, finding->limit_frac);
}

/* ", about 12 min" at the rate seen so far; nothing when boots took no time that is known. */
static void append_minutes(struct strbuf *out, const struct report *report,
			   const struct report_finding *finding, size_t boots)
{
	double seconds = (double)boots *
			 (report->base.boot_s + report->variants.items[finding->variant].boot_s);

	if (seconds <= 0)
		return;
	if (seconds < 90)
		strbuf_printf(out, ", about %.0f s", fmax(1, seconds));
	else
		strbuf_printf(out, ", about %.0f min", seconds / 60);
}

static void append_boots(struct strbuf *out, const struct report *report,
			 const struct report_finding *finding)
{
	const struct comparison *comparison = &finding->comparison;
	size_t have = comparison->base.n < comparison->candidate.n ? comparison->base.n
								   : comparison->candidate.n;
	size_t more = comparison->boots_needed > have ? comparison->boots_needed - have : 0;

	if (more)
		strbuf_printf(out, "; about %zu boots a side would settle it, %zu more than now",
			      comparison->boots_needed, more);
	if (more)
		append_minutes(out, report, finding, more);
	else
		strbuf_append(out, "; how many boots would settle it is unknown");
}

static void append_inconclusive(struct strbuf *out, const struct report *report,
				const struct report_series *series,
				const struct report_finding *finding)
{
	const struct comparison *comparison = &finding->comparison;

	strbuf_append(out, ": ");
	switch (comparison->reason) {
	case REASON_ONE_BOOT:
		strbuf_append(out, "one boot on a side cannot tell a change from the difference "
				   "between boots");
		break;
	case REASON_NOT_SIGNIFICANT:
		strbuf_append(out, "not significant at alpha ");
		format_alpha(out, report->alpha);
		break;
	case REASON_ZERO_BASE:
		strbuf_append(out, "a ratio to zero, or between values of both signs, has no "
				   "meaning");
		break;
	case REASON_NO_SAMPLES:
		strbuf_append(out, "no samples on a side");
		break;
	default:
		strbuf_append(out, "the interval reaches across ");
		append_limit(out, finding);
	}
	append_boots(out, report, finding);
	data_quality_append_advice(out,
				   finding->comparison.base.sd > finding->comparison.candidate.sd
					   ? &series->base_quality
					   : &finding->quality);
}

static void append_reason(struct strbuf *out, const struct report *report,
			  const struct report_series *series, const struct report_finding *finding)
{
	switch (finding->comparison.verdict) {
	case VERDICT_REGRESSED:
	case VERDICT_IMPROVED:
		strbuf_append(out, ": beyond ");
		append_limit(out, finding);
		strbuf_printf(out, ", %s is better", better_name(series->better));
		break;
	case VERDICT_EQUIVALENT:
		strbuf_append(out, ": within ");
		append_limit(out, finding);
		if (finding->comparison.method != METHOD_EXACT) {
			strbuf_append(out, ", ");
			format_probability(out, "equivalence p", finding->comparison.equivalence_p);
		}
		break;
	case VERDICT_FAILED:
		strbuf_append(out, ": the values are not finite");
		break;
	default:
		append_inconclusive(out, report, series, finding);
	}
}

/* "; noise floor here 1.2% (A/A, 10 boots a side)" */
static void append_calibration(struct strbuf *out, const struct report_finding *finding)
{
	if (!finding->calibration.boots)
		return;
	strbuf_append(out, "; noise floor here ");
	number_append_significant(out, 100 * finding->calibration.noise_floor_frac, 2);
	strbuf_printf(out, "%% (A/A, %zu boots a side)", finding->calibration.boots);
}

/* Names and reasons from outside may hold line breaks. */
static void flatten(struct strbuf *text, size_t start)
{
	for (size_t i = start; i < text->length; i++)
		if (text->text[i] == '\n' || text->text[i] == '\r')
			text->text[i] = ' ';
}

void report_warn(struct strbuf *out, const struct report *report,
		 const struct report_series *series, const struct report_finding *finding)
{
	const char *name = report->variants.items[finding->variant].name;
	size_t start = out->length;

	data_quality_append_warnings(out, &series->base_quality, report->base.name, report->alpha);
	if (out->length > start)
		strbuf_append(out, "; ");
	start = out->length;
	data_quality_append_warnings(out, &finding->quality, name, report->alpha);
	if (finding->modes.known) {
		if (out->length > start)
			strbuf_append(out, "; ");
		mode_comparison_append(out, &finding->modes);
	}
	if (out->length == start && out->length >= 2 &&
	    !strcmp(out->text + out->length - 2, "; ")) {
		out->length -= 2;
		out->text[out->length] = '\0';
	}
	flatten(out, 0);
}

void report_explain(struct strbuf *out, const struct report *report,
		    const struct report_series *series, const struct report_finding *finding)
{
	const struct comparison *comparison = &finding->comparison;
	_cleanup_(scale_release) struct scale scale =
		scale_for(series_typical_value(series), series->unit);
	size_t start = out->length;

	strbuf_printf(out, "%s: ", verdict_name(comparison->verdict));
	if (finding->problem != PROBLEM_NONE) {
		strbuf_append(out, finding->problem_text);
	} else {
		append_estimate(out, report, &scale, comparison);
		append_shift(out, report, &scale, comparison);
		append_test(out, comparison);
		append_reason(out, report, series, finding);
		append_calibration(out, finding);
	}
	flatten(out, start);
}
