/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Prometheus text format, for the textfile collector of node_exporter or a push gateway: gauges,
 * a sample per finding, with the finding's names as labels.
 */
#include "common/number.h"
#include "common/text.h"
#include "reports/writers.h"

/* Appends a label value: text with '\', '"' and line feed escaped. */
static void append_escaped(struct strbuf *out, const char *text)
{
	_cleanup_(strbuf_release) struct strbuf visible = STRBUF_INIT;

	text_append_visible(&visible, text);
	for (const char *byte = strbuf_text(&visible); *byte; byte++) {
		if (*byte == '\\' || *byte == '"')
			strbuf_append_char(out, '\\');
		strbuf_append_char(out, *byte);
	}
}

static void append_label(struct strbuf *out, const char *name, const char *value)
{
	strbuf_printf(out, "%s%s=\"", out->length && out->text[out->length - 1] == '{' ? "" : ",",
		      name);
	append_escaped(out, value);
	strbuf_append_char(out, '"');
}

static void append_labels(struct strbuf *out, const struct report *report,
			  const struct report_series *series, const struct report_finding *finding)
{
	append_label(out, "benchmark", series->benchmark);
	append_label(out, "params", series->params);
	append_label(out, "metric", series->metric);
	append_label(out, "unit", series->unit);
	append_label(out, "machine", report->machine ? report->machine : "");
	append_label(out, "base", report->base.name);
	append_label(out, "variant", report->variants.items[finding->variant].name);
	append_label(out, "finding", finding->id);
}

/* What a gauge shows of a finding; false when that is not known. */
typedef bool (*read_fn)(const struct report_finding *finding, double *value);

static bool read_base(const struct report_finding *finding, double *value)
{
	*value = finding->comparison.base.mean;
	return finding->comparison.base.n > 0;
}

static bool read_new(const struct report_finding *finding, double *value)
{
	*value = finding->comparison.candidate.mean;
	return finding->comparison.candidate.n > 0;
}

static bool read_boots(const struct report_finding *finding, double *value)
{
	*value = (double)finding->comparison.candidate.n;
	return true;
}

static bool compared(const struct report_finding *finding)
{
	return finding->problem == PROBLEM_NONE && finding->comparison.ratio_known;
}

static bool read_ratio(const struct report_finding *finding, double *value)
{
	*value = finding->comparison.ratio;
	return compared(finding);
}

static bool read_low(const struct report_finding *finding, double *value)
{
	*value = finding->comparison.ratio_ci.low;
	return compared(finding) && finding->comparison.ratio_ci.known;
}

static bool read_high(const struct report_finding *finding, double *value)
{
	*value = finding->comparison.ratio_ci.high;
	return compared(finding) && finding->comparison.ratio_ci.known;
}

static bool read_q(const struct report_finding *finding, double *value)
{
	*value = finding->comparison.q;
	return finding->problem == PROBLEM_NONE && finding->comparison.p_known;
}

static bool read_limit(const struct report_finding *finding, double *value)
{
	*value = finding->limit_frac;
	return true;
}

static const struct gauge {
	const char *name;
	const char *help;
	read_fn read;
} gauges[] = {
	{"kregress_base_value", "Mean over the base's boots, in the unit of the label.", read_base},
	{"kregress_new_value", "Mean over the variant's boots, in the unit of the label.",
	 read_new},
	{"kregress_boots", "Boots of the variant behind its value.", read_boots},
	{"kregress_change_ratio", "Variant to base.", read_ratio},
	{"kregress_change_ratio_low", "Lower end of the ratio's confidence interval.", read_low},
	{"kregress_change_ratio_high", "Upper end of the ratio's confidence interval.", read_high},
	{"kregress_change_q", "p value of no change, adjusted for the number of series.", read_q},
	{"kregress_limit_ratio", "Change from which on it counts, as a fraction.", read_limit},
};

static void append_head(struct strbuf *out, const char *name, const char *help)
{
	strbuf_printf(out, "# HELP %s %s\n# TYPE %s gauge\n", name, help, name);
}

static void append_gauge(struct strbuf *out, const struct report *report, const struct gauge *gauge)
{
	append_head(out, gauge->name, gauge->help);
	array_for_each (series, &report->series) {
		array_for_each (finding, &series->findings) {
			double value;

			if (series->context || !gauge->read(finding, &value))
				continue;
			strbuf_printf(out, "%s{", gauge->name);
			append_labels(out, report, series, finding);
			strbuf_append(out, "} ");
			number_append_exact(out, value);
			strbuf_append_char(out, '\n');
		}
	}
}

/* A gauge that is always 1, with the verdict as a label. */
static void append_verdicts(struct strbuf *out, const struct report *report)
{
	append_head(out, "kregress_verdict", "The verdict, as a label.");
	array_for_each (series, &report->series) {
		array_for_each (finding, &series->findings) {
			if (series->context)
				continue;
			strbuf_append(out, "kregress_verdict{");
			append_labels(out, report, series, finding);
			append_label(out, "verdict", verdict_name(finding->comparison.verdict));
			strbuf_append(out, "} 1\n");
		}
	}
}

static void append_counts(struct strbuf *out, const struct report *report)
{
	static const enum verdict verdicts[] = {VERDICT_REGRESSED, VERDICT_IMPROVED,
						VERDICT_EQUIVALENT, VERDICT_INCONCLUSIVE,
						VERDICT_FAILED};

	append_head(out, "kregress_findings", "Findings of each verdict.");
	for (size_t i = 0; i < ARRAY_SIZE(verdicts); i++) {
		strbuf_append(out, "kregress_findings{");
		append_label(out, "verdict", verdict_name(verdicts[i]));
		append_label(out, "base", report->base.name);
		strbuf_printf(out, "} %zu\n", report_count(report, verdicts[i]));
	}
}

int report_write_prometheus(const struct report *report, struct strbuf *out, struct error *err)
{
	(void)err;
	for (size_t i = 0; i < ARRAY_SIZE(gauges); i++)
		append_gauge(out, report, &gauges[i]);
	append_verdicts(out, report);
	append_counts(out, report);
	return 0;
}
