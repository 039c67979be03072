/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A run set as one point of a series. */
#ifndef KREGRESS_CLI_HISTORY_POINT_H
#define KREGRESS_CLI_HISTORY_POINT_H

#include <stdbool.h>
#include <stddef.h>

#include "store/timeline.h"

/* Boot values of one run set: their mean, and what the variance of the series is made of. */
struct set_location {
	double mean;
	double squares; /* sum of squared distances from the mean */
	size_t boots;
};

/* Each boot counts with its boot_location(); boots without samples do not count. */
struct set_location set_location_of(const struct timeline_point *point, bool deterministic);

/*
 * Variance of one boot, from all sets with several: their differences from their own means, pooled,
 * as a set of a few boots knows its own spread badly. Negative when no set has two boots.
 */
double pooled_boot_variance(const struct set_location *locations, size_t count);

#endif
