/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Effects with their intervals on one scale, one small image for each row of the table. */
#include <math.h>

#include "analyzer/quantile.h"
#include "reports/html_parts.h"

#define WIDTH  240
#define HEIGHT 26

/* The scale holds this share of the intervals' ends, and the limit with room beside it. */
#define HELD_FRAC	0.9
#define LIMITS_AT_LEAST 2.5
#define LEAST_PERCENT	1
#define MOST_PERCENT	400

typedef ARRAY_OF(double) number_list;

static double percent(double ratio)
{
	return 100 * (ratio - 1);
}

/* The end that is further from no change. */
static double far_end(const struct comparison *comparison)
{
	const struct interval *ci = &comparison->ratio_ci;

	if (!ci->known)
		return fabs(percent(comparison->ratio));
	return fmax(fabs(percent(ci->low)), fabs(percent(ci->high)));
}

/* 1, 2 or 5 times a power of ten that is not below. */
static double round_up(double value)
{
	double power = pow(10, floor(log10(value)));

	for (int step = 1; step < 10; step = step == 2 ? 5 : 2 * step)
		if (step * power >= value * (1 - 1e-9))
			return step * power;
	return 10 * power;
}

struct plot_scale html_forest_scale(const struct report *report)
{
	double range = fmax(LEAST_PERCENT, LIMITS_AT_LEAST * 100 * report->limit_frac);
	number_list ends = {0};

	array_for_each (series, &report->series)
		array_for_each (finding, &series->findings)
			if (finding->problem == PROBLEM_NONE && finding->comparison.ratio_known)
				*array_append(&ends) = far_end(&finding->comparison);
	if (ends.count) {
		quantile_sort(ends.items, ends.count);
		range = fmax(range, quantile_of_sorted(ends.items, ends.count, HELD_FRAC));
	}
	array_release(&ends);
	range = fmin(round_up(range), MOST_PERCENT);
	return (struct plot_scale){-range, range, 0, WIDTH};
}

static void path(struct page *page, const char *class_name, const char *format, ...) _printf_(3, 4);

static void path(struct page *page, const char *class_name, const char *format, ...)
{
	_cleanup_free_ char *commands = NULL;
	va_list args;

	va_start(args, format);
	commands = xvasprintf(format, args);
	va_end(args);
	page_start(page, "path", class_name);
	page_attribute(page, "d", commands);
	page_end_empty(page);
}

/* Whole pixels of a scale 240 wide are exact enough, and the same in every locale. */
static int place(const struct plot_scale *scale, double change_percent)
{
	return (int)lround(plot_scale_at(scale, change_percent));
}

static void write_interval(struct page *page, const struct plot_scale *scale,
			   const struct interval *ci)
{
	double low = percent(ci->low), high = percent(ci->high);

	path(page, NULL, "M%d 13H%d", place(scale, low), place(scale, high));
	if (low < scale->low)
		path(page, NULL, "M6 8L0 13L6 18");
	if (high > scale->high)
		path(page, NULL, "M%d 8L%d 13L%d 18", WIDTH - 6, WIDTH, WIDTH - 6);
}

void html_forest(struct page *page, const struct plot_scale *scale,
		 const struct report_finding *finding)
{
	const struct comparison *comparison = &finding->comparison;
	_cleanup_(strbuf_release) struct strbuf title = STRBUF_INIT;
	double limit = 100 * finding->limit_frac;

	html_change(&title, finding);
	strbuf_append(&title, ", interval ");
	format_change_interval(&title, &comparison->ratio_ci);
	page_start(page, "svg", "forest");
	page_attribute_format(page, "viewBox", "0 0 %d %d", WIDTH, HEIGHT);
	page_attribute(page, "preserveAspectRatio", "none");
	page_attribute(page, "role", "img");
	page_element(page, "title", NULL, strbuf_text(&title));
	/* The limit downwards is that of the inverse ratio. */
	path(page, "limit", "M%d 0H%dV%dH%dZ", place(scale, -limit / (1 + finding->limit_frac)),
	     place(scale, limit), HEIGHT, place(scale, -limit / (1 + finding->limit_frac)));
	path(page, "zero", "M%d 0V%d", place(scale, 0), HEIGHT);
	if (comparison->ratio_ci.known)
		write_interval(page, scale, &comparison->ratio_ci);
	path(page, "point", "M%d 13h0", place(scale, percent(comparison->ratio)));
	page_end(page);
}
