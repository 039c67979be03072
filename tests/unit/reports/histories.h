/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Histories for the tests of reports/: made-up series, searched by the analyzer. */
#ifndef KREGRESS_TESTS_UNIT_REPORTS_HISTORIES_H
#define KREGRESS_TESTS_UNIT_REPORTS_HISTORIES_H

#include "reports/history.h"

/* A series about `level` that changes to `level` x `factor` at `change`; 0: it does not. */
struct history_shape {
	const char *benchmark;
	const char *params;
	size_t n;
	double level;
	double noise_sd;
	size_t change;
	double factor;
	double slope; /* a point, all along */
};

struct history_rig {
	struct finding_list findings; /* their addresses are given out last, by _finish */
	struct history_report report;
};

/* An empty report of a store, ordered by time. */
void history_rig_init(struct history_rig *rig);
void history_rig_release(struct history_rig *rig);

/*
 * Adds a series with what change_points_of() finds in it; the noise depends on the series' name
 * only. Its points have commits, run sets and times.
 */
struct history_series *history_rig_add(struct history_rig *rig, const struct history_shape *shape);

/*
 * Remembers change `change` of series `series` as a finding in that state; `group` may be NULL.
 * Its id follows from the two numbers.
 */
void history_rig_find(struct history_rig *rig, size_t series, size_t change,
		      enum finding_state state, const char *group);

/* Derives what is derived. */
void history_rig_finish(struct history_rig *rig);

/* A report with one change of every grade, two of them in a group, and a steady series. */
void history_rig_usual(struct history_rig *rig);

/* The same with names, causes and notes that break readers. */
void history_rig_hostile(struct history_rig *rig);

/* `count` series of `n` points, every third with a regression at one place. */
void history_rig_large(struct history_rig *rig, size_t count, size_t n);

/* A report without series, as of an empty store. */
void history_rig_empty(struct history_rig *rig);

#endif
