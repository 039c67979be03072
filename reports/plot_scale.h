/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Geometry of plots: from values to places on a page. Pure. */
#ifndef KREGRESS_REPORTS_PLOT_SCALE_H
#define KREGRESS_REPORTS_PLOT_SCALE_H

#include <stdbool.h>
#include <stddef.h>

/* A linear scale: low..high of the values lie at start..end of the page. */
struct plot_scale {
	double low;
	double high; /* > low */
	double start;
	double end;
};

/* Where `value` lies, held to the ends of the scale. */
double plot_scale_at(const struct plot_scale *scale, double value);

/* True for a value that lies within the scale. */
bool plot_scale_holds(const struct plot_scale *scale, double value);

/*
 * The range to show for values from low to high: widened by `margin_frac` of it on both sides, and
 * never empty or beyond the range of double. Either may be the larger.
 */
void plot_range(double *low, double *high, double margin_frac);

/*
 * Round values (1, 2 or 5 times a power of ten apart) within low..high, about `wanted` of them and
 * at most `most`; returns how many. `*decimals` are the places that tell them apart.
 */
size_t plot_ticks(double low, double high, size_t wanted, double *ticks, size_t most,
		  int *decimals);

#endif
