/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bisect/core/layout.h"

#include <math.h>

const double layout_sizes[LAYOUTS] = {0, 0.25, 0.5, 1};

double layout_log_factor(const struct site *sites, size_t count, double layout)
{
	double factor = 0;
	double weight = 0;

	for (size_t i = 0; i < count; i++) {
		double n = (double)sites[i].values;

		factor -= 0.5 * log(1 + n * layout * layout);
		weight += n / (1 + n * layout * layout);
	}
	/* The level with its flat prior, integrated out. */
	return factor - 0.5 * log(weight);
}

static void add_fit(const struct split_fit *fit, double weight, struct split_fit *sum)
{
	sum->noise_variance += weight * fit->noise_variance;
	for (int side = 0; side < 2; side++) {
		sum->level[side] += weight * fit->level[side];
		sum->level_variance[side] +=
			weight * (fit->level_variance[side] + fit->level[side] * fit->level[side]);
	}
}

struct split_fit layout_average(const struct split_fit fits[LAYOUTS], double *mean_square)
{
	struct split_fit mean = {.freedom = fits[0].freedom};
	double top = fits[0].log_likelihood;
	double sum = 0;

	for (size_t i = 1; i < LAYOUTS; i++)
		top = fmax(top, fits[i].log_likelihood);
	for (size_t i = 0; i < LAYOUTS; i++)
		sum += exp(fits[i].log_likelihood - top);
	*mean_square = 0;
	for (size_t i = 0; i < LAYOUTS; i++) {
		double weight = exp(fits[i].log_likelihood - top) / sum;

		add_fit(&fits[i], weight, &mean);
		*mean_square += weight * layout_sizes[i] * layout_sizes[i];
	}
	for (int side = 0; side < 2; side++)
		mean.level_variance[side] =
			fmax(mean.level_variance[side] - mean.level[side] * mean.level[side], 0);
	mean.log_likelihood = top + log(sum / LAYOUTS);
	return mean;
}
