/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "analyzer/bimodal.h"

#include <math.h>

#include <gsl/gsl_cdf.h>
#include <gsl/gsl_rng.h>

#include "analyzer/moments.h"
#include "analyzer/quantile.h"
#include "analyzer/scratch.h"

#define EXCEEDANCES_ENOUGH 20

/*
 * The empirical distribution at its distinct values: it jumps from below[i] to above[i] at x[i].
 * Distances to the convex hull from below touch the points (x, below), the concave one (x, above).
 */
struct steps {
	double *x;     /* owned, as the others */
	double *below; /* counts */
	double *above;
	size_t *convex; /* indices of the hull's corners */
	size_t *concave;
	size_t count;
};

static void steps_init(struct steps *steps, size_t room)
{
	steps->x = scratch_new(room, sizeof(*steps->x));
	steps->below = scratch_new(room, sizeof(*steps->below));
	steps->above = scratch_new(room, sizeof(*steps->above));
	steps->convex = scratch_new(room, sizeof(*steps->convex));
	steps->concave = scratch_new(room, sizeof(*steps->concave));
}

static void steps_release(struct steps *steps)
{
	free(steps->x);
	free(steps->below);
	free(steps->above);
	free(steps->convex);
	free(steps->concave);
}

static void steps_fill(struct steps *steps, const double *sorted, size_t n)
{
	steps->count = 0;
	for (size_t i = 0; i < n; i++) {
		if (i == 0 || sorted[i] != sorted[i - 1]) {
			steps->x[steps->count] = sorted[i];
			steps->below[steps->count++] = (double)i;
		}
		steps->above[steps->count - 1] = (double)(i + 1);
	}
}

/* Corners of the hull of (x, y) from `low` to `high`; sign 1 for the convex one, -1 for concave. */
static size_t hull(const double *x, const double *y, size_t low, size_t high, double sign,
		   size_t *corners)
{
	size_t count = 0;

	for (size_t i = low; i <= high; i++) {
		while (count > 1) {
			size_t a = corners[count - 2];
			size_t b = corners[count - 1];
			double turn = (y[b] - y[a]) * (x[i] - x[b]) - (y[i] - y[b]) * (x[b] - x[a]);

			if (sign * turn < 0)
				break;
			count--;
		}
		corners[count++] = i;
	}
	return count;
}

static double line_at(const double *x, const double *y, size_t a, size_t b, double at)
{
	return a == b ? y[a] : y[a] + (y[b] - y[a]) * ((at - x[a]) / (x[b] - x[a]));
}

/*
 * Largest distance of the other side of the steps from the hull, over its corners [first, last],
 * but for the step at `except`, the end of the modal interval: a mode may hold an atom.
 */
static double hull_distance(const struct steps *steps, const double *y, const double *other,
			    const size_t *corners, size_t first, size_t last, size_t except)
{
	double largest = 0;

	for (size_t c = first; c < last; c++) {
		for (size_t i = corners[c]; i <= corners[c + 1]; i++) {
			double line = line_at(steps->x, y, corners[c], corners[c + 1], steps->x[i]);

			if (i != except)
				largest = fmax(largest, fabs(other[i] - line));
		}
	}
	return largest;
}

/* Where the two hulls are farthest apart: the next, smaller modal interval. */
struct gap {
	double height;
	size_t convex;	/* positions among the corners: the modal interval starts at this one */
	size_t concave; /* and ends at this one */
};

/* Over the convex hull's corners, each with the first corner of the other that is not before. */
static void scan_convex(const struct steps *steps, size_t n_convex, struct gap *gap)
{
	const size_t *concave = steps->concave;
	size_t c = 0;

	for (size_t i = 0; i < n_convex; i++) {
		size_t at = steps->convex[i];
		double height;

		while (concave[c] < at)
			c++;
		height = line_at(steps->x, steps->above, concave[c ? c - 1 : 0], concave[c],
				 steps->x[at]) -
			 steps->below[at];
		if (height > gap->height)
			*gap = (struct gap){height, i, c};
	}
}

/* Over the concave hull's corners, each with the last corner of the other that is not behind. */
static void scan_concave(const struct steps *steps, size_t n_convex, size_t n_concave,
			 struct gap *gap)
{
	const size_t *convex = steps->convex;
	size_t c = 0;

	for (size_t i = 0; i < n_concave; i++) {
		size_t at = steps->concave[i];
		double height;

		while (c + 1 < n_convex && convex[c + 1] <= at)
			c++;
		height = steps->above[at] - line_at(steps->x, steps->below, convex[c],
						    convex[c + 1 < n_convex ? c + 1 : c],
						    steps->x[at]);
		if (height > gap->height)
			*gap = (struct gap){height, c, i};
	}
}

/* Twice the dip, in counts; the modal interval shrinks until the hulls are no farther apart. */
static double steps_dip(const struct steps *steps)
{
	size_t low = 0;
	size_t high = steps->count - 1;
	double dip = 1;

	while (low < high) {
		size_t n_convex = hull(steps->x, steps->below, low, high, 1, steps->convex);
		size_t n_concave = hull(steps->x, steps->above, low, high, -1, steps->concave);
		struct gap gap = {-1, 0, 0};
		size_t next_low, next_high;

		scan_convex(steps, n_convex, &gap);
		scan_concave(steps, n_convex, n_concave, &gap);
		if (gap.height <= dip)
			break;
		next_low = steps->convex[gap.convex];
		next_high = steps->concave[gap.concave];
		dip = fmax(dip, hull_distance(steps, steps->below, steps->above, steps->convex, 0,
					      gap.convex, next_low));
		dip = fmax(dip, hull_distance(steps, steps->above, steps->below, steps->concave,
					      gap.concave, n_concave - 1, next_high));
		if (next_low == low && next_high == high)
			break;
		low = next_low;
		high = next_high;
	}
	return dip;
}

double dip_of_sorted(const double *sorted, size_t n)
{
	struct steps steps;
	double dip;

	steps_init(&steps, n);
	steps_fill(&steps, sorted, n);
	dip = steps_dip(&steps) / (2 * (double)n);
	steps_release(&steps);
	return dip;
}

/* Uniform values in ascending order: sums of exponential spacings. */
static void draw_uniform(gsl_rng *random, double *sorted, size_t n)
{
	double sum = 0;

	for (size_t i = 0; i < n; i++) {
		sum -= log(gsl_rng_uniform_pos(random));
		sorted[i] = sum;
	}
}

/* Clopper-Pearson at 99%, for `hits` of `tries`, by bisection: it cannot fail. */
static double bound_p(double hits, double tries, bool upper)
{
	double low = 0;
	double high = 1;

	for (int step = 0; step < 50; step++) {
		double middle = low + (high - low) / 2;
		bool below = upper ? gsl_cdf_beta_Q(middle, hits + 1, tries - hits) > 0.005
				   : gsl_cdf_beta_P(middle, hits, tries - hits + 1) < 0.005;

		if (below)
			low = middle;
		else
			high = middle;
	}
	return low + (high - low) / 2;
}

static void simulate(struct dip *result, size_t n, size_t replicates, unsigned long seed)
{
	gsl_rng *random = gsl_rng_alloc(gsl_rng_mt19937);
	_scratch_ double *sorted = scratch_new(n, sizeof(*sorted));
	size_t hits = 0;
	size_t tries = 0;

	if (!random)
		abort();
	gsl_rng_set(random, seed);
	while (tries < replicates && hits < EXCEEDANCES_ENOUGH) {
		draw_uniform(random, sorted, n);
		hits += dip_of_sorted(sorted, n) >= result->dip * (1 - 1e-12);
		tries++;
	}
	gsl_rng_free(random);
	result->replicates = tries;
	result->p = hits == EXCEEDANCES_ENOUGH ? (double)hits / (double)tries
					       : (double)(hits + 1) / (double)(tries + 1);
	if (hits > 0)
		result->p_low = bound_p((double)hits, (double)tries, false);
	if (hits < tries)
		result->p_high = bound_p((double)hits, (double)tries, true);
}

struct dip dip_test(const double *values, size_t n, size_t replicates, unsigned long seed)
{
	struct dip result = {.p = 1, .p_high = 1};
	_scratch_ double *sorted = scratch_copy(values, n);
	int exponent;

	if (n < 4)
		return result;
	exponent = moments_exponent(values, n) + 1;
	for (size_t i = 0; i < n; i++) {
		if (!isfinite(values[i]))
			return result;
		sorted[i] = ldexp(sorted[i], -exponent);
	}
	quantile_sort(sorted, n);
	if (sorted[0] == sorted[n - 1])
		return result;
	result.known = true;
	result.dip = dip_of_sorted(sorted, n);
	simulate(&result, n, replicates ? replicates : DIP_REPLICATES_DEFAULT, seed);
	return result;
}
