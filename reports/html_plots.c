/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The plots of one finding: samples by boot, run order, distribution, shift. */
#include <math.h>

#include "common/number.h"
#include "reports/html_parts.h"
#include "reports/svg_plot.h"

#define PLOT_WIDTH   360
#define PLOT_HEIGHT  210
#define MARGIN_FRAC  0.06
#define BOX_WIDTH    0.62
#define MOST_MARKS   80 /* more boots are drawn as dots without tooltips */
#define POINTS_WIDTH 0.5

typedef ARRAY_OF(double) numbers;

/* What the plots of a finding share. */
struct sheet {
	struct html_report *html;
	const struct html_finding *item;
	const struct finding_shape *shape;
	const struct scale *scale;
	double low; /* the range of the samples, as shown */
	double high;
};

static void begin(struct sheet *sheet, struct svg_plot *plot, const char *heading, const char *text,
		  const struct svg_plot_spec *spec)
{
	page_start(sheet->html->page, "figure", NULL);
	page_start(sheet->html->page, "figcaption", NULL);
	page_element(sheet->html->page, "b", NULL, heading);
	page_text(sheet->html->page, text);
	page_end(sheet->html->page);
	svg_plot_begin(plot, sheet->html->page, spec);
}

static void end(struct sheet *sheet, struct svg_plot *plot)
{
	svg_plot_end(plot);
	page_end(sheet->html->page);
}

static struct plot_axis value_axis(const struct sheet *sheet)
{
	return (struct plot_axis){
		.low = sheet->low, .high = sheet->high, .label = sheet->scale->unit};
}

static char *boot_tooltip(const struct sheet *sheet, const char *side,
			  const struct boot_shape *boot)
{
	struct strbuf text = STRBUF_INIT;

	strbuf_printf(&text, "%s %zu: ", side, boot->boot);
	format_value(&text, boot->value, sheet->scale);
	return strbuf_take(&text);
}

static struct plot_box scaled_box(const struct sheet *sheet, const struct boot_shape *boot)
{
	return (struct plot_box){
		.low = scale_apply(sheet->scale, boot->min),
		.quarter = scale_apply(sheet->scale, boot->quarter),
		.median = scale_apply(sheet->scale, boot->median),
		.three_quarters = scale_apply(sheet->scale, boot->three_quarters),
		.high = scale_apply(sheet->scale, boot->max),
	};
}

/* The samples of a boot side by side over its place, in the order in which they were taken. */
static void add_strip(const struct sheet *sheet, const struct side_shape *side,
		      const struct boot_shape *boot, double place, numbers *xs, numbers *ys)
{
	for (size_t i = 0; i < boot->n_points; i++) {
		double within = ((double)i + 0.5) / (double)boot->n_points - 0.5;

		*array_append(xs) = place + POINTS_WIDTH * within;
		*array_append(ys) =
			scale_apply(sheet->scale, side->points.items[boot->first_point + i]);
	}
}

static void draw_side_by_boot(struct sheet *sheet, struct svg_plot *plot,
			      const struct side_shape *side, const char *class_name, double first)
{
	ARRAY_OF(struct plot_box) boxes = {0};
	numbers places = {0}, xs = {0}, ys = {0};

	for (size_t i = 0; i < side->boots.count; i++) {
		const struct boot_shape *boot = &side->boots.items[i];

		add_strip(sheet, side, boot, first + (double)i, &xs, &ys);
		if (boot->n < 2)
			continue;
		*array_append(&places) = first + (double)i;
		*array_append(&boxes) = scaled_box(sheet, boot);
	}
	svg_plot_boxes(plot, class_name, places.items, BOX_WIDTH, boxes.items, boxes.count);
	svg_plot_dots(plot, class_name, xs.items, ys.items, xs.count);
	array_release(&boxes);
	array_release(&places);
	array_release(&xs);
	array_release(&ys);
}

static void name_group(struct svg_plot *plot, const char *class_name, size_t first, size_t count,
		       const char *name)
{
	if (count)
		svg_plot_group_name(plot, class_name, (double)first + ((double)count - 1) / 2,
				    name);
}

static void draw_boots(struct sheet *sheet)
{
	size_t n_base = sheet->shape->base.boots.count;
	size_t n_new = sheet->shape->candidate.boots.count;
	/* One place is left free between the sides. */
	double places = (double)(n_base + n_new + 1);
	struct svg_plot_spec spec = {
		.title = "samples by boot, base to the left",
		.width = PLOT_WIDTH,
		.height = PLOT_HEIGHT,
		.x = {.low = -0.6, .high = places - 0.4, .names = (const char *const[]){""}},
		.y = value_axis(sheet),
	};
	struct svg_plot plot;

	begin(sheet, &plot, "Samples by boot", "points: samples; boxes: quartiles and extremes",
	      &spec);
	draw_side_by_boot(sheet, &plot, &sheet->shape->base, "base", 0);
	draw_side_by_boot(sheet, &plot, &sheet->shape->candidate, "new", (double)n_base + 1);
	name_group(&plot, "base", 0, n_base, "base");
	name_group(&plot, "new", n_base + 1, n_new, "new");
	end(sheet, &plot);
}

/* The slots and values of a side in run order. */
static void side_in_order(const struct sheet *sheet, const struct side_shape *side, numbers *slots,
			  numbers *values)
{
	array_for_each (boot, &side->boots) {
		*array_append(slots) = boot->slot;
		*array_append(values) = scale_apply(sheet->scale, boot->value);
	}
}

static void mark_boots(struct sheet *sheet, struct svg_plot *plot, const struct side_shape *side,
		       const char *class_name, enum plot_shape shape, const numbers *slots,
		       const numbers *values)
{
	struct string_list tooltips = {0};

	array_for_each (boot, &side->boots)
		*array_append(&tooltips) = boot_tooltip(sheet, class_name, boot);
	svg_plot_marks(plot, class_name, shape, slots->items, values->items,
		       (const char *const *)tooltips.items, slots->count);
	string_list_release(&tooltips);
}

/* The trend through the side's median, where the test for drift finds one. */
static void draw_drift(struct sheet *sheet, struct svg_plot *plot, const struct side_shape *side,
		       const struct drift *drift, double median)
{
	double reach = ((double)side->boots.count - 1) / 2;
	double xs[2], ys[2];

	if (!drift->known || drift->p >= sheet->html->report->alpha || side->boots.count < 2)
		return;
	xs[0] = side->boots.items[0].slot;
	xs[1] = side->boots.items[side->boots.count - 1].slot;
	ys[0] = scale_apply(sheet->scale, median - drift->slope * reach);
	ys[1] = scale_apply(sheet->scale, median + drift->slope * reach);
	svg_plot_line(plot, "change", xs, ys, 2);
}

static void draw_side_in_order(struct sheet *sheet, struct svg_plot *plot,
			       const struct side_shape *side, const char *class_name,
			       enum plot_shape shape)
{
	numbers slots = {0}, values = {0};

	side_in_order(sheet, side, &slots, &values);
	if (slots.count > MOST_MARKS) {
		svg_plot_dots(plot, class_name, slots.items, values.items, slots.count);
	} else {
		svg_plot_line(plot, class_name, slots.items, values.items, slots.count);
		mark_boots(sheet, plot, side, class_name, shape, &slots, &values);
	}
	array_release(&slots);
	array_release(&values);
}

static void append_drift(struct strbuf *out, const char *side, const struct drift *drift,
			 double alpha)
{
	strbuf_printf(out, "%s: ", side);
	if (!drift->known) {
		strbuf_append(out, "drift unknown");
		return;
	}
	strbuf_append(out, drift->p >= alpha ? "no drift"
			   : drift->s > 0    ? "drifts up"
					     : "drifts down");
	strbuf_append(out, " (");
	format_probability(out, "p", drift->p);
	strbuf_append_char(out, ')');
}

/* First and last place in run order that a boot of either side has. */
static void slot_range(const struct finding_shape *shape, double *first, double *last)
{
	const struct side_shape *const sides[] = {&shape->base, &shape->candidate};

	*first = HUGE_VAL;
	*last = -HUGE_VAL;
	for (size_t i = 0; i < ARRAY_SIZE(sides); i++) {
		array_for_each (boot, &sides[i]->boots) {
			*first = fmin(*first, boot->slot);
			*last = fmax(*last, boot->slot);
		}
	}
}

static void draw_order(struct sheet *sheet)
{
	const struct report_finding *finding = sheet->item->finding;
	const struct drift *base = &sheet->item->series->base_quality.drift;
	double alpha = sheet->html->report->alpha;
	_cleanup_(strbuf_release) struct strbuf text = STRBUF_INIT;
	struct svg_plot_spec spec = {
		.title = "boots in run order",
		.width = PLOT_WIDTH,
		.height = PLOT_HEIGHT,
		.x = {.label = "place in run order", .integer = true},
		.y = value_axis(sheet),
	};
	struct svg_plot plot;

	slot_range(sheet->shape, &spec.x.low, &spec.x.high);
	spec.x.low -= 0.5;
	spec.x.high += 0.5;
	append_drift(&text, "base", base, alpha);
	append_drift(&text, "; new", &finding->quality.drift, alpha);
	begin(sheet, &plot, "Run order", strbuf_text(&text), &spec);
	draw_side_in_order(sheet, &plot, &sheet->shape->base, "base", PLOT_CIRCLE);
	draw_side_in_order(sheet, &plot, &sheet->shape->candidate, "new", PLOT_SQUARE);
	draw_drift(sheet, &plot, &sheet->shape->base, base, finding->comparison.base.median);
	draw_drift(sheet, &plot, &sheet->shape->candidate, &finding->quality.drift,
		   finding->comparison.candidate.median);
	end(sheet, &plot);
}

static void draw_side_distribution(struct sheet *sheet, struct svg_plot *plot,
				   const struct side_shape *side, const char *class_name)
{
	double xs[SHAPE_STEPS + 1], ys[SHAPE_STEPS + 1];

	if (!side->samples)
		return;
	for (size_t i = 0; i <= SHAPE_STEPS; i++) {
		xs[i] = scale_apply(sheet->scale, side->quantiles[i]);
		ys[i] = 100.0 * (double)i / SHAPE_STEPS;
	}
	svg_plot_line(plot, class_name, xs, ys, SHAPE_STEPS + 1);
}

static void draw_distribution(struct sheet *sheet)
{
	struct svg_plot_spec spec = {
		.title = "distribution of both sides",
		.width = PLOT_WIDTH,
		.height = PLOT_HEIGHT,
		.x = value_axis(sheet),
		.y = {.low = 0, .high = 100, .percent = true, .label = "share of samples"},
	};
	struct svg_plot plot;

	begin(sheet, &plot, "Distribution (ECDF)", "dashed: base; solid: new; all samples", &spec);
	draw_side_distribution(sheet, &plot, &sheet->shape->base, "base");
	draw_side_distribution(sheet, &plot, &sheet->shape->candidate, "new");
	end(sheet, &plot);
}

/* The points of the shift function that are known. */
struct shifts {
	double at[SHAPE_SHIFTS];
	double shift[SHAPE_SHIFTS];
	double interval_at[SHAPE_SHIFTS];
	double low[SHAPE_SHIFTS];
	double high[SHAPE_SHIFTS];
	size_t count;
	size_t intervals;
};

static struct shifts scaled_shifts(const struct sheet *sheet)
{
	struct shifts shifts = {.count = 0};

	for (size_t i = 0; i < SHAPE_SHIFTS; i++) {
		const struct shift_point *point = &sheet->shape->shifts[i];

		if (!point->known)
			continue;
		shifts.at[shifts.count] = 100 * point->fraction;
		shifts.shift[shifts.count++] = scale_apply(sheet->scale, point->shift);
		if (!point->interval.known)
			continue;
		shifts.interval_at[shifts.intervals] = 100 * point->fraction;
		shifts.low[shifts.intervals] = scale_apply(sheet->scale, point->interval.low);
		shifts.high[shifts.intervals++] = scale_apply(sheet->scale, point->interval.high);
	}
	return shifts;
}

/* Zero and the limits are always in sight. */
static void shift_range(const struct shifts *shifts, double limit, double *low, double *high)
{
	*low = -limit;
	*high = limit;
	for (size_t i = 0; i < shifts->count; i++) {
		*low = fmin(*low, shifts->shift[i]);
		*high = fmax(*high, shifts->shift[i]);
	}
	for (size_t i = 0; i < shifts->intervals; i++) {
		*low = fmin(*low, shifts->low[i]);
		*high = fmax(*high, shifts->high[i]);
	}
	plot_range(low, high, MARGIN_FRAC);
}

static void draw_shift(struct sheet *sheet)
{
	const struct report_finding *finding = sheet->item->finding;
	struct shifts shifts = scaled_shifts(sheet);
	double limit = scale_apply(sheet->scale,
				   finding->limit_frac * fabs(finding->comparison.base.mean));
	struct svg_plot_spec spec = {
		.title = "shift by quantile, with intervals",
		.width = PLOT_WIDTH,
		.height = PLOT_HEIGHT,
		.x = {.low = 5, .high = 95, .percent = true, .label = "quantile of the boots"},
		.y = {.label = sheet->scale->unit},
	};
	struct svg_plot plot;

	if (!shifts.count)
		return;
	shift_range(&shifts, limit, &spec.y.low, &spec.y.high);
	begin(sheet, &plot, "Shift by quantile",
	      "new minus base; shaded: the limit around no change", &spec);
	if (limit > 0)
		svg_plot_horizontal_strip(&plot, "limit", -limit, limit);
	svg_plot_horizontal(&plot, "zero", 0);
	svg_plot_whiskers(&plot, "new", shifts.interval_at, shifts.low, shifts.high,
			  shifts.intervals);
	svg_plot_line(&plot, "new thin", shifts.at, shifts.shift, shifts.count);
	svg_plot_marks(&plot, "new", PLOT_SQUARE, shifts.at, shifts.shift, NULL, shifts.count);
	end(sheet, &plot);
}

/* The range of what both sides show, in the unit that is shown. */
static void find_range(struct sheet *sheet)
{
	const struct side_shape *base = &sheet->shape->base, *candidate = &sheet->shape->candidate;
	const struct side_shape *first = base->samples ? base : candidate;
	double low = first->low, high = first->high;

	if (candidate->samples) {
		low = fmin(low, candidate->low);
		high = fmax(high, candidate->high);
	}
	sheet->low = scale_apply(sheet->scale, low);
	sheet->high = scale_apply(sheet->scale, high);
	plot_range(&sheet->low, &sheet->high, MARGIN_FRAC);
}

void html_plots(struct html_report *html, const struct html_finding *item,
		const struct finding_shape *shape, const struct scale *scale)
{
	struct sheet sheet = {html, item, shape, scale, 0, 0};

	if (!shape->base.samples && !shape->candidate.samples)
		return;
	find_range(&sheet);
	page_start(html->page, "div", "plots");
	draw_boots(&sheet);
	draw_order(&sheet);
	draw_distribution(&sheet);
	draw_shift(&sheet);
	page_end(html->page);
}
