/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The plot of a history. It is drawn twice, for wide and for narrow screens, of which the style
 * shows one: text of one drawing cannot be readable at both widths. The narrow one is small: fewer
 * points, no tooltips.
 */
#include <math.h>

#include "analyzer/quantile.h"
#include "reports/history_html.h"
#include "reports/svg_plot.h"

#define MARGIN_FRAC 0.06

/* Spikes beyond this share of the values, and this much of the range of the others, lie on the
 * edge of the plot. */
#define SPIKE_FRAC  0.01
#define SPIKE_REACH 1.0

/* Points with a mark and a tooltip each; more are dots. */
#define MOST_MARKS 160

enum { DATE_LENGTH = 10, ABBREVIATION = 8 };

struct drawing {
	const char *class_name;
	double width;
	double height;
	size_t most_points;
	bool tooltips;
};

static const struct drawing drawings[] = {
	{"long", 960, 280, 2000, true},
	{"short", 380, 230, 400, false},
};

struct plot_numbers {
	double *items;
	size_t count;
	size_t capacity;
};

/* What is drawn of the points. */
struct shown_points {
	struct plot_numbers xs;
	struct plot_numbers ys;
	size_t beyond; /* the range */
};

struct sheet {
	struct page *page;
	const struct history_report *report;
	const struct history_series *series;
	const struct scale *scale;
	const struct drawing *drawing;
	double low; /* the range, as shown */
	double high;
};

static double shown_value(const struct sheet *sheet, double value)
{
	return scale_apply(sheet->scale, value);
}

static void widen(struct sheet *sheet, double value)
{
	sheet->low = fmin(sheet->low, shown_value(sheet, value));
	sheet->high = fmax(sheet->high, shown_value(sheet, value));
}

/* The range of the values but for far spikes, and of all levels; false without a finite value. */
static bool find_range(struct sheet *sheet)
{
	struct plot_numbers values = {0};
	double low, high, reach;

	array_for_each (point, &sheet->series->points)
		if (isfinite(point->location))
			*array_append(&values) = shown_value(sheet, point->location);
	if (!values.count)
		return false;
	quantile_sort(values.items, values.count);
	low = quantile_of_sorted(values.items, values.count, SPIKE_FRAC);
	high = quantile_of_sorted(values.items, values.count, 1 - SPIKE_FRAC);
	reach = SPIKE_REACH * (high - low);
	sheet->low = values.items[0] >= low - reach ? values.items[0] : low;
	sheet->high = values.items[values.count - 1] <= high + reach
			      ? values.items[values.count - 1]
			      : high;
	array_for_each (level, &sheet->series->levels) {
		widen(sheet, level->from);
		widen(sheet, level->to);
	}
	plot_range(&sheet->low, &sheet->high, MARGIN_FRAC);
	array_release(&values);
	return true;
}

static void show_point(const struct sheet *sheet, struct shown_points *shown, size_t index)
{
	double value = shown_value(sheet, sheet->series->points.items[index].location);

	*array_append(&shown->xs) = (double)index;
	*array_append(&shown->ys) = value;
	shown->beyond += value < sheet->low || value > sheet->high;
}

/* The smallest and the largest of the points from first to end, in their order. */
static void show_extremes(const struct sheet *sheet, struct shown_points *shown, size_t first,
			  size_t end)
{
	const struct history_point *points = sheet->series->points.items;
	size_t least = end, most = end;

	for (size_t i = first; i < end; i++) {
		if (!isfinite(points[i].location))
			continue;
		if (least == end || points[i].location < points[least].location)
			least = i;
		if (most == end || points[i].location >= points[most].location)
			most = i;
	}
	if (least == end)
		return;
	show_point(sheet, shown, least < most ? least : most);
	if (least != most)
		show_point(sheet, shown, least < most ? most : least);
}

/* Points of which one stretch shows two; 1: all are shown. */
static size_t stretch_of(const struct sheet *sheet)
{
	size_t n = sheet->series->points.count, most = sheet->drawing->most_points;

	return n <= most || !most ? 1 : (2 * n + most - 1) / most;
}

static void choose_points(const struct sheet *sheet, struct shown_points *shown)
{
	size_t n = sheet->series->points.count, stretch = stretch_of(sheet);

	for (size_t i = 0; i < n; i += stretch)
		show_extremes(sheet, shown, i, i + stretch < n ? i + stretch : n);
}

static char *point_tooltip(const struct sheet *sheet, size_t index)
{
	const struct history_point *point = &sheet->series->points.items[index];
	struct strbuf text = STRBUF_INIT;

	format_value(&text, point->location, sheet->scale);
	if (point->standard_error >= 0) {
		strbuf_append(&text, " \u00b1 ");
		format_value(&text, point->standard_error, sheet->scale);
	}
	strbuf_append(&text, ", ");
	history_point_name(&text, sheet->series, index);
	if (point->time)
		strbuf_printf(&text, ", %s", point->time);
	return strbuf_take(&text);
}

static void draw_marks(const struct sheet *sheet, struct svg_plot *plot,
		       const struct shown_points *shown)
{
	struct string_list tooltips = {0};

	array_for_each (x, &shown->xs)
		*array_append(&tooltips) = point_tooltip(sheet, (size_t)*x);
	svg_plot_marks(plot, "base", PLOT_CIRCLE, shown->xs.items, shown->ys.items,
		       (const char *const *)tooltips.items, shown->xs.count);
	string_list_release(&tooltips);
}

/* One standard error to both sides, where it is known. */
static void draw_errors(const struct sheet *sheet, struct svg_plot *plot,
			const struct shown_points *shown)
{
	struct plot_numbers xs = {0}, lows = {0}, highs = {0};

	array_for_each (x, &shown->xs) {
		const struct history_point *point = &sheet->series->points.items[(size_t)*x];

		if (point->standard_error < 0)
			continue;
		*array_append(&xs) = *x;
		*array_append(&lows) = shown_value(sheet, point->location - point->standard_error);
		*array_append(&highs) = shown_value(sheet, point->location + point->standard_error);
	}
	svg_plot_whiskers(plot, "base thin", xs.items, lows.items, highs.items, xs.count);
	array_release(&xs);
	array_release(&lows);
	array_release(&highs);
}

static void draw_points(const struct sheet *sheet, struct svg_plot *plot,
			const struct shown_points *shown)
{
	if (!sheet->drawing->tooltips || shown->xs.count > MOST_MARKS) {
		svg_plot_dots(plot, "base", shown->xs.items, shown->ys.items, shown->xs.count);
		return;
	}
	draw_errors(sheet, plot, shown);
	draw_marks(sheet, plot, shown);
}

static void draw_levels(const struct sheet *sheet, struct svg_plot *plot)
{
	array_for_each (level, &sheet->series->levels) {
		double xs[] = {(double)level->first - 0.4, (double)level->last + 0.4};
		double ys[] = {shown_value(sheet, level->from), shown_value(sheet, level->to)};

		svg_plot_line(plot, "level", xs, ys, ARRAY_SIZE(xs));
	}
}

/* From the last point surely before the change to the first one surely after it. */
static void draw_intervals(const struct sheet *sheet, struct svg_plot *plot)
{
	array_for_each (change, &sheet->series->changes) {
		_cleanup_free_ char *classes = xasprintf("strip v-%s", history_tone(change->grade));

		svg_plot_vertical_strip(plot, classes, (double)change->low - 1,
					(double)change->high);
	}
}

static void draw_changes(const struct sheet *sheet, struct svg_plot *plot)
{
	array_for_each (change, &sheet->series->changes) {
		_cleanup_free_ char *classes =
			xasprintf("change v-%s", history_tone(change->grade));
		_cleanup_(strbuf_release) struct strbuf text = STRBUF_INIT;

		if (sheet->drawing->tooltips)
			history_change_sentence(&text, sheet->report, sheet->series, change);
		svg_plot_vertical(plot, classes, (double)change->index - 0.5,
				  text.length ? strbuf_text(&text) : NULL);
	}
}

/* Dates, or else commits, of all points; none when a point has neither. Owned by the caller. */
static bool name_points(const struct history_series *series, struct string_list *names)
{
	bool dates = true;

	array_for_each (point, &series->points)
		dates = dates && point->time;
	array_for_each (point, &series->points) {
		if (!dates && !point->commit)
			return false;
		*array_append(names) = dates ? xasprintf("%.*s", DATE_LENGTH, point->time)
					     : xasprintf("%.*s", ABBREVIATION, point->commit);
	}
	return true;
}

static void write_caption(const struct sheet *sheet, const struct shown_points *shown)
{
	size_t stretch = stretch_of(sheet);
	struct page *page = sheet->page;

	page_start(page, "figcaption", NULL);
	page_text(page, "Points: run sets; lines: levels; dashed: where it changed, with the "
			"interval of the place shaded.");
	if (sheet->drawing->tooltips && shown->xs.count <= MOST_MARKS &&
	    sheet->series->points.items[0].standard_error >= 0)
		page_text(page, " Whiskers: one standard error.");
	if (stretch > 1)
		page_format(page, " Of every %zu points the smallest and the largest are drawn.",
			    stretch);
	if (shown->beyond)
		page_format(page, " %zu point%s beyond the range lie%s on its edge.", shown->beyond,
			    shown->beyond == 1 ? "" : "s", shown->beyond == 1 ? "s" : "");
	page_end(page);
}

static void draw(const struct sheet *sheet, const struct string_list *names)
{
	size_t n = sheet->series->points.count;
	struct svg_plot_spec spec = {
		.class_name = sheet->drawing->class_name,
		.title = "points of the series in order, with levels and changes",
		.width = sheet->drawing->width,
		.height = sheet->drawing->height,
		.x = {.low = -0.6, .high = (double)n - 0.4, .integer = true},
		.y = {.low = sheet->low, .high = sheet->high, .label = sheet->scale->unit},
	};
	struct shown_points shown = {.beyond = 0};
	_cleanup_free_ char *classes = xasprintf("history %s", sheet->drawing->class_name);
	struct svg_plot plot;

	if (names->count == n) {
		spec.x.names = (const char *const *)names->items;
		spec.x.name_count = n;
	}
	choose_points(sheet, &shown);
	page_start(sheet->page, "figure", classes);
	svg_plot_begin(&plot, sheet->page, &spec);
	draw_intervals(sheet, &plot);
	draw_points(sheet, &plot, &shown);
	draw_levels(sheet, &plot);
	draw_changes(sheet, &plot);
	svg_plot_end(&plot);
	write_caption(sheet, &shown);
	page_end(sheet->page);
	array_release(&shown.xs);
	array_release(&shown.ys);
}

void history_html_plots(struct page *page, const struct history_report *report,
			const struct history_series *series, const struct scale *scale)
{
	struct sheet sheet = {.page = page, .report = report, .series = series, .scale = scale};
	_cleanup_(string_list_release) struct string_list names = {0};

	if (!find_range(&sheet))
		return;
	if (!name_points(series, &names))
		string_list_release(&names);
	for (size_t i = 0; i < ARRAY_SIZE(drawings); i++) {
		sheet.drawing = &drawings[i];
		draw(&sheet, &names);
	}
}
