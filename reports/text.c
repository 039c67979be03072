/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <math.h>
#include <string.h>

#include "common/number.h"
#include "common/text.h"

#include "reports/format.h"
#include "reports/table.h"
#include "reports/wrap.h"
#include "reports/writers.h"

/* Up to so many boots of one sample each are shown as they are. */
#define MOST_SAMPLES_SHOWN 3

/* More digits of a sample are noise. */
#define SAMPLE_DIGITS 6

#define TRUSTED_DIGITS 12

/* The end of a failed boot's console that is printed. */
#define CONSOLE_LIMIT 4096

/* Lines about data, at most. */
#define WARNING_LIMIT 20

/* A longer name would push the numbers out of sight; the sentences below give it in full. */
#define LABEL_LIMIT 72

/* In a narrower terminal lines wrap by themselves. */
#define LEAST_WRAPPED 40

/* How one series' values are printed. */
struct value_style {
	struct scale scale;
	int decimals; /* of samples */
	bool compact; /* mean and deviation even where the samples are few */
};

static bool shows_samples(const struct value_list *values, size_t samples)
{
	return values->count && values->count <= MOST_SAMPLES_SHOWN && samples == values->count;
}

/*
 * Places behind the point that are not zeros, in the digits that scaling by thousands cannot have
 * disturbed.
 */
static int exact_decimals(double value)
{
	_cleanup_(strbuf_release) struct strbuf text = STRBUF_INIT;
	const char *point, *end;

	number_append_significant(&text, value, TRUSTED_DIGITS);
	if (strchr(strbuf_text(&text), 'e'))
		return SAMPLE_DIGITS;
	point = strchr(strbuf_text(&text), '.');
	if (!point)
		return 0;
	end = point + strlen(point);
	while (end[-1] == '0')
		end--;
	return (int)(end - point) - 1;
}

/* Places that leave `digits` significant digits, at least 0. */
static int significant_decimals(double value, int digits)
{
	int before = value != 0 ? (int)floor(log10(fabs(value))) + 1 : 1;

	return before >= digits ? 0 : digits - before;
}

static void widen_decimals(struct value_style *style, const struct value_list *values)
{
	array_for_each (value, values) {
		double shown = scale_apply(&style->scale, *value);
		int exact = exact_decimals(shown);
		int most = significant_decimals(shown, SAMPLE_DIGITS);

		if (exact > most)
			exact = most;
		if (exact > style->decimals)
			style->decimals = exact;
	}
}

static struct value_style value_style_of(const struct report_series *series, bool compact)
{
	struct value_style style = {scale_for(series_typical_value(series), series->unit), 0,
				    compact};

	array_for_each (finding, &series->findings) {
		if (shows_samples(&series->base_values, finding->base_samples))
			widen_decimals(&style, &series->base_values);
		if (shows_samples(&finding->values, finding->samples))
			widen_decimals(&style, &finding->values);
	}
	return style;
}

/* A value with fixed places, or with an exponent where that would be a long row of digits. */
static void append_value(struct strbuf *out, double value, int decimals)
{
	if (value != 0 && (fabs(value) >= 1e15 || fabs(value) < 1e-4))
		number_append_significant(out, value, 4);
	else
		number_append_fixed(out, value, decimals);
}

/*
 * "12.78 ± 0.05 n=6": four digits of the mean, or as many as show two digits of the sd; "9.000 n=6"
 * where all boots gave the same.
 */
static void append_location(struct strbuf *out, const struct summary *summary,
			    const struct scale *scale)
{
	double mean = scale_apply(scale, summary->mean), sd = scale_apply(scale, summary->sd);
	int decimals = significant_decimals(mean, 4);
	int most = significant_decimals(mean, SAMPLE_DIGITS);
	int wanted = sd != 0 ? significant_decimals(sd, 2) : 0;

	if (wanted > most)
		wanted = most;
	if (wanted > decimals)
		decimals = wanted;
	append_value(out, mean, decimals);
	if (sd != 0) {
		strbuf_append(out, " ± ");
		append_value(out, sd, decimals);
	}
	strbuf_printf(out, " n=%zu", summary->n);
}

static void add_values(struct table *table, const struct value_style *style,
		       const struct value_list *values, size_t samples,
		       const struct summary *summary)
{
	bool as_samples = !style->compact && shows_samples(values, samples);

	_cleanup_(strbuf_release) struct strbuf cell = STRBUF_INIT;

	if (!values->count) {
		strbuf_append(&cell, "-");
	} else if (as_samples) {
		array_for_each (value, values) {
			if (cell.length)
				strbuf_append_char(&cell, ' ');
			append_value(&cell, scale_apply(&style->scale, *value), style->decimals);
		}
	} else {
		append_location(&cell, summary, &style->scale);
	}
	table_add(table, strbuf_text(&cell));
}

static void add_visible(struct table *table, const char *text)
{
	_cleanup_(strbuf_release) struct strbuf visible = STRBUF_INIT;
	_cleanup_(strbuf_release) struct strbuf cell = STRBUF_INIT;

	text_append_visible(&visible, text);
	format_head(&cell, strbuf_text(&visible), LABEL_LIMIT);
	table_add(table, strbuf_text(&cell));
}

static void add_series_cells(struct table *table, const struct report_series *series,
			     const struct value_style *style)
{
	_cleanup_free_ char *label = series_label(series->benchmark, series->params);
	_cleanup_free_ char *metric = xasprintf("%s%s%s", series->metric,
						*style->scale.unit ? ", " : "", style->scale.unit);

	add_visible(table, label);
	add_visible(table, metric);
	table_add(table,
		  strcmp(series->metric, REPORT_METRIC_RUN) ? better_name(series->better) : "");
}

static void add_shift(struct table *table, const struct report_finding *finding,
		      const struct value_style *style)
{
	_cleanup_(strbuf_release) struct strbuf cell = STRBUF_INIT;
	double shift = scale_apply(&style->scale, finding->comparison.shift);

	if (finding->problem != PROBLEM_NONE) {
		table_add(table, "-");
		return;
	}
	if (shift >= 0)
		strbuf_append_char(&cell, '+');
	number_append_significant(&cell, shift, 4);
	table_add(table, strbuf_text(&cell));
}

static void add_interval(struct table *table, const struct report_finding *finding)
{
	_cleanup_(strbuf_release) struct strbuf cell = STRBUF_INIT;

	if (finding->problem == PROBLEM_NONE && finding->comparison.ratio_ci.known)
		format_change_interval(&cell, &finding->comparison.ratio_ci);
	else
		strbuf_append(&cell, "-");
	table_add(table, strbuf_text(&cell));
}

static void add_verdict(struct table *table, const struct report_finding *finding)
{
	_cleanup_free_ char *cell = NULL;

	if (finding->problem == PROBLEM_NONE)
		cell = xstrdup(verdict_name(finding->comparison.verdict));
	else
		cell = xasprintf("%s (%s)", verdict_name(finding->comparison.verdict),
				 finding_problem_name(finding->problem));
	table_add(table, cell);
}

static void add_ratio(struct table *table, const struct report_finding *finding)
{
	_cleanup_(strbuf_release) struct strbuf cell = STRBUF_INIT;

	if (finding->problem == PROBLEM_NONE && finding->comparison.ratio_known)
		format_ratio(&cell, finding->comparison.ratio);
	else
		strbuf_append(&cell, "-");
	table_add(table, strbuf_text(&cell));
}

/* One line per variant; benchmark and base stand on the first only. */
static void add_rows(struct table *table, const struct report *report,
		     const struct report_series *series, bool compact)
{
	struct value_style style = value_style_of(series, compact);
	bool several = report->variants.count > 1;

	array_for_each (finding, &series->findings) {
		if (finding == series->findings.items) {
			add_series_cells(table, series, &style);
			add_values(table, &style, &series->base_values, finding->base_samples,
				   &finding->comparison.base);
		} else {
			for (int i = 0; i < 4; i++)
				table_add(table, "");
		}
		if (several)
			add_visible(table, report->variants.items[finding->variant].name);
		add_values(table, &style, &finding->values, finding->samples,
			   &finding->comparison.candidate);
		add_shift(table, finding, &style);
		add_interval(table, finding);
		add_verdict(table, finding);
		add_ratio(table, finding);
	}
	scale_release(&style.scale);
}

static void add_header(struct table *table, const struct report *report)
{
	_cleanup_(strbuf_release) struct strbuf confidence = STRBUF_INIT;
	bool several = report->variants.count > 1;

	table_add(table, "benchmark");
	table_add(table, "metric");
	table_add(table, "better");
	add_visible(table, report->base.name);
	if (several)
		table_add(table, "variant");
	if (several)
		table_add(table, "value");
	else
		add_visible(table, report->variants.items[0].name);
	table_add(table, "shift");
	format_confidence(&confidence, report->alpha);
	table_add(table, strbuf_text(&confidence));
	table_add(table, "verdict");
	table_add(table, "ratio");
}

/* Terminal attributes of a verdict's name; NULL for other text. */
static const char *verdict_style(const char *text)
{
	static const struct {
		enum verdict verdict;
		const char *style;
	} styles[] = {
		{VERDICT_REGRESSED, "1;31"},  {VERDICT_FAILED, "1;35"},	 {VERDICT_IMPROVED, "32"},
		{VERDICT_INCONCLUSIVE, "33"}, {VERDICT_EQUIVALENT, "2"},
	};

	for (size_t i = 0; i < ARRAY_SIZE(styles); i++) {
		const char *name = verdict_name(styles[i].verdict);
		size_t length = strlen(name);

		if (!strncmp(text, name, length) && (!text[length] || text[length] == ' '))
			return styles[i].style;
	}
	return NULL;
}

/* Makes the table as narrow as the terminal, the least telling columns first. */
static void fit_terminal(struct table *table, const struct report *report, struct strbuf *out)
{
	size_t last = table->columns - 1;
	/* Direction, shift, ratio; the interval is in the sentences, too. */
	const size_t order[] = {2, last - 3, last, last - 2};
	size_t width = report->presentation.columns;
	size_t hidden = width ? table_fit(table, width, order, ARRAY_SIZE(order)) : 0;

	if (hidden)
		strbuf_printf(out, "(%zu columns left out to fit; a file or pipe gets all)\n\n",
			      hidden);
	if (report->presentation.colour)
		table->style = verdict_style;
}

static void build_table(struct table *table, const struct report *report, bool compact)
{
	bool several = report->variants.count > 1;

	*table = (struct table){.columns = several ? 10 : 9};
	table->align_right[3] = true;
	for (size_t i = several ? 5 : 4; i < table->columns; i++)
		table->align_right[i] = true;
	table->align_right[table->columns - 2] = false;
	add_header(table, report);
	array_for_each (series, &report->series)
		if (!series->context)
			add_rows(table, report, series, compact);
}

static void append_table(struct strbuf *out, const struct report *report)
{
	size_t width = report->presentation.columns;
	struct table table;

	if (!report->series.count)
		return;
	build_table(&table, report, false);
	if (width && table_width(&table) > width) {
		table_release(&table);
		build_table(&table, report, true);
	}
	fit_terminal(&table, report, out);
	table_append(&table, out);
	table_release(&table);
}

static void append_title(struct strbuf *out, const struct report *report)
{
	strbuf_append(out, "kregress: ");
	array_for_each (variant, &report->variants) {
		if (variant != report->variants.items)
			strbuf_append(out, ", ");
		text_append_visible(out, variant->name);
	}
	strbuf_append(out, " against the base ");
	text_append_visible(out, report->base.name);
	strbuf_append(out, "\n\n");
}

/* One line, or as many as the terminal's width makes of it. */
static void append_wrapped(struct strbuf *out, const struct report *report, const char *text)
{
	if (report->presentation.columns >= LEAST_WRAPPED) {
		wrap_append(out, text, 0, 4, report->presentation.columns);
		return;
	}
	text_append_visible(out, text);
	strbuf_append_char(out, '\n');
}

static void append_sentence(struct strbuf *out, const struct report *report,
			    const struct report_series *series,
			    const struct report_finding *finding)
{
	_cleanup_(strbuf_release) struct strbuf text = STRBUF_INIT;

	format_series_name(&text, series);
	if (report->variants.count > 1)
		strbuf_printf(&text, ", %s", report->variants.items[finding->variant].name);
	strbuf_append(&text, ": ");
	report_explain(&text, report, series, finding);
	append_wrapped(out, report, strbuf_text(&text));
}

/* What needs an eye comes first. */
static void append_sentences(struct strbuf *out, const struct report *report)
{
	static const enum verdict order[] = {VERDICT_REGRESSED, VERDICT_FAILED, VERDICT_IMPROVED,
					     VERDICT_INCONCLUSIVE};
	size_t before = out->length;

	for (size_t i = 0; i < ARRAY_SIZE(order); i++) {
		array_for_each (series, &report->series) {
			if (series->context)
				continue;
			array_for_each (finding, &series->findings)
				if (finding->comparison.verdict == order[i])
					append_sentence(out, report, series, finding);
		}
	}
	if (out->length > before)
		strbuf_append_char(out, '\n');
}

static void append_warning(struct strbuf *out, const struct report *report,
			   const struct report_series *series, const char *warning)
{
	_cleanup_(strbuf_release) struct strbuf line = STRBUF_INIT;

	strbuf_append(&line, "data: ");
	format_series_name(&line, series);
	strbuf_printf(&line, ": %s", warning);
	append_wrapped(out, report, strbuf_text(&line));
}

/* What to distrust, for the findings that a reader will act on and those that stand out. */
static void append_warnings(struct strbuf *out, const struct report *report)
{
	size_t shown = 0, left = 0;

	array_for_each (series, &report->series) {
		array_for_each (finding, &series->findings) {
			_cleanup_(strbuf_release) struct strbuf text = STRBUF_INIT;

			report_warn(&text, report, series, finding);
			if (series->context || !text.length)
				continue;
			if (shown++ >= WARNING_LIMIT) {
				left++;
				continue;
			}
			append_warning(out, report, series, strbuf_text(&text));
		}
	}
	if (left)
		strbuf_printf(out, "data: %zu more such lines are in the JSON report\n", left);
}

static void append_notes(struct strbuf *out, const struct report *report)
{
	append_wrapped(out, report,
		       "note: values are the boots' own samples, or mean ± standard deviation "
		       "over n boots");
	array_for_each (note, &report->notes) {
		_cleanup_free_ char *line = xasprintf("note: %s", *note);

		append_wrapped(out, report, line);
	}
}

/* Each line of `text` indented and made safe for a terminal. */
static void append_indented(struct strbuf *out, const char *text)
{
	while (*text) {
		size_t length = strcspn(text, "\n");
		_cleanup_free_ char *line = xstrndup(text, length);

		if (length && line[length - 1] == '\r')
			line[length - 1] = '\0';
		strbuf_append(out, "    ");
		text_append_visible(out, line);
		strbuf_append_char(out, '\n');
		text += length + (text[length] == '\n');
	}
}

static void append_failure(struct strbuf *out, const struct report_variant *variant,
			   const char *failure)
{
	_cleanup_(strbuf_release) struct strbuf tail = STRBUF_INIT;
	size_t head = strcspn(failure, "\n");
	_cleanup_free_ char *first = xstrndup(failure, head);

	strbuf_append(out, "failed: ");
	text_append_visible(out, variant->name);
	strbuf_append(out, ", ");
	text_append_visible(out, first);
	strbuf_append_char(out, '\n');
	if (!failure[head])
		return;
	format_tail(&tail, failure + head + 1, CONSOLE_LIMIT);
	append_indented(out, strbuf_text(&tail));
}

static void append_failures(struct strbuf *out, const struct report *report)
{
	array_for_each (failure, &report->base.failures)
		append_failure(out, &report->base, *failure);
	array_for_each (variant, &report->variants)
		array_for_each (failure, &variant->failures)
			append_failure(out, variant, *failure);
}

static void append_count_line(struct strbuf *out, const struct report *report)
{
	_cleanup_(strbuf_release) struct strbuf line = STRBUF_INIT;

	format_counts(&line, report);
	strbuf_append(&line, " (limit ");
	format_fraction(&line, report->limit_frac);
	strbuf_append(&line, ", alpha ");
	format_alpha(&line, report->alpha);
	strbuf_printf(&line, ", method %s)", method_name(report->method));
	strbuf_append_char(out, '\n');
	append_wrapped(out, report, strbuf_text(&line));
}

int report_write_text(const struct report *report, struct strbuf *out, struct error *err)
{
	(void)err;
	append_title(out, report);
	append_table(out, report);
	strbuf_append_char(out, '\n');
	append_sentences(out, report);
	append_notes(out, report);
	append_warnings(out, report);
	append_failures(out, report);
	append_count_line(out, report);
	return 0;
}
