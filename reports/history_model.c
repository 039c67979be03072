/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <math.h>
#include <string.h>

#include "common/string_index.h"
#include "reports/history_describe.h"
#include "reports/history_levels.h"

const char *history_order_name(enum history_order order)
{
	static const char *const names[] = {
		[HISTORY_BY_TIME] = "time",
		[HISTORY_BY_COMMITS] = "commits",
		[HISTORY_BY_LINES] = "lines",
	};

	return names[order];
}

const char *history_grade_name(enum history_grade grade)
{
	static const char *const names[HISTORY_GRADES] = {
		[HISTORY_REGRESSED] = "regressed", [HISTORY_ACKNOWLEDGED] = "acknowledged",
		[HISTORY_KNOWN] = "known",	   [HISTORY_IMPROVED] = "improved",
		[HISTORY_CHANGED] = "changed",	   [HISTORY_SPREAD] = "spread",
		[HISTORY_FIXED] = "fixed",	   [HISTORY_UNSURE] = "unsure",
		[HISTORY_WITHDRAWN] = "withdrawn",
	};

	return names[grade];
}

static enum history_grade grade_of_finding(const struct finding *finding)
{
	static const enum history_grade grades[] = {
		[FINDING_NEW] = HISTORY_REGRESSED,
		[FINDING_ACKNOWLEDGED] = HISTORY_ACKNOWLEDGED,
		[FINDING_KNOWN] = HISTORY_KNOWN,
		[FINDING_FIXED] = HISTORY_FIXED,
		[FINDING_REOPENED] = HISTORY_REGRESSED,
		[FINDING_WITHDRAWN] = HISTORY_WITHDRAWN,
	};

	if (!finding->regression && finding->state != FINDING_WITHDRAWN)
		return HISTORY_IMPROVED;
	return grades[finding->state];
}

static enum history_grade grade_of(const struct history_change *change, double alpha)
{
	if (change->finding)
		return grade_of_finding(change->finding);
	if (change->q > alpha)
		return HISTORY_UNSURE;
	return change->kind == CHANGE_KIND_SPREAD ? HISTORY_SPREAD : HISTORY_CHANGED;
}

/* The group's name; NULL for a change that stands alone. */
static const char *group_of(const struct history_change *change)
{
	const struct finding *finding = change->finding;

	return finding && finding->group && *finding->group ? finding->group : NULL;
}

/* How far a change goes, by which equally grave ones are ordered. */
static double size_of(const struct history_change *change)
{
	return change->ratio > 0 ? fabs(log(change->ratio)) : 0;
}

/* The changes of one group, or one change that stands alone. */
struct cluster {
	enum history_grade grade; /* the gravest */
	double size;		  /* the largest among those */
	size_t members;
};

struct ordering {
	struct history_report *report;
	struct string_index names; /* of groups: their place in clusters */
	ARRAY_OF(struct cluster) clusters;
	ARRAY_OF(size_t) cluster_of; /* per item */
};

static struct history_change *change_at(const struct history_report *report,
					const struct history_item *item)
{
	return &report->series.items[item->series].changes.items[item->change];
}

static size_t cluster_for(struct ordering *ordering, const struct history_change *change)
{
	const char *group = group_of(change);
	size_t index = ordering->clusters.count;

	if (group && !string_index_add(&ordering->names, group, index) &&
	    string_index_find(&ordering->names, group, &index))
		return index;
	array_append(&ordering->clusters)->grade = change->grade;
	return index;
}

static void join_cluster(struct cluster *cluster, const struct history_change *change)
{
	cluster->members++;
	if (change->grade < cluster->grade) {
		cluster->grade = change->grade;
		cluster->size = size_of(change);
	} else if (change->grade == cluster->grade) {
		cluster->size = fmax(cluster->size, size_of(change));
	}
}

static void gather(struct ordering *ordering, size_t series)
{
	struct history_report *report = ordering->report;

	for (size_t i = 0; i < report->series.items[series].changes.count; i++) {
		struct history_change *change = &report->series.items[series].changes.items[i];
		size_t cluster;

		change->grade = grade_of(change, report->alpha);
		report->counts[change->grade]++;
		cluster = cluster_for(ordering, change);
		join_cluster(&ordering->clusters.items[cluster], change);
		*array_append(&ordering->cluster_of) = cluster;
		*array_append(&report->items) = (struct history_item){series, i};
	}
}

struct sort_key {
	struct history_item item;
	const struct cluster *cluster;
	enum history_grade grade;
	double size;
};

static int by_size(double a, double b)
{
	return (a < b) - (a > b);
}

static int by_place(size_t a, size_t b)
{
	return (a > b) - (a < b);
}

static int compare_keys(const void *left, const void *right)
{
	const struct sort_key *a = left, *b = right;
	int order = (int)a->cluster->grade - (int)b->cluster->grade;

	if (!order)
		order = by_size(a->cluster->size, b->cluster->size);
	/* Clusters lie in the order in which they were met. */
	if (!order && a->cluster != b->cluster)
		order = a->cluster < b->cluster ? -1 : 1;
	if (!order)
		order = (int)a->grade - (int)b->grade;
	if (!order)
		order = by_size(a->size, b->size);
	if (!order)
		order = by_place(a->item.series, b->item.series);
	return order ? order : by_place(a->item.change, b->item.change);
}

static void sort_items(struct ordering *ordering)
{
	struct history_report *report = ordering->report;
	_cleanup_free_ struct sort_key *keys = xcalloc(report->items.count + 1, sizeof(*keys));

	if (!ordering->clusters.items)
		return;
	for (size_t i = 0; i < report->items.count; i++) {
		struct history_change *change = change_at(report, &report->items.items[i]);
		const struct cluster *cluster =
			&ordering->clusters.items[ordering->cluster_of.items[i]];

		change->group_size = cluster->members;
		keys[i] = (struct sort_key){report->items.items[i], cluster, change->grade,
					    size_of(change)};
	}
	qsort(keys, report->items.count, sizeof(*keys), compare_keys);
	for (size_t i = 0; i < report->items.count; i++)
		report->items.items[i] = keys[i].item;
}

void history_report_derive(struct history_report *report)
{
	struct ordering ordering = {.report = report};

	for (size_t i = 0; i < report->series.count; i++) {
		struct history_series *series = &report->series.items[i];

		gather(&ordering, i);
		history_series_find_levels(series);
		report->several |= !history_same_timeline(series, report->series.items);
		if (!series->run_sets)
			series->run_sets = series->points.count;
		report->points += series->run_sets;
		report->steady += !series->changes.count;
	}
	sort_items(&ordering);
	string_index_release(&ordering.names);
	array_release(&ordering.clusters);
	array_release(&ordering.cluster_of);
}

static void series_release(struct history_series *series)
{
	char *texts[] = {series->benchmark, series->params,  series->metric,
			 series->unit,	    series->variant, series->machine};

	for (size_t i = 0; i < ARRAY_SIZE(texts); i++)
		free(texts[i]);
	array_for_each (point, &series->points) {
		free(point->run_set);
		free(point->commit);
		free(point->time);
	}
	array_for_each (change, &series->changes)
		free(change->cause);
	array_release(&series->points);
	array_release(&series->changes);
	array_release(&series->levels);
}

void history_report_release(struct history_report *report)
{
	free(report->created_at);
	free(report->hostname);
	free(report->source);
	free(report->repository);
	free(report->since);
	string_list_release(&report->notes);
	array_for_each (series, &report->series)
		series_release(series);
	array_release(&report->series);
	array_release(&report->items);
	*report = (struct history_report){0};
}
