/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "analyzer/change_model.h"

#include <float.h>
#include <math.h>

#include <gsl/gsl_cdf.h>
#include <gsl/gsl_statistics_double.h>

#include "analyzer/scratch.h"

#define BASIS_EVERY 128 /* up to here, every point moves the basis */
#define BASIS_STEPS 16	/* per octave beyond */

/* Obtained by simulation, see docs/history.md: 5% of series without a change exceed it. */
#define PRICE_AT_50   8.6
#define PRICE_PER_LOG 1.95
#define PRICE_MIN     7.0

/* Below this many points autocorrelation is hardly known, and a change dearer: likewise obtained.
 */
#define PRICE_SHORT	 50
#define PRICE_PER_POINT	 0.05 /* missing */
#define PRICE_FACTOR_MAX 2.8

void change_model_init(struct change_model *model, const struct change_settings *settings)
{
	*model = (struct change_model){0};
	if (settings)
		model->settings = *settings;
	if (!(model->settings.alpha > 0 && model->settings.alpha < 1))
		model->settings.alpha = CHANGE_ALPHA;
	if (!model->settings.min_segment)
		model->settings.min_segment = CHANGE_MIN_SEGMENT;
}

void change_model_release(struct change_model *model)
{
	free(model->values);
	free(model->variances);
	free(model->cut);
	free(model->sums);
	*model = (struct change_model){0};
}

static void grow(double **values, size_t count, size_t capacity)
{
	double *larger = scratch_new(capacity, sizeof(*larger));

	if (count)
		memcpy(larger, *values, count * sizeof(*larger));
	free(*values);
	*values = larger;
}

static void reserve(struct change_model *model)
{
	size_t capacity = model->capacity ? 2 * model->capacity : 64;
	struct change_sums *sums;

	if (model->n < model->capacity)
		return;
	grow(&model->values, model->n, capacity);
	grow(&model->variances, model->n, capacity);
	grow(&model->cut, model->n, capacity);
	sums = scratch_new(capacity + 1, sizeof(*sums));
	if (model->n)
		memcpy(sums, model->sums, (model->n + 1) * sizeof(*sums));
	free(model->sums);
	model->sums = sums;
	model->capacity = capacity;
}

bool change_model_append(struct change_model *model, double value, double variance)
{
	if (!(fabs(value) <= CHANGE_MAGNITUDE_MAX) || !isfinite(variance))
		return false;
	reserve(model);
	model->values[model->n] = value;
	model->variances[model->n] = variance;
	model->n++;
	return true;
}

/* The largest power of two times BASIS_EVERY up to n. */
static size_t octave_of(size_t n)
{
	size_t octave = BASIS_EVERY;

	while (octave <= n / 2)
		octave *= 2;
	return octave;
}

size_t change_model_basis(size_t n)
{
	size_t octave = octave_of(n);
	size_t step = octave / BASIS_STEPS;
	size_t late = n - step / 2;

	if (n <= BASIS_EVERY)
		return n;
	if (late >= octave)
		return late - late % step;
	return octave == BASIS_EVERY ? octave : octave - step / 2;
}

size_t change_model_next_basis(size_t n, size_t *counts_from)
{
	size_t basis = change_model_basis(n);
	size_t next = basis < BASIS_EVERY ? basis + 1 : basis + octave_of(basis) / BASIS_STEPS;

	*counts_from = next;
	if (next > BASIS_EVERY)
		*counts_from += octave_of(next) / BASIS_STEPS / 2;
	return next;
}

static double median_of(const double *values, size_t n)
{
	_scratch_ double *copy = scratch_copy(values, n);

	return gsl_stats_select(copy, 1, n, n / 2);
}

static void estimate_weights(struct change_model *model)
{
	_scratch_ double *known = scratch_new(model->basis, sizeof(*known));
	size_t count = 0;

	for (size_t i = 0; i < model->basis; i++) {
		if (model->variances[i] >= 0)
			known[count++] = model->variances[i];
	}
	model->typical_variance = count ? gsl_stats_select(known, 1, count, count / 2) : 0;
	model->weighted = count > 0;
}

static void estimate(struct change_model *model)
{
	double inflation;

	model->centre = median_of(model->values, model->basis);
	model->noise = change_noise_of(model->values, model->basis);
	inflation = (1 + model->noise.lag1) / (1 - model->noise.lag1);
	model->unit = model->noise.sd * sqrt(inflation);
	model->price = change_model_price(model->basis, model->settings.alpha);
	model->line_price = model->price;
	estimate_weights(model);
}

/*
 * Weight of a point: its variance is that of its own boots and one that all points share, the
 * noise less the typical variance of a point.
 */
static double weight_of(const struct change_model *model, size_t at)
{
	double sd = model->noise.sd;
	double typical = fmin(model->typical_variance / sd / sd, 1);
	double own;

	if (!model->weighted || model->variances[at] < 0)
		return 1;
	own = 1 - typical + model->variances[at] / sd / sd;
	return 1 / fmax(own, 1.0 / 16);
}

static void fill(struct change_model *model, size_t at)
{
	const struct change_sums *sums = &model->sums[at];
	double weight = weight_of(model, at);
	double cut =
		change_noise_cut(model->values, model->n, at, model->noise.jitter / sqrt(weight));
	double value = (cut - model->centre) / model->unit;
	double place = (double)at;

	model->cut[at] = value;
	model->sums[at + 1] = (struct change_sums){
		.w = sums->w + weight,
		.x = sums->x + weight * value,
		.xx = sums->xx + weight * value * value,
		.t = sums->t + weight * place,
		.tt = sums->tt + weight * place * place,
		.tx = sums->tx + weight * place * value,
	};
}

size_t change_model_update(struct change_model *model, size_t basis, size_t end)
{
	size_t sure = model->n > CHANGE_SPIKE_REACH ? model->n - CHANGE_SPIKE_REACH : 0;
	size_t kept;

	if (basis != model->basis) {
		model->basis = basis;
		model->settled = 0;
		estimate(model);
	}
	kept = model->settled;
	for (size_t i = kept; i < end; i++)
		fill(model, i);
	model->settled = end < sure ? end : sure;
	return kept;
}

bool change_model_is_line(const struct change_model *model, size_t from, size_t to)
{
	struct change_sums sums = change_model_sums(model, from, to);

	return change_line_gain(model, from, to - from, &sums) > model->line_price;
}

double change_model_share(const struct change_model *model, size_t count)
{
	double lag1 = model->noise.lag1;

	return change_noise_inflation(lag1, count) * (1 - lag1) / (1 + lag1);
}

static double two_sided(double squared)
{
	return fmax(2 * gsl_cdf_ugaussian_Q(sqrt(fmax(squared, 0))), DBL_MIN);
}

static double base_price(size_t n)
{
	return fmax(PRICE_AT_50 + PRICE_PER_LOG * log((double)n / 50), PRICE_MIN);
}

static double short_factor(size_t n)
{
	double missing = n < PRICE_SHORT ? (double)(PRICE_SHORT - n) : 0;

	return fmin(1 + PRICE_PER_POINT * missing, PRICE_FACTOR_MAX);
}

/*
 * The scale and the autocorrelation are estimates, so that squares have a longer tail than those of
 * a normal variable: a fifth of the alarms takes a 25th of its tail.
 */
double change_model_price(size_t n, double alpha)
{
	double share = alpha / CHANGE_ALPHA;
	double tail = two_sided(base_price(n)) * share * share;
	double z = gsl_cdf_ugaussian_Qinv(fmin(tail, 0.5) / 2);

	return z * z * short_factor(n);
}

double change_model_p(size_t n, double squared)
{
	double tail = two_sided(squared / short_factor(n));
	double p = CHANGE_ALPHA * sqrt(tail / two_sided(base_price(n)));

	return fmin(fmax(p, DBL_MIN), 1);
}
