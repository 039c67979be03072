/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "analyzer/change_track.h"

#include "analyzer/change_detector.h"
#include "analyzer/scratch.h"

#define NEAR	   5	/* points between two sightings of one change, beyond their intervals */
#define WITHDRAW_P 0.16 /* a change that nothing speaks for any more */

struct change_track {
	struct change_detector *detector;
	size_t n;
	struct tracked_change *changes; /* count of them, ascending by index */
	size_t count;
	size_t capacity;
	unsigned long last_id;
};

struct change_track *change_track_new(const struct change_settings *settings)
{
	struct change_track *track = scratch_new(1, sizeof(*track));

	track->detector = change_detector_new(settings);
	return track;
}

void change_track_free(struct change_track *track)
{
	if (!track)
		return;
	change_detector_free(track->detector);
	free(track->changes);
	free(track);
}

static size_t gap(const struct change_point *a, const struct change_point *b)
{
	if (a->high < b->low)
		return b->low - a->high;
	return b->high < a->low ? a->low - b->high : 0;
}

static size_t distance(const struct change_point *a, const struct change_point *b)
{
	return a->index < b->index ? b->index - a->index : a->index - b->index;
}

static bool is_spread(const struct change_point *point)
{
	return point->kind == CHANGE_KIND_SPREAD;
}

/* The nearest sighting of the same kind that no other change has taken, or NULL. */
static struct change_point *sighting_of(const struct tracked_change *change,
					const struct change_points *points, const bool *taken)
{
	struct change_point *best = NULL;

	for (size_t i = 0; i < points->count; i++) {
		struct change_point *point = &points->items[i];

		if (taken[i] || is_spread(&change->point) != is_spread(point) ||
		    gap(&change->point, point) > NEAR)
			continue;
		if (!best || distance(&change->point, point) < distance(&change->point, best))
			best = point;
	}
	return best;
}

static void add(struct change_track *track, const struct change_point *point)
{
	if (track->count == track->capacity) {
		size_t capacity = track->capacity ? 2 * track->capacity : 8;
		struct tracked_change *larger = scratch_new(capacity, sizeof(*larger));

		if (track->count)
			memcpy(larger, track->changes, track->count * sizeof(*larger));
		free(track->changes);
		track->changes = larger;
		track->capacity = capacity;
	}
	track->changes[track->count++] = (struct tracked_change){
		.id = ++track->last_id, .accepted_at = track->n, .point = *point};
}

static bool is_withdrawn(const struct change_track *track, const struct tracked_change *change)
{
	if (change->contradictions < CHANGE_TRACK_CONTRADICTIONS)
		return false;
	return is_spread(&change->point) ||
	       change_detector_p(track->detector, change->point.index) > WITHDRAW_P;
}

static void sort(struct change_track *track)
{
	for (size_t i = 1; i < track->count; i++) {
		struct tracked_change change = track->changes[i];
		size_t place = i;

		for (; place > 0 && track->changes[place - 1].point.index > change.point.index;
		     place--)
			track->changes[place] = track->changes[place - 1];
		track->changes[place] = change;
	}
}

static void follow(struct change_track *track, const struct change_points *points)
{
	_scratch_ bool *taken = scratch_new(points->count, sizeof(*taken));
	size_t left = 0;

	for (size_t i = 0; i < track->count; i++) {
		struct tracked_change *change = &track->changes[i];
		struct change_point *point = sighting_of(change, points, taken);

		change->contradictions = point ? 0 : change->contradictions + 1;
		if (point) {
			taken[point - points->items] = true;
			change->point = *point;
		}
		if (!is_withdrawn(track, change))
			track->changes[left++] = *change;
	}
	track->count = left;
	for (size_t i = 0; i < points->count; i++) {
		if (!taken[i])
			add(track, &points->items[i]);
	}
	sort(track);
}

bool change_track_append(struct change_track *track, double value, double variance)
{
	struct change_points points;

	if (!change_detector_append(track->detector, value, variance))
		return false;
	track->n++;
	points = change_detector_points(track->detector);
	follow(track, &points);
	change_points_release(&points);
	return true;
}

const struct tracked_change *change_track_changes(const struct change_track *track, size_t *count)
{
	*count = track->count;
	return track->changes;
}
