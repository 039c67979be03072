/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Marking of outlying values. Nothing is dropped: a mark is for the report, and for whoever looks.
 *
 * From OUTLIER_BOXPLOT_MIN values on: the boxplot adjusted for skewness by the medcouple (Hubert &
 * Vandervieren, Computational Statistics & Data Analysis 52, 2008), as latencies lean to the right.
 * With fewer values, or without a spread between the quartiles: 3.5 robust standard deviations
 * (1.4826 median absolute deviations) about the median, after Iglewicz & Hoaglin, How to Detect and
 * Handle Outliers (1993); where more than half of the values are equal, 1.2533 mean absolute
 * deviations stand for the standard deviation.
 */
#ifndef KREGRESS_ANALYZER_OUTLIER_H
#define KREGRESS_ANALYZER_OUTLIER_H

#include <stdbool.h>
#include <stddef.h>

#define OUTLIER_BOXPLOT_MIN 20

enum outlier_rule {
	OUTLIER_NONE, /* fewer than 4 values, or one that is not finite: nothing is outlying */
	OUTLIER_DEVIATION,
	OUTLIER_ADJUSTED_BOXPLOT,
};

struct outlier_fences {
	enum outlier_rule rule;
	double low; /* values below, or above high, are outlying */
	double high;
};

struct outlier_fences outlier_fences_of(const double *values, size_t n);

/* Sets marks[i] for outlying values and gives their number. */
size_t outlier_mark(const double *values, size_t n, bool *marks);

/*
 * Medcouple of values in ascending order, in [-1, 1], positive when the right side is the longer
 * (Brys, Hubert & Struyf, Journal of Computational and Graphical Statistics 13, 2004). Of more than
 * 1000 values, 1000 evenly spaced order statistics are used. 0 when n < 3.
 */
double outlier_medcouple(const double *sorted, size_t n);

#endif
