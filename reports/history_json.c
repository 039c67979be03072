/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A history as JSON, format kregress-history-1 (docs/history.schema.json). */
#include "reports/history.h"
#include "reports/json_value.h"

static json_t *interval_object(const struct interval *interval)
{
	json_t *object;

	if (!interval->known)
		return json_null();
	object = json_object();
	json_object_set_new(object, "low", json_number(interval->low, true));
	json_object_set_new(object, "high", json_number(interval->high, true));
	return object;
}

static json_t *point_object(const struct history_point *point)
{
	json_t *object = json_object();

	json_object_set_new(object, "run_set", json_text(point->run_set));
	json_object_set_new(object, "commit", json_text(point->commit));
	json_object_set_new(object, "time", json_text(point->time));
	json_object_set_new(object, "value", json_number(point->location, true));
	json_object_set_new(object, "standard_error",
			    json_number(point->standard_error, point->standard_error >= 0));
	json_object_set_new(object, "boots", point->boots ? json_count(point->boots) : json_null());
	return object;
}

static json_t *level_object(const struct history_level *level)
{
	json_t *object = json_object();

	json_object_set_new(object, "first", json_count(level->first));
	json_object_set_new(object, "last", json_count(level->last));
	json_object_set_new(object, "from", json_number(level->from, true));
	json_object_set_new(object, "to", json_number(level->to, true));
	return object;
}

static json_t *finding_object(const struct history_change *change)
{
	const struct finding *finding = change->finding;
	json_t *object;

	if (!finding)
		return json_null();
	object = json_object();
	json_object_set_new(object, "id", json_text(finding->id));
	json_object_set_new(object, "state", json_text(finding_state_name(finding->state)));
	json_object_set_new(object, "group", json_text(finding->group));
	json_object_set_new(object, "group_size", json_count(change->group_size));
	json_object_set_new(object, "good_commit", json_text(finding->good_commit));
	json_object_set_new(object, "bad_commit", json_text(finding->bad_commit));
	json_object_set_new(object, "fixed_by", json_text(finding->fixed_by));
	json_object_set_new(object, "note", json_text(finding->note));
	json_object_set_new(object, "found_at", json_text(finding->found_at));
	json_object_set_new(object, "changed_at", json_text(finding->changed_at));
	return object;
}

static json_t *change_object(const struct history_change *change)
{
	json_t *object = json_object();

	json_object_set_new(object, "index", json_count(change->index));
	json_object_set_new(object, "low", json_count(change->low));
	json_object_set_new(object, "high", json_count(change->high));
	json_object_set_new(object, "kind", json_text(change_kind_name(change->kind)));
	json_object_set_new(object, "grade", json_text(history_grade_name(change->grade)));
	json_object_set_new(object, "regression", json_boolean(change->regression));
	json_object_set_new(object, "seen", json_boolean(change->seen));
	json_object_set_new(object, "before", json_number(change->before, true));
	json_object_set_new(object, "after", json_number(change->after, true));
	json_object_set_new(object, "difference", json_number(change->difference, true));
	json_object_set_new(object, "difference_interval", interval_object(&change->difference_ci));
	json_object_set_new(object, "ratio", json_number(change->ratio, change->ratio_ci.known));
	json_object_set_new(object, "ratio_interval", interval_object(&change->ratio_ci));
	json_object_set_new(object, "p", json_number(change->p, true));
	json_object_set_new(object, "q", json_number(change->q, change->q >= 0));
	json_object_set_new(object, "cause", json_text(change->cause));
	json_object_set_new(object, "finding", finding_object(change));
	return object;
}

static json_t *series_object(const struct history_series *series)
{
	json_t *object = json_object();
	json_t *points = json_array();
	json_t *changes = json_array();
	json_t *levels = json_array();

	json_object_set_new(object, "benchmark", json_text(series->benchmark));
	json_object_set_new(object, "params", json_text(series->params));
	json_object_set_new(object, "metric", json_text(series->metric));
	json_object_set_new(object, "unit", json_text(series->unit));
	json_object_set_new(object, "better", json_text(better_name(series->better)));
	json_object_set_new(object, "variant", json_text(series->variant));
	json_object_set_new(object, "machine", json_text(series->machine));
	json_object_set_new(object, "order", json_text(history_order_name(series->order)));
	json_object_set_new(object, "known", json_boolean(series->known));
	json_object_set_new(object, "noise_sd", json_number(series->noise_sd, series->known));
	json_object_set_new(object, "autocorrelation",
			    json_number(series->autocorrelation, series->known));
	json_object_set_new(object, "run_sets",
			    series->run_sets ? json_count(series->run_sets) : json_null());
	array_for_each (change, &series->changes)
		json_array_append_new(changes, change_object(change));
	array_for_each (level, &series->levels)
		json_array_append_new(levels, level_object(level));
	array_for_each (point, &series->points)
		json_array_append_new(points, point_object(point));
	json_object_set_new(object, "change_points", changes);
	json_object_set_new(object, "levels", levels);
	json_object_set_new(object, "points", points);
	return object;
}

static json_t *counts_object(const struct history_report *report)
{
	json_t *object = json_object();

	for (size_t i = 0; i < HISTORY_GRADES; i++)
		json_object_set_new(object, history_grade_name((enum history_grade)i),
				    json_count(report->counts[i]));
	return object;
}

int history_write_json(const struct history_report *report, struct strbuf *out, struct error *err)
{
	json_t *root = json_object();
	json_t *notes = json_array();
	json_t *series_list = json_array();

	json_object_set_new(root, "format", json_text("kregress-history-1"));
	json_object_set_new(root, "created_at", json_text(report->created_at));
	json_object_set_new(root, "hostname", json_text(report->hostname));
	json_object_set_new(root, "source", json_text(report->source));
	json_object_set_new(root, "repository", json_text(report->repository));
	json_object_set_new(root, "since", json_text(report->since));
	json_object_set_new(root, "alpha", json_number(report->alpha, true));
	json_object_set_new(root, "method", json_text(change_method_name(report->method)));
	array_for_each (note, &report->notes)
		json_array_append_new(notes, json_text(*note));
	json_object_set_new(root, "notes", notes);
	json_object_set_new(root, "counts", counts_object(report));
	array_for_each (series, &report->series)
		json_array_append_new(series_list, series_object(series));
	json_object_set_new(root, "series", series_list);
	return json_append(out, root, err);
}
