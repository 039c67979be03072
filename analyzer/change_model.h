/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A series made ready for a search: spikes cut, in units of the noise, with running sums that give
 * the squared error of a level or a line over any stretch at once.
 *
 * Noise, and all that follows from it, is estimated from the first `basis` points, where basis is
 * change_model_basis(n): n itself up to 128 points, then it moves on eight times an octave, each
 * time half a step late. A point more hence changes nothing but the last few points, until the
 * basis moves on; that is what makes appending cheap and its result the same as that of starting
 * anew. The half step is the time in which a detector prepares for the next basis, a few points
 * at a time.
 */
#ifndef KREGRESS_ANALYZER_CHANGE_MODEL_H
#define KREGRESS_ANALYZER_CHANGE_MODEL_H

#include <stdbool.h>
#include <stddef.h>

#include "analyzer/change_noise.h"
#include "analyzer/change_point.h"

#define CHANGE_LINE_MIN	     8	   /* points that a line takes at least */
#define CHANGE_MAGNITUDE_MAX 1e150 /* values beyond are refused */

/* Sums over the points before one: of weights, and of weights times place and value. */
struct change_sums {
	double w, x, xx, t, tt, tx;
};

struct change_model {
	struct change_settings settings; /* with the defaults filled in */
	size_t n;
	size_t capacity;
	double *values;	   /* n, as given */
	double *variances; /* n, below 0 where not known */
	size_t settled;	   /* points whose `cut` and `sums` no further point changes */
	size_t basis;	   /* points that the noise was estimated from, 0: not yet */
	struct change_noise noise;
	double typical_variance; /* the median of those known, 0 without any */
	bool weighted;
	double centre;
	double unit;  /* sqrt of noise variance x inflation: long means of points have variance 1/n
		       */
	double price; /* of a change, in squared units */
	double line_price;	  /* of a slope */
	double *cut;		  /* n, (value - centre) / unit with spikes cut */
	struct change_sums *sums; /* n + 1 */
};

void change_model_init(struct change_model *model, const struct change_settings *settings);
void change_model_release(struct change_model *model);

/* False, and nothing is added, for a value that is refused. A variance below 0 is not known. */
bool change_model_append(struct change_model *model, double value, double variance);

/*
 * Brings the noise up to date, from the first `basis` points (2 <= basis <= n), and the first `end`
 * cut values and sums (end <= n). Return: the number of leading points for which they are as they
 * were at the last call.
 */
size_t change_model_update(struct change_model *model, size_t basis, size_t end);

/* The basis that counts for n points. */
size_t change_model_basis(size_t n);

/* The basis after that of n points, and the number of points from which on it counts. */
size_t change_model_next_basis(size_t n, size_t *counts_from);

/* Sums over the points [from, to). */
static inline struct change_sums change_model_sums(const struct change_model *model, size_t from,
						   size_t to)
{
	const struct change_sums *a = &model->sums[from];
	const struct change_sums *b = &model->sums[to];

	return (struct change_sums){b->w - a->w, b->x - a->x,	b->xx - a->xx,
				    b->t - a->t, b->tt - a->tt, b->tx - a->tx};
}

/*
 * What a line takes away from the squared error of a level over `count` points from `from` on,
 * with their sums; 0 below CHANGE_LINE_MIN points, and where it is not worth its price. Places
 * without weights are summed in closed form, which stays exact for a million points.
 */
static inline double change_line_gain(const struct change_model *model, size_t from, size_t count,
				      const struct change_sums *sums)
{
	double n = (double)count;
	double middle, spread, product;

	if (count < CHANGE_LINE_MIN)
		return 0;
	if (model->weighted) {
		middle = sums->t / sums->w;
		spread = sums->tt - middle * sums->t;
	} else {
		middle = (double)from + (n - 1) / 2;
		spread = n * (n * n - 1) * (1.0 / 12);
	}
	product = sums->tx - middle * sums->x;
	product *= product;
	return product > model->line_price * spread ? product / spread : 0;
}

/* Squared error of the better of a level and a line, the line at the price of a change. */
static inline double change_model_error(const struct change_model *model, size_t from, size_t to)
{
	struct change_sums sums = change_model_sums(model, from, to);
	double gain = change_line_gain(model, from, to - from, &sums);
	double error = sums.xx - sums.x * sums.x / sums.w;

	return gain > model->line_price ? error - gain + model->line_price : error;
}

/* Whether the line is the better one. */
bool change_model_is_line(const struct change_model *model, size_t from, size_t to);

/*
 * Variance of the mean of `count` points, times count, in squared units: up to 1, less for few
 * points of an autocorrelated series.
 */
double change_model_share(const struct change_model *model, size_t count);

/* Price of a change in squared standard errors, for n points at level alpha. */
double change_model_price(size_t n, double alpha);

/* p of a change with this square of its size over its standard error, adjusted for the search. */
double change_model_p(size_t n, double squared);

#endif
