/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "analyzer/change_segmentation.h"

#include <math.h>

#include "analyzer/scratch.h"

static void reserve(struct change_segmentation *segmentation, size_t n)
{
	size_t capacity = n + n / 2 + 64;
	double *best;
	size_t *last;

	if (n + 1 <= segmentation->capacity)
		return;
	best = scratch_new(capacity, sizeof(*best));
	last = scratch_new(capacity, sizeof(*last));
	if (segmentation->capacity) {
		memcpy(best, segmentation->best, segmentation->capacity * sizeof(*best));
		memcpy(last, segmentation->last, segmentation->capacity * sizeof(*last));
	}
	free(segmentation->best);
	free(segmentation->last);
	segmentation->best = best;
	segmentation->last = last;
	segmentation->capacity = capacity;
}

/* A change is as dear as its noise: few autocorrelated points vary less than many, times count. */
static void set_prices(struct change_segmentation *segmentation, const struct change_model *model)
{
	if (!segmentation->prices)
		segmentation->prices =
			scratch_new(SEGMENTATION_DENSE + 1, sizeof(*segmentation->prices));
	for (size_t count = 1; count <= SEGMENTATION_DENSE; count++)
		segmentation->prices[count] = model->price * change_model_share(model, count);
}

/* The search for the last change before point `end`. */
struct search {
	const struct change_segmentation *segmentation;
	const struct change_model *model;
	size_t end;
	double best;
	size_t last;
};

static inline void consider(struct search *search, size_t start, double price)
{
	double cost = search->segmentation->best[start];

	if (start)
		cost += price;
	if (!(cost < search->best))
		return;
	cost += change_model_error(search->model, start, search->end);
	if (cost < search->best) {
		search->best = cost;
		search->last = start;
	}
}

static void consider_near(struct search *search)
{
	size_t least = search->model->settings.min_segment;
	const double *prices = search->segmentation->prices;

	for (size_t count = least; count <= SEGMENTATION_DENSE && count <= search->end; count++) {
		double price = prices[count];

		consider(search, search->end - count, price);
	}
}

/* Starts in each octave of distance beyond the dense ones. */
static void consider_far(struct search *search)
{
	size_t end = search->end;
	double price = search->model->price;

	for (size_t near = SEGMENTATION_DENSE, step = 2; near < end; near *= 2, step *= 2) {
		size_t first = (end - near - 1) / step * step;
		size_t bound = end > 2 * near ? end - 2 * near : 0;

		for (size_t start = first; start >= bound; start -= step) {
			consider(search, start, price);
			if (start < step)
				break;
		}
	}
}

static void advance(struct change_segmentation *segmentation, const struct change_model *model,
		    size_t end)
{
	size_t least = model->settings.min_segment;
	struct search search = {segmentation, model, end, INFINITY, 0};

	consider_near(&search);
	if (end > SEGMENTATION_DENSE) {
		size_t before = segmentation->last[end - 1];

		consider(&search, 0, 0);
		if (before && before + least <= end)
			consider(&search, before, model->price);
		consider_far(&search);
	}
	segmentation->best[end] = search.best;
	segmentation->last[end] = search.last;
}

void change_segmentation_extend(struct change_segmentation *segmentation,
				const struct change_model *model, size_t kept, size_t end)
{
	reserve(segmentation, model->n);
	if (!kept) {
		set_prices(segmentation, model);
		segmentation->best[0] = 0;
		segmentation->last[0] = 0;
	}
	for (size_t at = kept + 1; at <= end; at++)
		advance(segmentation, model, at);
}

size_t change_segmentation_places(const struct change_segmentation *segmentation, size_t n,
				  size_t *places)
{
	size_t count = 0;

	for (size_t place = segmentation->last[n]; place > 0; place = segmentation->last[place])
		places[count++] = place;
	for (size_t i = 0; i < count / 2; i++) {
		size_t other = places[i];

		places[i] = places[count - 1 - i];
		places[count - 1 - i] = other;
	}
	return count;
}

void change_segmentation_release(struct change_segmentation *segmentation)
{
	free(segmentation->best);
	free(segmentation->last);
	free(segmentation->prices);
	*segmentation = (struct change_segmentation){0};
}
