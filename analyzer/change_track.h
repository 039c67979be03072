/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Change points that stay put while a series grows by one run set after the other.
 *
 * A detection over the whole series is made at every point, at the price of one appended point.
 * A change of the detection that matches none on the track is accepted; a change on the track
 * that the detection shows again follows it to its place; one that the detection does not show
 * stays, and is withdrawn only when CHANGE_TRACK_CONTRADICTIONS detections in a row lack it and
 * its two sides do not differ any more; for a change of spread, the detections alone count. So an
 * alert neither flickers nor comes twice.
 */
#ifndef KREGRESS_ANALYZER_CHANGE_TRACK_H
#define KREGRESS_ANALYZER_CHANGE_TRACK_H

#include <stddef.h>

#include "analyzer/change_point.h"

#define CHANGE_TRACK_CONTRADICTIONS 10

struct tracked_change {
	unsigned long id;	   /* from 1, in the order of acceptance; never used twice */
	size_t accepted_at;	   /* points in the series when it was accepted */
	size_t contradictions;	   /* detections in a row that lack it */
	struct change_point point; /* as last detected */
};

struct change_track; /* owned by the caller between _new and _free */

/* NULL settings: the defaults. */
struct change_track *change_track_new(const struct change_settings *settings);
void change_track_free(struct change_track *track);

/*
 * Adds a point; variance < 0: not known. Return: false, and nothing is added, when a value is not
 * finite.
 */
bool change_track_append(struct change_track *track, double value, double variance);

/* The changes that stand, ascending by place; owned by the track, valid until the next append. */
const struct tracked_change *change_track_changes(const struct change_track *track, size_t *count);

#endif
