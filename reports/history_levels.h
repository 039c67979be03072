/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The levels and slopes that a series' changes leave between them. */
#ifndef KREGRESS_REPORTS_HISTORY_LEVELS_H
#define KREGRESS_REPORTS_HISTORY_LEVELS_H

#include "reports/history.h"

/*
 * Fills series->levels: one for each stretch between the changes of level or trend that the present
 * detection shows, so that they cover all points; none where the series could not be searched.
 *
 * Between two changes the ends are those that the changes tell. The first and the last stretch
 * have one end only: they are drawn level through it, or, when a trend ends there or the points
 * clearly lie on a slope, with the median slope from it to the points.
 */
void history_series_find_levels(struct history_series *series);

#endif
