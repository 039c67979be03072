/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Change points of a series: where along a history of run sets the level, the trend or the spread
 * of the values changes. docs/history.md explains the methods and has the measured figures.
 *
 * A point is one run set, reduced to a location and, where known, the variance of that location
 * (squared standard error over its boots). Points are taken in the order given; gaps in time have
 * no meaning here.
 *
 * Pure: no clock, no input or output, no randomness but from the seed.
 */
#ifndef KREGRESS_ANALYZER_CHANGE_POINT_H
#define KREGRESS_ANALYZER_CHANGE_POINT_H

#include <stdbool.h>
#include <stddef.h>

#include "analyzer/interval.h"

#define CHANGE_MIN_SEGMENT 3
#define CHANGE_ALPHA	   0.05

enum change_method {
	CHANGE_METHOD_SEGMENTATION, /* the default: penalised segmentation, robust and AR(1)-aware
				     */
	CHANGE_METHOD_E_DIVISIVE,   /* Matteson & James 2014, exponent 1, block permutations */
	CHANGE_METHOD_RANK,	    /* binary segmentation by a standardised rank-sum scan */
};

/* What changed. */
enum change_kind {
	CHANGE_KIND_LEVEL,
	CHANGE_KIND_TREND,  /* a slope begins, ends or changes, without a step */
	CHANGE_KIND_SPREAD, /* the values lie closer together, or farther apart, than before */
};

struct change_series {
	const double *values;	 /* n locations */
	const double *variances; /* n variances of the locations, >= 0; or NULL: not known */
	size_t n;
};

/* All zero means the defaults. */
struct change_settings {
	enum change_method method;
	double alpha;	    /* chance of any change in a series without one; 0: CHANGE_ALPHA */
	size_t min_segment; /* fewest points between changes and at the ends; 0: CHANGE_MIN_SEGMENT
			     */
	bool level_only;    /* no changes of spread */
	unsigned long seed; /* of permutations; the default method needs none */
};

struct change_point {
	size_t index; /* the first point after the change, from 1 to n - 1 */
	size_t low;   /* confidence interval of index at 95%, low <= index <= high */
	size_t high;
	enum change_kind kind;
	/*
	 * Location at the end of the segment before the change and at the start of the segment
	 * after it; for CHANGE_KIND_SPREAD the standard deviations on both sides, of all values
	 * there but for spikes.
	 */
	double before;
	double after;
	double difference;	       /* after - before */
	struct interval difference_ci; /* at 95%, widened for autocorrelation */
	double ratio;		       /* after / before; 0 where ratio_ci is not known */
	struct interval ratio_ci;      /* not known unless both sides are clearly of one sign */
	double p; /* of this change against none, adjusted for the search over places; > 0 */
};

struct change_points {
	bool known;	 /* false: a value or variance is not finite, or a variance is negative */
	double noise_sd; /* of single points about their segments' locations */
	double autocorrelation;	    /* lag 1 of the noise, held to [0, 1) */
	struct change_point *items; /* owned; ascending by index */
	size_t count;
};

/* A series shorter than 2 min_segment has no change points; the result is known all the same. */
struct change_points change_points_of(const struct change_series *series,
				      const struct change_settings *settings);

void change_points_release(struct change_points *points);

/* "segmentation", "e-divisive", "rank" */
const char *change_method_name(enum change_method method);

/* False for any other name. */
bool change_method_parse(const char *text, enum change_method *method);

/* "level", "trend", "spread" */
const char *change_kind_name(enum change_kind kind);

#endif
