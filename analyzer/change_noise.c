/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "analyzer/change_noise.h"

#include <float.h>
#include <math.h>
#include <stdbool.h>

#include <gsl/gsl_statistics_double.h>

#include "analyzer/scratch.h"

#define LAGS_MAX	8
#define LAG_SHARE	6 /* a lag is used from this many times as many points on */
#define QUANTILE	0.8
#define QUANTILE_NORMAL 1.2815515655446004 /* of |z| at QUANTILE */
#define MEDIAN_NORMAL	0.6744897501960817
#define MEAN_NORMAL	0.7978845608028654 /* sqrt(2 / pi) */
#define CUT		3.0
#define FAR		5.0
#define COMPANY		2.0 /* jitters out that count as company of a far point */
#define LAG1_ALLOWANCE	5.0 /* over n, added to the estimate */
#define SHORT		40  /* below, lag 1 is hardly known and held lower in proportion */
#define RUN		3
#define FLAT_FRAC	1e-9

static size_t place_at(size_t n, double fraction)
{
	return (size_t)(fraction * (double)(n - 1) + 0.5);
}

/* Absolute deviations of the differences at `lag` from their median, into `room`. */
static size_t deviations(const double *values, size_t n, size_t lag, double *room)
{
	size_t count = n - lag;
	double middle;

	for (size_t i = 0; i < count; i++)
		room[i] = values[i + lag] - values[i];
	middle = gsl_stats_select(room, 1, count, place_at(count, 0.5));
	for (size_t i = 0; i < count; i++)
		room[i] = fabs(values[i + lag] - values[i] - middle);
	return count;
}

/*
 * The larger of two robust scales: where values lie on two levels, the first alone may vanish.
 * Quickselect leaves nothing smaller behind the value it found, so the second search goes on there.
 */
static double robust_scale(double *room, size_t count)
{
	size_t at = place_at(count, 0.5);
	double half = gsl_stats_select(room, 1, count, at);
	double most = gsl_stats_select(room + at, 1, count - at, place_at(count, QUANTILE) - at);

	return fmax(half / MEDIAN_NORMAL, most / QUANTILE_NORMAL);
}

/* Root mean square of the differences at a lag, each held to CUT robust scales. */
static double difference_scale(const double *values, size_t n, size_t lag, double *room)
{
	size_t count = deviations(values, n, lag, room);
	double scale = robust_scale(room, count);
	double sum = 0;

	for (size_t i = 0; scale > 0 && i < count; i++) {
		double ratio = fmin(room[i] / scale, CUT);

		sum += ratio * ratio;
	}
	return scale * sqrt(sum / (double)count);
}

/* For series most of whose values repeat. */
static double mean_scale(const double *values, size_t n)
{
	double sum = 0;
	double magnitude = 0;

	for (size_t i = 1; i < n; i++) {
		sum += fabs(values[i] - values[i - 1]) / (double)(n - 1);
		magnitude = fmax(magnitude, fabs(values[i]));
	}
	return fmax(sum / MEAN_NORMAL, fmax(magnitude * FLAT_FRAC, DBL_MIN / FLAT_FRAC));
}

static double power_of(double base, size_t exponent)
{
	double product = 1;

	while (exponent-- > 0)
		product *= base;
	return product;
}

static double lag1_limit(size_t n)
{
	return CHANGE_NOISE_LAG1_MAX * fmin(1, (double)n / SHORT);
}

/* The largest of the scales that the lags imply; those of lags 1 and 2 are given. */
static double implied_sd(const double *cut, size_t n, const double first[2], double lag1,
			 double *room)
{
	double sd = first[0] / sqrt(2 * (1 - lag1));

	for (size_t lag = 2; n >= SHORT && lag <= LAGS_MAX && lag * LAG_SHARE < n; lag *= 2) {
		double scale = lag == 2 ? first[1] : difference_scale(cut, n, lag, room);

		sd = fmax(sd, scale / sqrt(2 * (1 - power_of(lag1, lag))));
	}
	return sd;
}

struct change_noise change_noise_of(const double *values, size_t n)
{
	_scratch_ double *room = scratch_new(n, sizeof(*room));
	_scratch_ double *cut = scratch_new(n, sizeof(*cut));
	double first[2] = {difference_scale(values, n, 1, room)};
	struct change_noise noise = {0};
	double ratio;

	if (!(first[0] > 0))
		first[0] = mean_scale(values, n);
	noise.jitter = first[0] / sqrt(2);
	for (size_t i = 0; i < n; i++)
		cut[i] = change_noise_cut(values, n, i, noise.jitter);
	first[0] = difference_scale(cut, n, 1, room);
	if (!(first[0] > 0) || n < 4) {
		noise.sd = noise.jitter;
		return noise;
	}
	first[1] = difference_scale(cut, n, 2, room);
	ratio = first[1] / first[0];
	noise.lag1 = ratio * ratio - 1 + LAG1_ALLOWANCE / (double)n;
	noise.lag1 = fmin(fmax(noise.lag1, 0), lag1_limit(n));
	noise.sd = implied_sd(cut, n, first, noise.lag1, room);
	return noise;
}

/*
 * What is nearest to `wish` between the two middle values of the `count` from `values` on, at most
 * 2 CHANGE_SPIKE_REACH + 1: half way between two levels there is no value to hold a point to.
 */
static double nearest_median(const double *values, size_t count, double wish)
{
	double sorted[2 * CHANGE_SPIKE_REACH + 1];

	for (size_t i = 0; i < count; i++) {
		size_t place = i;

		for (; place > 0 && sorted[place - 1] > values[i]; place--)
			sorted[place] = sorted[place - 1];
		sorted[place] = values[i];
	}
	return fmin(fmax(wish, sorted[(count - 1) / 2]), sorted[count / 2]);
}

/* Whether point `at` belongs to RUN points in a row that are out on the same side. */
static bool has_company(const double *values, size_t n, size_t at, double middle, double out)
{
	double side = values[at] > middle ? 1 : -1;
	size_t run = 1;

	for (size_t i = at; i-- > 0 && run < RUN && side * (values[i] - middle) > out;)
		run++;
	for (size_t i = at + 1; i < n && run < RUN && side * (values[i] - middle) > out; i++)
		run++;
	return run >= RUN;
}

/* A lone point between two levels goes to the nearer one. */
static bool between_levels(const double *values, size_t n, size_t at, double far, double *nearer)
{
	size_t left = at < CHANGE_SPIKE_REACH ? at : CHANGE_SPIKE_REACH;
	size_t right = n - 1 - at < CHANGE_SPIKE_REACH ? n - 1 - at : CHANGE_SPIKE_REACH;
	double from_left, from_right, before, after;

	if (left < RUN || right < RUN || fabs(values[at] - values[at - 1]) <= far ||
	    fabs(values[at] - values[at + 1]) <= far)
		return false;
	before = nearest_median(values + at - left, left, values[at]);
	after = nearest_median(values + at + 1, right, values[at]);
	from_left = fabs(values[at] - before);
	from_right = fabs(values[at] - after);
	*nearer = from_left <= from_right ? before : after;
	return from_left > far && from_right > far && (values[at] > before) != (values[at] > after);
}

/* Most points: near a neighbour, and within CUT jitters of the median, which need not be known. */
static bool stays(const double *values, size_t count, size_t at, double jitter)
{
	double value = values[at];
	size_t half = (count + 1) / 2, above = 0, below = 0;
	bool near_left = at > 0 && fabs(value - values[at - 1]) <= FAR * jitter;
	bool near_right = at + 1 < count && fabs(value - values[at + 1]) <= FAR * jitter;

	for (size_t i = 0; i < count; i++) {
		above += values[i] >= value - CUT * jitter;
		below += values[i] <= value + CUT * jitter;
	}
	return (near_left || near_right) && above >= half && below >= half;
}

double change_noise_cut(const double *values, size_t n, size_t at, double jitter)
{
	size_t low = at < CHANGE_SPIKE_REACH ? 0 : at - CHANGE_SPIKE_REACH;
	size_t high = n - at <= CHANGE_SPIKE_REACH ? n : at + CHANGE_SPIKE_REACH + 1;
	double middle, off, nearer;

	if (stays(values + low, high - low, at - low, jitter))
		return values[at];
	middle = nearest_median(values + low, high - low, values[at]);
	off = values[at] - middle;
	if (between_levels(values, n, at, FAR * jitter, &nearer))
		return nearer;
	if (fabs(off) > FAR * jitter && !has_company(values, n, at, middle, COMPANY * jitter))
		return middle;
	return middle + fmin(fmax(off, -CUT * jitter), CUT * jitter);
}

double change_noise_inflation(double lag1, size_t count)
{
	double rest = 1 - lag1;
	double power = exp((double)count * log(fmax(lag1, DBL_MIN)));

	return (1 + lag1) / rest - 2 * lag1 * (1 - power) / ((double)count * rest * rest);
}
