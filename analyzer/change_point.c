/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "analyzer/change_point.h"

#include "analyzer/change_describe.h"
#include "analyzer/change_detector.h"
#include "analyzer/change_method.h"
#include "analyzer/change_spread.h"
#include "analyzer/scratch.h"

struct change_detector {
	struct change_search search;
	struct change_spread spread;
	size_t *bounds; /* 0, the places of the last detection, n */
	size_t bound_count;
};

struct change_detector *change_detector_new(const struct change_settings *settings)
{
	struct change_detector *detector = scratch_new(1, sizeof(*detector));

	change_search_init(&detector->search, settings);
	change_spread_init(&detector->spread, settings);
	return detector;
}

void change_detector_free(struct change_detector *detector)
{
	if (!detector)
		return;
	change_search_release(&detector->search);
	change_spread_release(&detector->spread);
	free(detector->bounds);
	free(detector);
}

bool change_detector_append(struct change_detector *detector, double value, double variance)
{
	return change_model_append(&detector->search.model, value, variance);
}

static void remember(struct change_detector *detector, const struct change_place *places,
		     size_t count)
{
	free(detector->bounds);
	detector->bounds = scratch_new(count + 2, sizeof(*detector->bounds));
	for (size_t i = 0; i < count; i++)
		detector->bounds[i + 1] = places[i].index;
	detector->bounds[count + 1] = detector->search.model.n;
	detector->bound_count = count + 2;
}

double change_detector_p(const struct change_detector *detector, size_t index)
{
	size_t from = 0;
	size_t to = 0;

	for (size_t i = 0; i < detector->bound_count; i++) {
		if (detector->bounds[i] < index)
			from = detector->bounds[i];
		if (detector->bounds[i] > index && !to)
			to = detector->bounds[i];
	}
	return to ? change_place_p(&detector->search.model, from, index, to) : 1;
}

/*
 * Takes away the changes of level that are worth less than their price in the noise around them.
 * Known variances have had their say in the weights of the points.
 */
static size_t weigh(const struct change_detector *detector, struct change_place *places,
		    size_t count)
{
	const struct change_model *model = &detector->search.model;
	size_t left = 0;

	for (size_t i = 0; i < count; i++) {
		double excess = change_spread_excess(&detector->spread, places[i].index);

		if (!model->weighted && places[i].squared > 0 &&
		    places[i].squared < model->price * excess)
			continue;
		places[left++] = places[i];
	}
	return left;
}

/* Behind the changes of level; then all ascend by place. */
static void add_spread(struct change_detector *detector, struct change_points *points)
{
	size_t levels = points->count;

	points->count += change_spread_describe(&detector->spread, &detector->search.model,
						points->items, levels, points->items + levels);
	for (size_t i = levels; i < points->count; i++) {
		struct change_point point = points->items[i];
		size_t place = i;

		for (; place > 0 && points->items[place - 1].index > point.index; place--)
			points->items[place] = points->items[place - 1];
		points->items[place] = point;
	}
}

static size_t find(struct change_detector *detector, struct change_place *places)
{
	size_t count = change_search_find(&detector->search, places);

	if (detector->search.model.settings.level_only)
		return count;
	change_spread_find(&detector->spread, &detector->search.model);
	return weigh(detector, places, count);
}

struct change_points change_detector_points(struct change_detector *detector)
{
	const struct change_model *model = &detector->search.model;
	struct change_points points = {.known = change_method_row(model->settings.method) != NULL};
	_scratch_ struct change_place *places = NULL;

	if (!points.known || model->n < 2)
		return points;
	places = scratch_new(model->n, sizeof(*places));
	points.count = find(detector, places);
	points.noise_sd = model->noise.sd;
	points.autocorrelation = model->noise.lag1;
	remember(detector, places, points.count);
	points.items = scratch_new(points.count + model->n / CHANGE_SPREAD_MIN_SEGMENT,
				   sizeof(*points.items));
	change_describe(model, places, points.count, points.items);
	if (!model->settings.level_only)
		add_spread(detector, &points);
	return points;
}

static bool append_all(struct change_detector *detector, const struct change_series *series)
{
	for (size_t i = 0; i < series->n; i++) {
		double variance = series->variances ? series->variances[i] : -1;

		if (series->variances && !(variance >= 0))
			return false;
		if (!change_detector_append(detector, series->values[i], variance))
			return false;
	}
	return true;
}

struct change_points change_points_of(const struct change_series *series,
				      const struct change_settings *settings)
{
	struct change_detector *detector = change_detector_new(settings);
	struct change_points points = {0};

	if (append_all(detector, series))
		points = change_detector_points(detector);
	change_detector_free(detector);
	return points;
}

void change_points_release(struct change_points *points)
{
	free(points->items);
	*points = (struct change_points){0};
}

const char *change_method_name(enum change_method method)
{
	const struct change_method_row *row = change_method_row(method);

	return row ? row->name : NULL;
}

bool change_method_parse(const char *text, enum change_method *method)
{
	for (int i = 0; change_method_row((enum change_method)i); i++) {
		if (strcmp(change_method_row((enum change_method)i)->name, text))
			continue;
		*method = (enum change_method)i;
		return true;
	}
	return false;
}

const char *change_kind_name(enum change_kind kind)
{
	switch (kind) {
	case CHANGE_KIND_TREND:
		return "trend";
	case CHANGE_KIND_SPREAD:
		return "spread";
	case CHANGE_KIND_LEVEL:
		break;
	}
	return "level";
}
