/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "analyzer/change_place.h"

#include <math.h>
#include <string.h>

#define REACH	   64 /* points on each side where a change is looked for */
#define HALF	   2  /* of the points whose middle is the place */
#define NEAR_TIE   0.98
#define CONFIDENCE 0.95
#define NOISE_MIN  10 /* points around a change that tell whether the noise is larger there */

/* Places around a change, with their weights. */
struct window {
	size_t first;
	size_t count;
	double error[2 * REACH + 1];
	double weight[2 * REACH + 1];
	double total;
};

static size_t before_of(const struct change_place *places, size_t at)
{
	return at ? places[at - 1].index : 0;
}

static size_t after_of(const struct change_model *model, const struct change_place *places,
		       size_t count, size_t at)
{
	return at + 1 < count ? places[at + 1].index : model->n;
}

static void window_fill(struct window *window, const struct change_model *model, size_t from,
			size_t to, size_t index)
{
	size_t least = model->settings.min_segment;
	size_t first = index > from + least + REACH ? index - REACH : from + least;
	size_t last = index + REACH + least < to ? index + REACH : to - least;
	double smallest = INFINITY;

	window->first = first;
	window->count = last - first + 1;
	window->total = 0;
	for (size_t i = 0; i < window->count; i++) {
		window->error[i] = change_model_error(model, from, first + i) +
				   change_model_error(model, first + i, to);
		smallest = fmin(smallest, window->error[i]);
	}
	for (size_t i = 0; i < window->count; i++) {
		window->weight[i] = exp((smallest - window->error[i]) / 2);
		window->total += window->weight[i];
	}
}

static double mass_around(const struct window *window, size_t at, size_t half)
{
	size_t low = at > half ? at - half : 0;
	size_t high = at + half < window->count ? at + half : window->count - 1;
	double mass = 0;

	for (size_t i = low; i <= high; i++)
		mass += window->weight[i];
	return mass;
}

/* Of the places whose surroundings hold the most weight, the most likely. */
static size_t heaviest(const struct window *window, size_t half)
{
	double most = 0;
	size_t best = 0;
	bool found = false;

	for (size_t i = 0; i < window->count; i++)
		most = fmax(most, mass_around(window, i, half));
	for (size_t i = 0; i < window->count; i++) {
		if (mass_around(window, i, half) < NEAR_TIE * most)
			continue;
		if (!found || window->error[i] < window->error[best])
			best = i;
		found = true;
	}
	return best;
}

static void set_interval(struct change_place *place, const struct window *window, size_t at)
{
	size_t low = at;
	size_t high = at;
	double mass = window->weight[at];

	while (mass < CONFIDENCE * window->total && (low > 0 || high + 1 < window->count)) {
		double left = low > 0 ? window->weight[low - 1] : -1;
		double right = high + 1 < window->count ? window->weight[high + 1] : -1;

		if (left >= right)
			low--;
		else
			high++;
		mass += fmax(left, right);
	}
	place->index = window->first + at;
	place->low = window->first + low;
	place->high = window->first + high;
}

static void move_all(const struct change_model *model, struct change_place *places, size_t count,
		     size_t half)
{
	struct window window = {0};

	for (size_t at = 0; at < count; at++) {
		size_t from = before_of(places, at);
		size_t to = after_of(model, places, count, at);

		if (to - from < 2 * model->settings.min_segment)
			continue;
		window_fill(&window, model, from, to, places[at].index);
		set_interval(&places[at], &window, heaviest(&window, half));
	}
}

void change_places_bound(const struct change_model *model, struct change_place *places,
			 size_t count)
{
	struct window window = {0};

	for (size_t at = 0; at < count; at++) {
		size_t from = before_of(places, at);
		size_t to = after_of(model, places, count, at);

		if (to - from < 2 * model->settings.min_segment)
			continue;
		window_fill(&window, model, from, to, places[at].index);
		set_interval(&places[at], &window, places[at].index - window.first);
	}
}

void change_places_fit(const struct change_model *model, struct change_place *places, size_t count)
{
	move_all(model, places, count, 0);
}

void change_places_refine(const struct change_model *model, struct change_place *places,
			  size_t count)
{
	move_all(model, places, count, HALF);
}

/*
 * Noise around a change over that of the series, where it is larger by more than two standard
 * errors; else 1.
 */
static double local_noise(const struct change_model *model, double error, size_t count)
{
	double usual, freedom;

	if (count < NOISE_MIN)
		return 1;
	freedom = (double)count - 2;
	usual = model->noise.sd / model->unit;
	usual *= usual * freedom * (1 + 2 * sqrt(2 / freedom));
	return fmax(error / usual, 1);
}

static double squared_of(const struct change_model *model, size_t from, size_t index, size_t to)
{
	size_t shorter = index - from < to - index ? index - from : to - index;
	double apart =
		change_model_error(model, from, index) + change_model_error(model, index, to);
	double gain = change_model_error(model, from, to) - apart;
	double share = change_model_share(model, shorter);

	return fmax(gain, 0) / share / local_noise(model, apart, to - from);
}

static void measure(const struct change_model *model, struct change_place *places, size_t count)
{
	for (size_t at = 0; at < count; at++)
		places[at].squared = squared_of(model, before_of(places, at), places[at].index,
						after_of(model, places, count, at));
}

static size_t weakest(const struct change_place *places, size_t count)
{
	size_t found = 0;

	for (size_t at = 1; at < count; at++) {
		if (places[at].squared < places[found].squared)
			found = at;
	}
	return found;
}

size_t change_places_prune(const struct change_model *model, struct change_place *places,
			   size_t count)
{
	measure(model, places, count);
	while (count > 0) {
		size_t at = weakest(places, count);

		if (places[at].squared >= model->price)
			break;
		count--;
		memmove(&places[at], &places[at + 1], (count - at) * sizeof(*places));
		for (size_t near = at ? at - 1 : 0; near < count && near <= at; near++)
			places[near].squared =
				squared_of(model, before_of(places, near), places[near].index,
					   after_of(model, places, count, near));
	}
	for (size_t at = 0; at < count; at++)
		places[at].p = change_model_p(model->basis, places[at].squared);
	return count;
}

double change_place_p(const struct change_model *model, size_t from, size_t index, size_t to)
{
	size_t least = model->settings.min_segment;

	if (index < from + least || index + least > to)
		return 1;
	return change_model_p(model->basis, squared_of(model, from, index, to));
}
