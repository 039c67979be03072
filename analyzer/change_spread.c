/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "analyzer/change_spread.h"

#include <math.h>

#include "analyzer/change_describe.h"
#include "analyzer/scratch.h"

#define REACH	    CHANGE_SPIKE_REACH
#define NEIGHBOURS  (2 * REACH)
#define FLAT_FRAC   1e-9 /* of the median: a distance that is no more than rounding */
#define SD_PER_MEAN 1.17 /* of normal noise, over the mean distance */
#define SLACK	    1.25 /* of a ratio of known variances, which are known from few boots */
#define NEAR_CHANGE 10	 /* points between a change of level and one of spread that are one */

void change_spread_init(struct change_spread *spread, const struct change_settings *settings)
{
	struct change_settings own = settings ? *settings : (struct change_settings){0};

	if (!(own.alpha > 0 && own.alpha < 1))
		own.alpha = CHANGE_ALPHA;
	own.alpha *= CHANGE_SPREAD_SHARE;
	own.method = CHANGE_METHOD_SEGMENTATION;
	if (own.min_segment < CHANGE_SPREAD_MIN_SEGMENT)
		own.min_segment = CHANGE_SPREAD_MIN_SEGMENT;
	*spread = (struct change_spread){0};
	change_search_init(&spread->search, &own);
}

void change_spread_release(struct change_spread *spread)
{
	change_search_release(&spread->search);
	free(spread->places);
	*spread = (struct change_spread){0};
}

/* Median of the neighbours of a point that has REACH on each side. */
static double median_around(const double *values, size_t at)
{
	double sorted[NEIGHBOURS] = {0};
	size_t count = 0;

	for (size_t i = at - REACH; i <= at + REACH; i++) {
		size_t place = count;

		if (i == at)
			continue;
		for (; place > 0 && sorted[place - 1] > values[i]; place--)
			sorted[place] = sorted[place - 1];
		sorted[place] = values[i];
		count++;
	}
	return sorted[REACH - 1] + (sorted[REACH] - sorted[REACH - 1]) / 2;
}

static double distance_of(const double *values, size_t at)
{
	double middle = median_around(values, at);
	double distance = fabs(values[at] - middle);

	return distance > FLAT_FRAC * fabs(middle) ? distance : 0;
}

static void follow(struct change_spread *spread, const struct change_model *level)
{
	struct change_model *model = &spread->search.model;

	while (model->n + 2 * (size_t)REACH < level->n)
		change_model_append(model, sqrt(distance_of(level->values, model->n + REACH)), -1);
}

/* Standard deviation over the places [from, to), its spikes cut as in the search. */
static struct change_side side_of(const struct change_model *model, size_t from, size_t to)
{
	size_t n = to - from;
	double inflation = change_noise_inflation(model->noise.lag1, n);
	double sum = 0, squares = 0, mean;

	for (size_t i = from; i < to; i++) {
		double root = model->centre + model->unit * model->cut[i];

		sum += root * root;
		squares += root * root * root * root;
	}
	mean = sum / (double)n;
	return (struct change_side){
		.n = n,
		.location = SD_PER_MEAN * mean,
		.error = SD_PER_MEAN * sqrt(fmax(squares / (double)n - mean * mean, 0) * inflation /
					    (double)(n - 1)),
	};
}

static size_t start_of(const struct change_spread *spread, size_t part)
{
	return part ? spread->places[part - 1].index : 0;
}

static size_t end_of(const struct change_spread *spread, size_t part)
{
	return part < spread->count ? spread->places[part].index : spread->search.model.n;
}

/* Mean of the known variances of points [from, to); -1 where none is known. */
static double known_variance(const struct change_model *level, size_t from, size_t to)
{
	double sum = 0;
	size_t count = 0;

	for (size_t i = from; i < to; i++) {
		if (level->variances[i] < 0)
			continue;
		sum += level->variances[i];
		count++;
	}
	return count ? sum / (double)count : -1;
}

/* Change number `at`: points lie REACH behind the places of the distances. */
static bool is_explained(const struct change_spread *spread, size_t at,
			 const struct change_point *point, const struct change_model *level)
{
	double before = known_variance(level, start_of(spread, at) + REACH, point->index);
	double after = known_variance(level, point->index, end_of(spread, at + 1) + REACH);
	double ratio;

	if (!(before > 0 && after > 0) || !point->ratio_ci.known)
		return false;
	ratio = sqrt(after / before);
	return point->ratio_ci.low <= fmax(ratio, 1) * SLACK &&
	       point->ratio_ci.high * SLACK >= fmin(ratio, 1);
}

static bool is_at_change(const struct change_point *point, const struct change_point *changes,
			 size_t count)
{
	for (size_t i = 0; i < count; i++) {
		if (point->index + NEAR_CHANGE >= changes[i].low &&
		    point->index <= changes[i].high + NEAR_CHANGE)
			return true;
	}
	return false;
}

static struct change_point describe(const struct change_spread *spread, size_t at)
{
	const struct change_model *model = &spread->search.model;
	const struct change_place *place = &spread->places[at];
	struct change_side before = side_of(model, start_of(spread, at), end_of(spread, at));
	struct change_side after = side_of(model, start_of(spread, at + 1), end_of(spread, at + 1));
	struct change_point point = {
		.index = place->index + REACH,
		.low = place->low + REACH,
		.high = place->high + REACH,
		.kind = CHANGE_KIND_SPREAD,
		.p = place->p,
	};

	change_describe_size(&point, &before, &after);
	return point;
}

void change_spread_find(struct change_spread *spread, const struct change_model *level)
{
	struct change_model *model = &spread->search.model;

	follow(spread, level);
	free(spread->places);
	spread->places = scratch_new(model->n, sizeof(*spread->places));
	spread->count = model->n < 2 ? 0 : change_search_find(&spread->search, spread->places);
}

double change_spread_excess(const struct change_spread *spread, size_t at)
{
	const struct change_model *model = &spread->search.model;
	double all = 0, here = 0;

	if (!spread->count)
		return 1;
	for (size_t part = 0; part <= spread->count; part++) {
		size_t from = start_of(spread, part), to = end_of(spread, part);
		double sd = side_of(model, from, to).location;

		all += sd * sd * (double)(to - from) / (double)model->n;
		if (at >= from + REACH || !part)
			here = sd * sd;
	}
	return all > 0 ? here / all : 1;
}

size_t change_spread_describe(const struct change_spread *spread, const struct change_model *level,
			      const struct change_point *changes, size_t count,
			      struct change_point *points)
{
	size_t left = 0;

	for (size_t i = 0; i < spread->count; i++) {
		struct change_point point = describe(spread, i);

		if (!is_at_change(&point, changes, count) &&
		    !is_explained(spread, i, &point, level))
			points[left++] = point;
	}
	return left;
}
