/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Plots as SVG within a page: axes with round ticks, and marks on them. Text stays text, colours
 * come from the page's style by class, and every mark may carry a tooltip. A plot is an image to a
 * screen reader, named by its title; the table behind it is up to the caller.
 *
 *	struct svg_plot plot;
 *
 *	svg_plot_begin(&plot, page, &spec);
 *	svg_plot_band(&plot, "band", xs, lows, highs, n);
 *	svg_plot_line(&plot, "new", xs, ys, n);
 *	svg_plot_marks(&plot, "new", PLOT_SQUARE, xs, ys, tooltips, n);
 *	svg_plot_end(&plot);
 *
 * Classes of the style: `base` and `new` for the sides, `band` for intervals, `limit` for the
 * practical limit, `zero` and `change` for reference lines, `posterior` for probabilities.
 */
#ifndef KREGRESS_REPORTS_SVG_PLOT_H
#define KREGRESS_REPORTS_SVG_PLOT_H

#include "reports/html_page.h"
#include "reports/plot_scale.h"

struct plot_axis {
	double low; /* the range to show, as plot_range() makes it */
	double high;
	const char *label; /* unit or meaning; NULL: none */
	/*
	 * Where whole numbers stand for things (commits, boots): their names, at 0, 1, ...; as many
	 * are written as fit. NULL: a scale of numbers.
	 */
	const char *const *names;
	size_t name_count;
	bool percent; /* ticks carry a percent sign */
	bool integer; /* no tick between whole numbers */
};

struct svg_plot_spec {
	const char *class_name; /* beside "plot"; NULL: none */
	const char *title;	/* the image's name to those who do not see it */
	double width;		/* in CSS pixels at full size; the plot shrinks with its column */
	double height;
	struct plot_axis x;
	struct plot_axis y;
};

struct svg_plot {
	struct page *page;
	struct plot_scale x;
	struct plot_scale y;
};

enum plot_shape {
	PLOT_CIRCLE,
	PLOT_SQUARE,
	PLOT_TRIANGLE,
	PLOT_CROSS, /* what was tried and gave nothing */
};

/* Opens the <svg> and draws frame, grid, ticks and labels. `spec` may go afterwards. */
void svg_plot_begin(struct svg_plot *plot, struct page *page, const struct svg_plot_spec *spec);
void svg_plot_end(struct svg_plot *plot);

/* A line through the points in order. */
void svg_plot_line(struct svg_plot *plot, const char *class_name, const double *xs,
		   const double *ys, size_t n);

/* The area between `lows` and `highs`, as for confidence intervals along a history. */
void svg_plot_band(struct svg_plot *plot, const char *class_name, const double *xs,
		   const double *lows, const double *highs, size_t n);

/* Error bars. */
void svg_plot_whiskers(struct svg_plot *plot, const char *class_name, const double *xs,
		       const double *lows, const double *highs, size_t n);

/* Bars from zero, `width` wide in units of x: a probability for each commit, say. */
void svg_plot_bars(struct svg_plot *plot, const char *class_name, const double *xs,
		   const double *heights, size_t n, double width);

/* Many small points without tooltips, in one path. Those beyond the range lie on its edge. */
void svg_plot_dots(struct svg_plot *plot, const char *class_name, const double *xs,
		   const double *ys, size_t n);

/* Marks one by one; `tooltips` has a text or NULL for each, or is NULL. */
void svg_plot_marks(struct svg_plot *plot, const char *class_name, enum plot_shape shape,
		    const double *xs, const double *ys, const char *const *tooltips, size_t n);

/* Five numbers each as boxes of that width, in units of x, with whiskers to the outer ones. */
struct plot_box {
	double low;
	double quarter;
	double median;
	double three_quarters;
	double high;
};
void svg_plot_boxes(struct svg_plot *plot, const char *class_name, const double *xs, double width,
		    const struct plot_box *boxes, size_t n);

/* A line across the plot at a value of x or y. */
void svg_plot_vertical(struct svg_plot *plot, const char *class_name, double x,
		       const char *tooltip);
void svg_plot_horizontal(struct svg_plot *plot, const char *class_name, double y);

/* A filled strip from low to high of x (where a change point may lie) or of y (a limit). */
void svg_plot_vertical_strip(struct svg_plot *plot, const char *class_name, double low,
			     double high);
void svg_plot_horizontal_strip(struct svg_plot *plot, const char *class_name, double low,
			       double high);

/* Text centred at x below the axis, to name groups. */
void svg_plot_group_name(struct svg_plot *plot, const char *class_name, double x, const char *text);

#endif
