/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <math.h>
#include <stdint.h>
#include <string.h>

#include "analyzer/change_detector.h"
#include "cli/history_change.h"
#include "cli/history_point.h"
#include "cli/history_run.h"
#include "common/interrupt.h"

struct set_place {
	int64_t number;
	size_t place;
};

/* Where each set of a timeline is, by its number in the store and by its id. */
struct set_places {
	const struct timeline *timeline;
	struct set_place *by_number; /* ascending */
	struct string_index by_id;
};

/* A series while it is looked at. */
struct search {
	struct history_run *run;
	const struct set_places *places;
	struct history_job *job;
	struct timeline_points points;
	const struct timeline_point **ordered; /* job->point_count of them, in order */
	struct set_location *locations;
	double boot_variance; /* negative: not known */
	struct change_detector *detector;
};

static int compare_numbers(const void *left, const void *right)
{
	const struct set_place *a = left, *b = right;

	return a->number < b->number ? -1 : a->number > b->number;
}

static void set_places_init(struct set_places *places, const struct timeline *timeline)
{
	size_t count = timeline->sets.count;

	*places = (struct set_places){.timeline = timeline};
	places->by_number = xcalloc(count + 1, sizeof(*places->by_number));
	for (size_t i = 0; i < count; i++) {
		const struct timeline_set *set = &timeline->sets.items[i];

		places->by_number[i] = (struct set_place){set->number, i};
		string_index_add(&places->by_id, set->id, i);
	}
	qsort(places->by_number, count, sizeof(*places->by_number), compare_numbers);
}

static void set_places_release(struct set_places *places)
{
	free(places->by_number);
	string_index_release(&places->by_id);
}

/* SIZE_MAX for a set that the timeline does not have. */
static size_t place_of_number(const struct set_places *places, int64_t number)
{
	struct set_place key = {.number = number};
	const struct set_place *found =
		bsearch(&key, places->by_number, places->timeline->sets.count, sizeof(key),
			compare_numbers);

	return found ? found->place : SIZE_MAX;
}

/* The points in the order of the timeline's sets. */
static void order_points(struct search *search)
{
	struct history_job *job = search->job;
	size_t sets = search->places->timeline->sets.count;
	_cleanup_free_ const struct timeline_point **at_set = xcalloc(sets + 1, sizeof(*at_set));

	array_for_each (point, &search->points) {
		size_t place = place_of_number(search->places, point->set_number);

		if (place != SIZE_MAX && point->samples.count)
			at_set[place] = point;
	}
	search->ordered = xcalloc(sets + 1, sizeof(*search->ordered));
	job->sets = xcalloc(sets + 1, sizeof(*job->sets));
	for (size_t i = 0; i < sets; i++) {
		if (!at_set[i])
			continue;
		search->ordered[job->point_count] = at_set[i];
		job->sets[job->point_count++] = i;
	}
}

static void locate(struct search *search)
{
	const struct metric *metric = metric_find(search->job->series->metric);
	size_t count = search->job->point_count;

	search->locations = xcalloc(count + 1, sizeof(*search->locations));
	for (size_t i = 0; i < count; i++)
		search->locations[i] =
			set_location_of(search->ordered[i], metric && metric->deterministic);
	search->boot_variance = pooled_boot_variance(search->locations, count);
}

static double variance_of(const struct search *search, size_t point)
{
	return search->boot_variance < 0
		       ? -1
		       : search->boot_variance / (double)search->locations[point].boots;
}

/* False when a value is refused. */
static bool append_all(struct search *search)
{
	for (size_t i = 0; i < search->job->point_count; i++)
		if (!change_detector_append(search->detector, search->locations[i].mean,
					    variance_of(search, i)))
			return false;
	return true;
}

static const struct timeline_set *set_at(const struct search *search, size_t point)
{
	return &search->places->timeline->sets.items[search->job->sets[point]];
}

static void fill_sets(const struct search *search, const struct change_point *point,
		      struct finding *seen)
{
	const struct timeline_set *low = set_at(search, point->low ? point->low - 1 : 0);
	const struct timeline_set *high = set_at(search, point->high);

	seen->before_set = xstrdup(set_at(search, point->index - 1)->id);
	seen->after_set = xstrdup(set_at(search, point->index)->id);
	seen->low_set = xstrdup(low->id);
	seen->high_set = xstrdup(high->id);
	seen->good_commit = xstrdup(low->commit);
	seen->bad_commit = xstrdup(high->commit);
}

/* What the finding of this change would be. */
static struct finding make_seen(const struct search *search,
				const struct history_sighting *sighting)
{
	const struct timeline_series *series = search->job->series;
	const struct change_point *point = &sighting->point;
	struct finding seen = {
		.machine = xstrdup(search->places->timeline->machine),
		.variant = xstrdup(search->places->timeline->variant),
		.benchmark = xstrdup(series->benchmark),
		.params = xstrdup(series->params),
		.metric = xstrdup(series->metric),
		.unit = xstrdup(series->unit),
		.better = series->better,
		.kind = xstrdup(change_kind_name(point->kind)),
		.regression = change_is_regression(point, series->better),
		.before = point->before,
		.after = point->after,
		.ratio_low = point->ratio_ci.known ? point->ratio_ci.low : 0,
		.ratio_high = point->ratio_ci.known ? point->ratio_ci.high : 0,
		.p = point->p,
		.cause = xstrdup(sighting->cause),
		.place = {true, point->index, point->low, point->high, point->p},
	};

	fill_sets(search, point, &seen);
	return seen;
}

static int add_sightings(struct search *search, const struct change_points *points,
			 struct error *err)
{
	struct history_job *job = search->job;

	job->sightings = xcalloc(points->count + 1, sizeof(*job->sightings));
	job->seen = xcalloc(points->count + 1, sizeof(*job->seen));
	for (size_t i = 0; i < points->count; i++) {
		struct history_sighting *sighting = &job->sightings[job->sighting_count++];

		sighting->point = points->items[i];
		sighting->finding = SIZE_MAX;
		if (history_cause_of(&search->run->causes[job->timeline], job->sets,
				     job->point_count, sighting->point.low, sighting->point.high,
				     &sighting->cause, err) < 0)
			return -1;
		if (sighting->point.kind != CHANGE_KIND_SPREAD)
			job->seen[job->seen_count++] = make_seen(search, sighting);
	}
	return 0;
}

static int compare_places(const void *left, const void *right)
{
	size_t a = *(const size_t *)left, b = *(const size_t *)right;

	return a < b ? -1 : a > b;
}

/* The point of a set, or SIZE_MAX when the set is gone or has no samples of the series. */
static size_t point_of_set(const struct search *search, const char *id)
{
	const struct history_job *job = search->job;
	const size_t *found;
	size_t place;

	if (!string_index_find(&search->places->by_id, id, &place))
		return SIZE_MAX;
	found = bsearch(&place, job->sets, job->point_count, sizeof(place), compare_places);
	return found ? (size_t)(found - job->sets) : SIZE_MAX;
}

/* Sets may have come in between, and may be in another order than when it was seen. */
static void place_finding(const struct search *search, struct finding *finding)
{
	size_t index = point_of_set(search, finding->after_set);
	size_t low = point_of_set(search, finding->low_set);
	size_t high = point_of_set(search, finding->high_set);

	finding->place = (struct finding_place){0};
	if (index == SIZE_MAX || !index)
		return;
	finding->place = (struct finding_place){
		.known = true,
		.index = index,
		.low = low == SIZE_MAX || low >= index ? index : low + 1,
		.high = high == SIZE_MAX || high < index ? index : high,
		.p = change_detector_p(search->detector, index),
	};
}

/* The report's points. */
static void fill_points(const struct search *search)
{
	struct history_series *report = &search->job->report;

	for (size_t i = 0; i < search->job->point_count; i++) {
		const struct timeline_set *set = set_at(search, i);
		struct history_point *point = array_append(&report->points);
		double variance = variance_of(search, i);

		point->run_set = xstrdup(set->id);
		point->commit = xstrdup(set->commit);
		point->time = xstrndup(set->created_at, strcspn(set->created_at, "Z"));
		point->location = search->locations[i].mean;
		point->standard_error = variance < 0 ? -1 : sqrt(variance);
		point->boots = search->locations[i].boots;
	}
}

static int look(struct search *search, struct error *err)
{
	struct history_job *job = search->job;
	struct change_points points = {0};
	int status = 0;

	if (append_all(search)) {
		points = change_detector_points(search->detector);
		status = add_sightings(search, &points, err);
	}
	job->report.run_sets = job->point_count;
	job->report.known = points.known || job->point_count < 2;
	job->report.noise_sd = points.noise_sd;
	job->report.autocorrelation = points.autocorrelation;
	for (size_t i = 0; i < job->known_count; i++)
		place_finding(search, &search->run->findings.items[job->known[i]]);
	change_points_release(&points);
	/* The points of series without any change would only fill memory. */
	if (job->known_count || job->sighting_count || search->run->all_points)
		fill_points(search);
	return status;
}

static int search_job(struct history_run *run, const struct set_places *places,
		      struct history_job *job, struct error *err)
{
	struct search search = {.run = run, .places = places, .job = job};
	int status = store_load_timeline_points(run->store, places->timeline, job->series,
						&search.points, err);

	if (status == 0) {
		order_points(&search);
		locate(&search);
		search.detector = change_detector_new(&run->settings);
		status = look(&search, err);
		change_detector_free(search.detector);
	}
	timeline_points_release(&search.points);
	free(search.ordered);
	free(search.locations);
	return status;
}

static int stop_on_signal(struct error *err)
{
	if (!interrupt_signal())
		return 0;
	return error_set(err, ERROR_INTERRUPTED, "interrupted; no finding was stored");
}

static int search_timeline(struct history_run *run, size_t at, struct error *err)
{
	struct set_places places;
	int status = 0;

	set_places_init(&places, &run->timelines.items[at]);
	for (size_t i = 0; status == 0 && i < run->jobs.count; i++) {
		if (run->jobs.items[i].timeline != at)
			continue;
		log_progress(run->log, "series %zu of %zu", i + 1, run->jobs.count);
		status = stop_on_signal(err);
		if (status == 0)
			status = search_job(run, &places, &run->jobs.items[i], err);
	}
	set_places_release(&places);
	return status;
}

/* Jobs times sets, at most. */
static size_t count_points(const struct history_run *run)
{
	size_t count = 0;

	array_for_each (job, &run->jobs)
		count += run->timelines.items[job->timeline].sets.count;
	return count;
}

int history_run_detect(struct history_run *run, struct error *err)
{
	run->all_points = count_points(run) <= HISTORY_POINTS_MAX;
	for (size_t i = 0; i < run->timelines.count; i++)
		if (search_timeline(run, i, err) < 0)
			return -1;
	return 0;
}
