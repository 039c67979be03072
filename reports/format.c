/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "reports/format.h"

#include <float.h>
#include <math.h>

#include "common/number.h"

/* Beyond this many percent a fixed number of places would print digits without meaning. */
#define LARGEST_FIXED_PERCENT 1e6

/* A sentence, not a log. */
#define REASON_LIMIT 300

/* Values in this range read well in the unit that was recorded, which people know them by. */
#define LEAST_UNSCALED 0.1
#define MOST_UNSCALED  1e4

struct scale scale_for(double value, const char *unit)
{
	_cleanup_(strbuf_release) struct strbuf text = STRBUF_INIT;
	_cleanup_(error_clear) struct error err = {0};
	struct scale scale = {1, NULL};
	bool readable = fabs(value) >= LEAST_UNSCALED && fabs(value) < MOST_UNSCALED;
	char *space;
	double shown;

	number_append_quantity(&text, value, unit);
	space = text.text ? strchr(text.text, ' ') : NULL;
	if (!space || value == 0 || readable)
		goto unscaled;
	*space = '\0';
	if (number_parse(text.text, &shown, &err) < 0 || !isnormal(shown / value))
		goto unscaled;
	scale.unit = xstrdup(space + 1);
	scale.factor = pow(1000, round(log10(shown / value) / 3));
	return scale;
unscaled:
	scale.unit = xstrdup(unit);
	return scale;
}

double scale_apply(const struct scale *scale, double value)
{
	return fmax(-DBL_MAX, fmin(value * scale->factor, DBL_MAX));
}

void scale_release(struct scale *scale)
{
	free(scale->unit);
	*scale = (struct scale){0};
}

double series_typical_value(const struct report_series *series)
{
	array_for_each (finding, &series->findings) {
		if (finding->comparison.base.n)
			return finding->comparison.base.mean;
		if (finding->comparison.candidate.n)
			return finding->comparison.candidate.mean;
	}
	return 0;
}

static void append_sign(struct strbuf *out, double value)
{
	if (value >= 0)
		strbuf_append_char(out, '+');
}

void format_change(struct strbuf *out, double ratio)
{
	double percent = fmax(-DBL_MAX, fmin((ratio - 1) * 100, DBL_MAX));
	double magnitude = fabs(percent);

	append_sign(out, percent);
	if (magnitude >= LARGEST_FIXED_PERCENT)
		number_append_significant(out, percent, 3);
	else if (magnitude > 0 && magnitude < 0.1)
		number_append_significant(out, percent, 2);
	else
		number_append_fixed(out, percent, 1);
	strbuf_append_char(out, '%');
}

void format_change_interval(struct strbuf *out, const struct interval *interval)
{
	if (!interval->known) {
		strbuf_append(out, "unknown");
		return;
	}
	format_change(out, interval->low);
	strbuf_append(out, " .. ");
	format_change(out, interval->high);
}

void format_fraction(struct strbuf *out, double fraction)
{
	/* Rounded, as 0.07 * 100 is not 7. */
	number_append_exact(out, round(fraction * 1e8) / 1e6);
	strbuf_append_char(out, '%');
}

void format_confidence(struct strbuf *out, double alpha)
{
	double percent = 100 * (1 - alpha);
	double scale = 10;

	/* One decimal, more where it would read as certainty. */
	while (round(percent * scale) / scale >= 100 && scale < 1e9)
		scale *= 10;
	number_append_exact(out, round(percent * scale) / scale);
	strbuf_append(out, "% CI");
}

void format_alpha(struct strbuf *out, double alpha)
{
	double scale = pow(10, 2 - floor(log10(alpha)));

	number_append_exact(out, round(alpha * scale) / scale);
}

void format_ratio(struct strbuf *out, double ratio)
{
	double magnitude = fabs(ratio);

	if (magnitude >= 1e6 || (magnitude > 0 && magnitude < 0.01))
		number_append_significant(out, ratio, 3);
	else
		/* Far below the third place, so that 0.9, stored a little smaller, is 0.900. */
		number_append_fixed(out, trunc(ratio * 1000 + copysign(1e-6, ratio)) / 1000, 3);
}

void format_probability(struct strbuf *out, const char *name, double probability)
{
	strbuf_append(out, name);
	if (probability < 1e-4) {
		strbuf_append(out, "<0.0001");
	} else {
		strbuf_append_char(out, '=');
		number_append_significant(out, probability, 2);
	}
}

void format_value(struct strbuf *out, double value, const struct scale *scale)
{
	number_append_significant(out, scale_apply(scale, value), 4);
	if (*scale->unit)
		strbuf_printf(out, " %s", scale->unit);
}

void format_shift(struct strbuf *out, double shift, const struct scale *scale)
{
	append_sign(out, shift);
	format_value(out, shift, scale);
}

void format_series_name(struct strbuf *out, const struct report_series *series)
{
	_cleanup_free_ char *label = series_label(series->benchmark, series->params);

	strbuf_printf(out, "%s %s", label, series->metric);
}

void format_counts(struct strbuf *out, const struct report *report)
{
	static const enum verdict order[] = {VERDICT_REGRESSED, VERDICT_IMPROVED,
					     VERDICT_EQUIVALENT, VERDICT_INCONCLUSIVE,
					     VERDICT_FAILED};

	for (size_t i = 0; i < ARRAY_SIZE(order); i++)
		strbuf_printf(out, "%s%zu %s", i ? ", " : "", report_count(report, order[i]),
			      verdict_name(order[i]));
}

void format_head(struct strbuf *out, const char *text, size_t limit)
{
	if (strlen(text) <= limit) {
		strbuf_append(out, text);
		return;
	}
	while (limit && ((unsigned char)text[limit] & 0xc0) == 0x80)
		limit--;
	strbuf_append_bytes(out, text, limit);
	strbuf_append(out, "...");
}

char *format_reason(const char *text)
{
	struct strbuf out = STRBUF_INIT;

	if (!text || !*text)
		return xstrdup("no reason was recorded");
	format_head(&out, text, REASON_LIMIT);
	for (char *byte = out.text; *byte; byte++)
		if (*byte == '\n' || *byte == '\r')
			*byte = ' ';
	return strbuf_take(&out);
}

void format_tail(struct strbuf *out, const char *text, size_t limit)
{
	size_t length = strlen(text);
	const char *start = text;
	const char *line;

	if (length > limit) {
		start = text + length - limit;
		line = strchr(start, '\n');
		if (line && line[1])
			start = line + 1;
		while (((unsigned char)*start & 0xc0) == 0x80)
			start++;
		strbuf_printf(out, "[%zu bytes left out]\n", (size_t)(start - text));
	}
	strbuf_append(out, start);
}
