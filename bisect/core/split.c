/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bisect/core/split.h"

#include <gsl/gsl_cdf.h>
#include <math.h>

/*
 * Scales of the change in units of the noise, and their prior weights: most below four, as a
 * half-Cauchy prior has it, with a tail for metrics that hardly vary.
 */
static const struct {
	double scale;
	double weight;
} scales[] = {
	{0.25, 0.05}, {0.5, 0.15}, {1, 0.25},  {2, 0.25},
	{4, 0.15},    {8, 0.08},   {32, 0.05}, {1024, 0.02},
};

enum { SCALES = sizeof(scales) / sizeof(scales[0]) };

/* What the mixture component of one scale contributes. */
struct scale_fit {
	double log_weight;
	double noise_variance;
	double change; /* posterior mean, in the direction of slower */
	double change_variance;
};

void level_sum_add(struct level_sum *sum, const struct site *site, double layout)
{
	double n = (double)site->values;
	double weight;
	double total;
	double shift;

	if (!site->values)
		return;
	weight = n / (1 + n * layout * layout);
	total = sum->weight + weight;
	shift = site->mean - sum->mean;
	sum->squares += site->squares + shift * shift * sum->weight * weight / total;
	sum->mean += shift * weight / total;
	sum->weight = total;
	sum->values += site->values;
}

double split_freedom(size_t values, struct noise_prior prior)
{
	return fmax((double)values - 1 + prior.freedom, 1);
}

/* P(t > 0) of a t variable with that location and scale; its normal limits where they are safe. */
static double positive_mass(double location, double scale, double freedom)
{
	double z = location / scale;

	if (z > 40 && freedom > 4)
		return 1;
	return gsl_cdf_tdist_P(z, freedom);
}

/* Mean and variance of N(location, scale^2) cut off below 0. */
static void truncate(double location, double scale, struct scale_fit *fit)
{
	double z = location / scale;
	double ratio;

	if (z < -5) { /* far in the tail the density falls exponentially */
		fit->change = -scale / z;
		fit->change_variance = fit->change * fit->change;
		return;
	}
	ratio = exp(-z * z / 2) / (sqrt(2 * M_PI) * gsl_cdf_ugaussian_P(z));
	fit->change = location + scale * ratio;
	fit->change_variance = scale * scale * fmax(1 - z * ratio - ratio * ratio, 1e-3);
}

/* `spread` is the variance of the difference of the means in units of the noise variance. */
static struct scale_fit fit_scale(size_t index, double difference, double spread, double squares,
				  double freedom)
{
	double prior = scales[index].scale * scales[index].scale;
	double total = squares + difference * difference / (spread + prior);
	double shrink = prior / (prior + spread);
	struct scale_fit fit = {0};
	double scale;

	fit.noise_variance = total / freedom;
	scale = sqrt(fit.noise_variance * shrink * spread);
	truncate(shrink * difference, scale, &fit);
	fit.log_weight = log(scales[index].weight) + 0.5 * log(spread / (spread + prior)) -
			 0.5 * freedom * log(total) +
			 log(2 * fmax(positive_mass(shrink * difference, scale, freedom), 1e-300));
	return fit;
}

/* Mixes the scales: moments into `mixed`, the sum of the weights returned as a logarithm. */
static double mix_scales(const struct scale_fit fits[SCALES], struct scale_fit *mixed)
{
	double top = fits[0].log_weight;
	double sum = 0;
	double second = 0;

	for (size_t i = 1; i < SCALES; i++)
		top = fmax(top, fits[i].log_weight);
	for (size_t i = 0; i < SCALES; i++) {
		double weight = exp(fits[i].log_weight - top);

		sum += weight;
		mixed->noise_variance += weight * fits[i].noise_variance;
		mixed->change += weight * fits[i].change;
		second += weight * (fits[i].change * fits[i].change + fits[i].change_variance);
	}
	mixed->noise_variance /= sum;
	mixed->change /= sum;
	mixed->change_variance = fmax(second / sum - mixed->change * mixed->change, 0);
	return top + log(sum);
}

struct split_fit split_fit_nothing(const struct level_sum *all, struct noise_prior prior)
{
	double freedom = split_freedom(all->values, prior);
	double squares = all->squares + prior.squares;
	struct split_fit fit = {
		.log_likelihood = -0.5 * freedom * log(squares),
		.level = {all->mean, all->mean},
		.noise_variance = squares / freedom,
		.freedom = freedom,
	};

	fit.level_variance[0] = fit.level_variance[1] = fit.noise_variance / fmax(all->weight, 0.1);
	return fit;
}

/* The levels, from the overall mean and the change. */
static void set_levels(struct split_fit *fit, const struct level_sum sides[2], double direction,
		       const struct scale_fit *mixed)
{
	double weight = sides[0].weight + sides[1].weight;

	for (int side = 0; side < 2; side++) {
		double share = sides[!side].weight / weight;
		double sign = side ? direction : -direction;
		double mean = (sides[0].weight * sides[0].mean + sides[1].weight * sides[1].mean) /
			      weight;

		fit->level[side] = mean + sign * share * mixed->change;
		fit->level_variance[side] =
			fit->noise_variance / weight + share * share * mixed->change_variance;
	}
}

struct split_fit split_fit_change(const struct level_sum sides[2], double direction,
				  struct noise_prior prior)
{
	size_t values = sides[0].values + sides[1].values;
	double freedom = split_freedom(values, prior);
	double product = sides[0].weight * sides[1].weight;
	/* A side without values: the spread is infinite, and the change as its prior says. */
	double spread = product > 0 ? (sides[0].weight + sides[1].weight) / product : 1e12;
	double difference = product > 0 ? direction * (sides[1].mean - sides[0].mean) : 0;
	double squares = sides[0].squares + sides[1].squares + prior.squares;
	struct scale_fit fits[SCALES];
	struct scale_fit mixed = {0};
	struct split_fit fit = {.freedom = freedom};

	for (size_t i = 0; i < SCALES; i++)
		fits[i] = fit_scale(i, difference, spread, squares, freedom);
	fit.log_likelihood = mix_scales(fits, &mixed);
	fit.noise_variance = mixed.noise_variance;
	if (values)
		set_levels(&fit, sides, direction, &mixed);
	return fit;
}
