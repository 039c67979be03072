/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * An evaluation of the history: which series there are, what changes in them, which findings these
 * are, and the report of it all. The steps, in this order: history_run_open(), _detect(), _judge(),
 * _report().
 */
#ifndef KREGRESS_CLI_HISTORY_RUN_H
#define KREGRESS_CLI_HISTORY_RUN_H

#include "cli/cli.h"
#include "cli/history_cause.h"
#include "cli/history_order.h"
#include "common/string_index.h"
#include "reports/history.h"
#include "store/finding_life.h"
#include "store/timeline.h"

/* Beyond so many points in all, those of series without any change are left out of the report. */
#define HISTORY_POINTS_MAX 200000

struct history_selection {
	const char *series;  /* shell pattern of benchmarks, as in [limit]; NULL: all */
	const char *metric;  /* or NULL */
	const char *variant; /* or NULL */
	const char *machine; /* shell pattern of classes, or NULL */
};

/* A change that was detected. Of a change of level or trend, `finding` says what it would be. */
struct history_sighting {
	struct change_point point;
	double q;
	char *cause;
	size_t finding; /* in history_run.findings, or SIZE_MAX */
};

/* One series of one timeline. */
struct history_job {
	size_t timeline;
	struct timeline_series *series; /* borrowed from history_run.names */
	struct history_series report;	/* its series in the report, until that takes it */
	size_t *sets;			/* of each point: its set in the timeline */
	struct history_sighting *sightings;
	size_t sighting_count;
	struct finding *seen; /* of the sightings that are no changes of spread, in their order */
	size_t seen_count;
	size_t *match; /* finding_life_match() of them, among `known` */
	size_t *known; /* in history_run.findings */
	size_t known_count;
	size_t point_count;
};

struct history_run {
	const struct log *log;
	struct store *store;
	struct change_settings settings;
	struct timeline_list timelines;
	enum history_order *orders; /* of the timelines */
	struct string_list order_notes;
	struct history_causes *causes;	    /* of the timelines */
	struct timeline_series_list *names; /* of the timelines */
	ARRAY_OF(struct history_job) jobs;
	struct finding_list findings; /* known ones of the jobs' series, then new ones */
	bool all_points;	      /* report the points of steady series, too */
	char *now;		      /* UTC */
};

/*
 * Loads the selected timelines, their series, and the findings of these. ERROR_USAGE, with what
 * there is, when nothing is selected.
 */
int history_run_open(struct history_run *run, struct session *session,
		     const struct history_selection *selection,
		     const struct history_ordering *ordering, struct error *err) __must_check;
void history_run_release(struct history_run *run);

/* Looks for changes in every series. Ctrl-C ends it (ERROR_INTERRUPTED). */
int history_run_detect(struct history_run *run, struct error *err) __must_check;

/*
 * Adjusts p for all that was looked at (Benjamini & Hochberg), and takes the findings one step
 * further in their lives. A change that is new is remembered when its q is at most alpha. Nothing
 * is stored yet.
 */
void history_run_judge(struct history_run *run);

/* Moves series and changes into the report. The run must outlive it: the findings are its own. */
void history_run_report(struct history_run *run, struct history_report *report);

/* Whether any finding asks for attention, among those whose place is in sight. */
bool history_run_alerts(const struct history_run *run);

#endif
