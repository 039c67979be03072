/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <stdint.h>
#include <string.h>

#include "cli/history_change.h"
#include "cli/history_run.h"

static void add_sighting(struct history_run *run, struct history_sighting *sighting,
			 struct history_series *series)
{
	struct history_change *change = array_append(&series->changes);

	*change = history_change_of(&sighting->point, series->better);
	change->q = sighting->q;
	change->cause = take_pointer(sighting->cause);
	if (sighting->finding != SIZE_MAX)
		change->finding = &run->findings.items[sighting->finding];
}

static bool is_seen(const struct history_job *job, size_t finding)
{
	for (size_t i = 0; i < job->sighting_count; i++)
		if (job->sightings[i].finding == finding)
			return true;
	return false;
}

static enum change_kind kind_of(const struct finding *finding)
{
	return !strcmp(finding->kind, change_kind_name(CHANGE_KIND_TREND)) ? CHANGE_KIND_TREND
									   : CHANGE_KIND_LEVEL;
}

/* A finding that the present detection does not show, with the numbers of when it last did. */
static void add_remembered(const struct finding *finding, struct history_series *series)
{
	bool has_ratio = finding->ratio_low != 0 || finding->ratio_high != 0;

	*array_append(&series->changes) = (struct history_change){
		.index = finding->place.index,
		.low = finding->place.low,
		.high = finding->place.high,
		.kind = kind_of(finding),
		.regression = finding->regression,
		.before = finding->before,
		.after = finding->after,
		.difference = finding->after - finding->before,
		.ratio = has_ratio ? finding->after / finding->before : 0,
		.ratio_ci = {finding->ratio_low, finding->ratio_high, has_ratio},
		.p = finding->p,
		.q = finding->q,
		.cause = xstrdup(finding->cause),
		.finding = finding,
	};
}

static int compare_changes(const void *left, const void *right)
{
	const struct history_change *a = left, *b = right;

	if (a->index != b->index)
		return a->index < b->index ? -1 : 1;
	return (int)a->kind - (int)b->kind;
}

static void fill_changes(struct history_run *run, struct history_job *job)
{
	struct history_series *series = &job->report;

	for (size_t i = 0; i < job->sighting_count; i++)
		add_sighting(run, &job->sightings[i], series);
	for (size_t i = 0; i < job->known_count; i++) {
		const struct finding *finding = &run->findings.items[job->known[i]];

		if (finding->place.known && !is_seen(job, job->known[i]))
			add_remembered(finding, series);
	}
	if (series->changes.count)
		qsort(series->changes.items, series->changes.count, sizeof(*series->changes.items),
		      compare_changes);
}

static void name_series(const struct history_run *run, struct history_job *job)
{
	const struct timeline *timeline = &run->timelines.items[job->timeline];
	struct history_series *series = &job->report;

	series->benchmark = xstrdup(job->series->benchmark);
	series->params = xstrdup(job->series->params);
	series->metric = xstrdup(job->series->metric);
	series->unit = xstrdup(job->series->unit);
	series->better = job->series->better;
	series->variant = xstrdup(timeline->variant);
	series->machine = xstrdup(timeline->machine);
	series->order = run->orders[job->timeline];
}

static void note(struct history_report *report, char *text)
{
	string_list_add(&report->notes, text);
	free(text);
}

/* One note where all timelines have the same, else one for each. */
static void note_orders(const struct history_run *run, struct history_report *report)
{
	size_t noted = 0, same = 0;

	for (size_t i = 0; i < run->order_notes.count; i++)
		same += !strcmp(run->order_notes.items[i], run->order_notes.items[0]);
	if (same && same == run->order_notes.count) {
		note(report, xasprintf("run sets are ordered %s", run->order_notes.items[0]));
		return;
	}
	for (size_t i = 0; i < run->timelines.count; i++) {
		const struct timeline *timeline = &run->timelines.items[i];

		if (run->causes[i].timeline)
			note(report,
			     xasprintf("%s on %s: run sets are ordered %s", timeline->variant,
				       timeline->machine, run->order_notes.items[noted++]));
	}
}

static void note_limits(const struct history_run *run, struct history_report *report)
{
	size_t least = 2 * run->settings.min_segment, few = 0, hidden = 0;

	if (!least)
		least = 2UL * CHANGE_MIN_SEGMENT;
	array_for_each (job, &run->jobs) {
		few += job->point_count < least;
		hidden += job->point_count && !job->report.points.count;
	}
	if (few)
		note(report, xasprintf("%zu of %zu series have fewer than %zu run sets: too few to "
				       "find a change",
				       few, run->jobs.count, least));
	if (hidden)
		note(report,
		     xasprintf("the points of %zu series without a change are left out", hidden));
}

void history_run_report(struct history_run *run, struct history_report *report)
{
	note_orders(run, report);
	note_limits(run, report);
	array_for_each (job, &run->jobs) {
		name_series(run, job);
		fill_changes(run, job);
		*array_append(&report->series) = job->report;
		job->report = (struct history_series){0};
	}
}
