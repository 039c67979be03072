/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "reports/svg_plot.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

#include "common/alloc.h"
#include "common/number.h"
#include "common/text.h"
#include "reports/svg_path.h"

#define TICKS_MOST	12
#define CHARACTER_WIDTH 6.8
#define TOP		18 /* room for the unit above the axis */
#define BOTTOM		34 /* ticks, and below them the label or the names of groups */
#define RIGHT		10
#define LEFT_LEAST	24
#define LEFT_MOST	110

/* A tick needs so much room, in pixels. */
#define TICK_SPACE_X 58
#define TICK_SPACE_Y 32

struct ticks {
	double at[TICKS_MOST];
	size_t count;
	int decimals;
};

static void write_path(struct page *page, const char *class_name, const struct svg_path *path,
		       const char *tooltip)
{
	page_start(page, "path", class_name);
	page_attribute(page, "d", svg_path_text(path));
	if (tooltip)
		page_element(page, "title", NULL, tooltip);
	page_end_empty(page);
}

/* `value` with the ticks' places; very large and small ones with an exponent. */
static void append_tick(struct strbuf *out, const struct plot_axis *axis, const struct ticks *ticks,
			double value)
{
	if (fabs(value) >= 1e7 || ticks->decimals > 6)
		number_append_significant(out, value, 4);
	else
		number_append_fixed(out, value, ticks->decimals);
	if (axis->percent)
		strbuf_append_char(out, '%');
}

static struct ticks ticks_of(const struct plot_axis *axis, double length, double space)
{
	struct ticks ticks = {.count = 0};
	size_t wanted = (size_t)fmax(2, fmin(length / space, TICKS_MOST - 2));

	if (axis->integer && wanted > axis->high - axis->low)
		wanted = (size_t)fmax(1, axis->high - axis->low);
	ticks.count =
		plot_ticks(axis->low, axis->high, wanted, ticks.at, TICKS_MOST, &ticks.decimals);
	return ticks;
}

/* As wide as the longest tick of the y axis. */
static double left_margin(const struct plot_axis *axis, const struct ticks *ticks)
{
	double widest = LEFT_LEAST;

	for (size_t i = 0; i < ticks->count; i++) {
		_cleanup_(strbuf_release) struct strbuf text = STRBUF_INIT;

		append_tick(&text, axis, ticks, ticks->at[i]);
		widest = fmax(widest, (double)text.length * CHARACTER_WIDTH + 8);
	}
	return fmin(widest, LEFT_MOST);
}

static void write_label(struct page *page, const char *class_name, double x, double y,
			const char *text)
{
	page_start(page, "text", class_name);
	page_attribute_number(page, "x", round(x));
	page_attribute_number(page, "y", round(y));
	page_text(page, text);
	page_end(page);
}

static void write_y_axis(struct svg_plot *plot, const struct plot_axis *axis,
			 const struct ticks *ticks)
{
	_cleanup_(svg_path_release) struct svg_path grid = {.drawing = false};

	page_start(plot->page, "g", "y");
	for (size_t i = 0; i < ticks->count; i++) {
		_cleanup_(strbuf_release) struct strbuf text = STRBUF_INIT;
		double y = round(plot_scale_at(&plot->y, ticks->at[i]));

		svg_path_move(&grid, plot->x.start, y);
		svg_path_horizontal(&grid, plot->x.end);
		append_tick(&text, axis, ticks, ticks->at[i]);
		write_label(plot->page, NULL, plot->x.start - 5, y + 4, strbuf_text(&text));
	}
	page_end(plot->page);
	if (ticks->count)
		write_path(plot->page, "grid", &grid, NULL);
	if (axis->label)
		write_label(plot->page, NULL, 0, 11, axis->label);
}

static void write_x_ticks(struct svg_plot *plot, const struct plot_axis *axis)
{
	struct ticks ticks = ticks_of(axis, plot->x.end - plot->x.start, TICK_SPACE_X);

	for (size_t i = 0; i < ticks.count; i++) {
		_cleanup_(strbuf_release) struct strbuf text = STRBUF_INIT;

		append_tick(&text, axis, &ticks, ticks.at[i]);
		write_label(plot->page, NULL, plot_scale_at(&plot->x, ticks.at[i]),
			    plot->y.start + 13, strbuf_text(&text));
	}
}

/* Every n-th name, so that neighbours do not touch. */
static void write_x_names(struct svg_plot *plot, const struct plot_axis *axis)
{
	double room = plot->x.end - plot->x.start;
	size_t longest = 1, step;

	for (size_t i = 0; i < axis->name_count; i++)
		longest = (size_t)fmax((double)longest, (double)text_width(axis->names[i]));
	step = (size_t)ceil((double)axis->name_count * (double)(longest + 2) * CHARACTER_WIDTH /
			    room);
	for (size_t i = 0; i < axis->name_count; i += step ? step : 1)
		write_label(plot->page, NULL, plot_scale_at(&plot->x, (double)i),
			    plot->y.start + 13, axis->names[i]);
}

static void write_x_axis(struct svg_plot *plot, const struct plot_axis *axis)
{
	page_start(plot->page, "g", "x");
	if (axis->names)
		write_x_names(plot, axis);
	else
		write_x_ticks(plot, axis);
	if (axis->label)
		write_label(plot->page, NULL, (plot->x.start + plot->x.end) / 2, plot->y.start + 28,
			    axis->label);
	page_end(plot->page);
}

void svg_plot_begin(struct svg_plot *plot, struct page *page, const struct svg_plot_spec *spec)
{
	double height = spec->height - TOP - BOTTOM;
	struct ticks y_ticks = ticks_of(&spec->y, height, TICK_SPACE_Y);
	double left = left_margin(&spec->y, &y_ticks);
	_cleanup_free_ char *classes = xasprintf("plot%s%s", spec->class_name ? " " : "",
						 spec->class_name ? spec->class_name : "");

	*plot = (struct svg_plot){
		.page = page,
		.x = {spec->x.low, spec->x.high, left, spec->width - RIGHT},
		.y = {spec->y.low, spec->y.high, spec->height - BOTTOM, TOP},
	};
	page_start(page, "svg", classes);
	page_attribute(page, "role", "img");
	page_attribute_format(page, "viewBox", "0 0 %.0f %.0f", spec->width, spec->height);
	page_attribute(page, "aria-label", spec->title);
	write_y_axis(plot, &spec->y, &y_ticks);
	write_x_axis(plot, &spec->x);
}

void svg_plot_end(struct svg_plot *plot)
{
	page_end(plot->page);
}

static char *line_class(const char *class_name)
{
	return xasprintf("line %s", class_name);
}

void svg_plot_line(struct svg_plot *plot, const char *class_name, const double *xs,
		   const double *ys, size_t n)
{
	_cleanup_(svg_path_release) struct svg_path path = {.drawing = false};
	_cleanup_free_ char *classes = line_class(class_name);

	for (size_t i = 0; i < n; i++) {
		double x = plot_scale_at(&plot->x, xs[i]), y = plot_scale_at(&plot->y, ys[i]);

		if (i)
			svg_path_line(&path, x, y);
		else
			svg_path_move(&path, x, y);
	}
	if (n)
		write_path(plot->page, classes, &path, NULL);
}

void svg_plot_band(struct svg_plot *plot, const char *class_name, const double *xs,
		   const double *lows, const double *highs, size_t n)
{
	_cleanup_(svg_path_release) struct svg_path path = {.drawing = false};

	if (!n)
		return;
	svg_path_move(&path, plot_scale_at(&plot->x, xs[0]), plot_scale_at(&plot->y, lows[0]));
	for (size_t i = 0; i < n; i++)
		svg_path_line(&path, plot_scale_at(&plot->x, xs[i]),
			      plot_scale_at(&plot->y, highs[i]));
	for (size_t i = n; i > 0; i--)
		svg_path_line(&path, plot_scale_at(&plot->x, xs[i - 1]),
			      plot_scale_at(&plot->y, lows[i - 1]));
	svg_path_close(&path);
	write_path(plot->page, class_name, &path, NULL);
}

void svg_plot_whiskers(struct svg_plot *plot, const char *class_name, const double *xs,
		       const double *lows, const double *highs, size_t n)
{
	_cleanup_(svg_path_release) struct svg_path path = {.drawing = false};
	_cleanup_free_ char *classes = line_class(class_name);

	for (size_t i = 0; i < n; i++) {
		svg_path_move(&path, plot_scale_at(&plot->x, xs[i]),
			      plot_scale_at(&plot->y, lows[i]));
		svg_path_vertical(&path, plot_scale_at(&plot->y, highs[i]));
	}
	if (n)
		write_path(plot->page, classes, &path, NULL);
}

void svg_plot_bars(struct svg_plot *plot, const char *class_name, const double *xs,
		   const double *heights, size_t n, double width)
{
	_cleanup_(svg_path_release) struct svg_path path = {.drawing = false};

	for (size_t i = 0; i < n; i++)
		svg_path_rectangle(&path, plot_scale_at(&plot->x, xs[i] - width / 2),
				   plot_scale_at(&plot->y, heights[i]),
				   plot_scale_at(&plot->x, xs[i] + width / 2),
				   plot_scale_at(&plot->y, 0));
	if (n)
		write_path(plot->page, class_name, &path, NULL);
}

void svg_plot_dots(struct svg_plot *plot, const char *class_name, const double *xs,
		   const double *ys, size_t n)
{
	_cleanup_(svg_path_release) struct svg_path path = {.drawing = false};
	_cleanup_free_ char *classes = xasprintf("dots %s", class_name);

	for (size_t i = 0; i < n; i++) {
		svg_path_move(&path, round(plot_scale_at(&plot->x, xs[i])),
			      round(plot_scale_at(&plot->y, ys[i])));
		svg_path_outline(&path, "h0");
	}
	if (n)
		write_path(plot->page, classes, &path, NULL);
}

void svg_plot_marks(struct svg_plot *plot, const char *class_name, enum plot_shape shape,
		    const double *xs, const double *ys, const char *const *tooltips, size_t n)
{
	/* From the left end or the top left corner of the mark. */
	static const struct {
		double left, top;
		const char *outline;
	} shapes[] = {
		[PLOT_CIRCLE] = {4, 0, "a4 4 0 1 0 8 0 4 4 0 1 0-8 0"},
		[PLOT_SQUARE] = {3, 3, "h6v6h-6z"},
		[PLOT_TRIANGLE] = {4, -3, "h8l-4-7z"},
		[PLOT_CROSS] = {4, 4, "l8 8m0-8l-8 8"},
	};
	_cleanup_free_ char *classes = xasprintf("mark %s", class_name);

	page_start(plot->page, "g", classes);
	for (size_t i = 0; i < n; i++) {
		_cleanup_(svg_path_release) struct svg_path path = {.drawing = false};

		svg_path_move(&path, plot_scale_at(&plot->x, xs[i]) - shapes[shape].left,
			      plot_scale_at(&plot->y, ys[i]) - shapes[shape].top);
		svg_path_outline(&path, shapes[shape].outline);
		write_path(plot->page, NULL, &path, tooltips ? tooltips[i] : NULL);
	}
	page_end(plot->page);
}

static void add_box(const struct svg_plot *plot, struct svg_path *path, double x, double width,
		    const struct plot_box *box)
{
	double left = round(plot_scale_at(&plot->x, x - width / 2));
	double right = round(plot_scale_at(&plot->x, x + width / 2));
	double middle = round(plot_scale_at(&plot->x, x));

	svg_path_rectangle(path, left, plot_scale_at(&plot->y, box->three_quarters), right,
			   plot_scale_at(&plot->y, box->quarter));
	svg_path_move(path, left, plot_scale_at(&plot->y, box->median));
	svg_path_horizontal(path, right);
	svg_path_move(path, middle, plot_scale_at(&plot->y, box->high));
	svg_path_vertical(path, plot_scale_at(&plot->y, box->three_quarters));
	svg_path_move(path, middle, plot_scale_at(&plot->y, box->quarter));
	svg_path_vertical(path, plot_scale_at(&plot->y, box->low));
}

void svg_plot_boxes(struct svg_plot *plot, const char *class_name, const double *xs, double width,
		    const struct plot_box *boxes, size_t n)
{
	_cleanup_(svg_path_release) struct svg_path path = {.drawing = false};
	_cleanup_free_ char *classes = xasprintf("box %s", class_name);

	for (size_t i = 0; i < n; i++)
		add_box(plot, &path, xs[i], width, &boxes[i]);
	if (n)
		write_path(plot->page, classes, &path, NULL);
}

void svg_plot_vertical(struct svg_plot *plot, const char *class_name, double x, const char *tooltip)
{
	_cleanup_(svg_path_release) struct svg_path path = {.drawing = false};
	_cleanup_free_ char *classes = line_class(class_name);

	svg_path_move(&path, plot_scale_at(&plot->x, x), plot->y.start);
	svg_path_vertical(&path, plot->y.end);
	write_path(plot->page, classes, &path, tooltip);
}

void svg_plot_horizontal(struct svg_plot *plot, const char *class_name, double y)
{
	_cleanup_(svg_path_release) struct svg_path path = {.drawing = false};
	_cleanup_free_ char *classes = line_class(class_name);

	svg_path_move(&path, plot->x.start, plot_scale_at(&plot->y, y));
	svg_path_horizontal(&path, plot->x.end);
	write_path(plot->page, classes, &path, NULL);
}

void svg_plot_vertical_strip(struct svg_plot *plot, const char *class_name, double low, double high)
{
	_cleanup_(svg_path_release) struct svg_path path = {.drawing = false};

	svg_path_rectangle(&path, plot_scale_at(&plot->x, low), plot->y.end,
			   plot_scale_at(&plot->x, high), plot->y.start);
	write_path(plot->page, class_name, &path, NULL);
}

void svg_plot_horizontal_strip(struct svg_plot *plot, const char *class_name, double low,
			       double high)
{
	_cleanup_(svg_path_release) struct svg_path path = {.drawing = false};

	svg_path_rectangle(&path, plot->x.start, plot_scale_at(&plot->y, high), plot->x.end,
			   plot_scale_at(&plot->y, low));
	write_path(plot->page, class_name, &path, NULL);
}

void svg_plot_group_name(struct svg_plot *plot, const char *class_name, double x, const char *text)
{
	_cleanup_free_ char *classes = xasprintf("x %s", class_name);

	write_label(plot->page, classes, plot_scale_at(&plot->x, x), plot->y.start + 16, text);
}
