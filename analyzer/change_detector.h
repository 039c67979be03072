/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Detection over a series that grows. After any number of appended points the result is that of
 * change_points_of() on all of them, at the price of a few points instead of all, except when the
 * noise is estimated anew (change_model.h says when), and with the methods that have no
 * incremental form (e-divisive, rank), which start over.
 */
#ifndef KREGRESS_ANALYZER_CHANGE_DETECTOR_H
#define KREGRESS_ANALYZER_CHANGE_DETECTOR_H

#include "analyzer/change_point.h"

struct change_detector; /* owned by the caller between _new and _free */

/* NULL settings: the defaults. */
struct change_detector *change_detector_new(const struct change_settings *settings);
void change_detector_free(struct change_detector *detector);

/* A variance below 0 is not known. Return: false, and nothing is added, for a value refused. */
bool change_detector_append(struct change_detector *detector, double value, double variance);

/* The change points of all points so far; the caller releases them. */
struct change_points change_detector_points(struct change_detector *detector);

/*
 * p of a change at `index` within the stretch around it that the last detection left undivided,
 * the other side of a detected change at that very place included.
 */
double change_detector_p(const struct change_detector *detector, size_t index);

#endif
