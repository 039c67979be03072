/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "analyzer/change_describe.h"

#include <math.h>

#include <gsl/gsl_statistics_double.h>

#include "analyzer/ratio.h"
#include "analyzer/scratch.h"
#include "analyzer/student.h"

#define HELD	    3.0 /* noise standard deviations about the median that a value counts for */
#define ALPHA	    0.05
#define LINE_COST   4.0 /* variance at the end of a line over that of a level */
#define FREEDOM_MIN 2.0 /* that the interval takes for granted */

/* The stretch on one side of a change; its location is that next to the change. */
struct side {
	size_t from;
	size_t to;
	bool line;
	struct change_side size;
};

/* Mean of the values held about their median: as robust as need be, whatever the neighbours. */
static double held_mean(const struct change_model *model, size_t from, size_t to)
{
	size_t n = to - from;
	_scratch_ double *copy = scratch_copy(model->values + from, n);
	double middle = gsl_stats_median(copy, 1, n);
	double reach = HELD * model->noise.sd;
	double sum = 0;

	for (size_t i = from; i < to; i++)
		sum += fmin(fmax(model->values[i] - middle, -reach), reach);
	return middle + sum / (double)n;
}

/* Value of the line at a place. */
static double line_at(const struct change_model *model, const struct side *side, double place)
{
	struct change_sums sums = change_model_sums(model, side->from, side->to);
	double middle = sums.t / sums.w;
	double n = (double)(side->to - side->from);
	double spread = model->weighted ? sums.tt - middle * sums.t : n * (n * n - 1) / 12;
	double slope = (sums.tx - middle * sums.x) / spread;

	return model->centre + model->unit * (sums.x / sums.w + slope * (place - middle));
}

static void side_measure(struct side *side, const struct change_model *model, double place)
{
	size_t n = side->to - side->from;
	double inflation = change_noise_inflation(model->noise.lag1, n);

	side->line = change_model_is_line(model, side->from, side->to);
	if (side->line)
		inflation *= LINE_COST;
	side->size = (struct change_side){
		.n = n,
		.location = side->line ? line_at(model, side, place)
				       : held_mean(model, side->from, side->to),
		.error = model->noise.sd * sqrt(inflation / (double)n),
	};
}

static struct moments moments_of_side(const struct change_side *side)
{
	return (struct moments){
		.n = side->n,
		.mean = side->location,
		.sd = side->error * sqrt((double)side->n),
	};
}

void change_describe_size(struct change_point *point, const struct change_side *before,
			  const struct change_side *after)
{
	struct moments base = moments_of_side(before);
	struct moments candidate = moments_of_side(after);
	struct ratio ratio = ratio_of_means(&base, &candidate, ALPHA);
	double freedom = fmax((double)(before->n + after->n) - 2, FREEDOM_MIN);
	double half = student_quantile(ALPHA / 2, freedom) * hypot(before->error, after->error);

	point->before = before->location;
	point->after = after->location;
	point->difference = after->location - before->location;
	point->difference_ci =
		(struct interval){point->difference - half, point->difference + half, true};
	if (ratio.known && ratio.interval.known) {
		point->ratio = ratio.value;
		point->ratio_ci = ratio.interval;
	}
}

/* A line on either side, and no step where they meet: the trend changed. */
static enum change_kind kind_of(const struct change_point *point, const struct side *before,
				const struct side *after)
{
	bool step = point->difference_ci.low > 0 || point->difference_ci.high < 0;

	return !step && (before->line || after->line) ? CHANGE_KIND_TREND : CHANGE_KIND_LEVEL;
}

void change_describe(const struct change_model *model, const struct change_place *places,
		     size_t count, struct change_point *points)
{
	for (size_t i = 0; i < count; i++) {
		struct side before = {.from = i ? places[i - 1].index : 0, .to = places[i].index};
		struct side after = {.from = places[i].index,
				     .to = i + 1 < count ? places[i + 1].index : model->n};
		struct change_point *point = &points[i];

		side_measure(&before, model, (double)places[i].index - 1);
		side_measure(&after, model, (double)places[i].index);
		point->index = places[i].index;
		point->low = places[i].low;
		point->high = places[i].high;
		point->p = places[i].p;
		change_describe_size(point, &before.size, &after.size);
		point->kind = kind_of(point, &before, &after);
	}
}
