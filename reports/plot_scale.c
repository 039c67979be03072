/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "reports/plot_scale.h"

#include <float.h>
#include <math.h>

/* An empty range opens by this share of its value. */
#define EMPTY_OPENS_FRAC 0.01

double plot_scale_at(const struct plot_scale *scale, double value)
{
	/* Halves, so that the difference of the ends is finite. */
	double share = (value / 2 - scale->low / 2) / (scale->high / 2 - scale->low / 2);

	return scale->start + fmax(0, fmin(share, 1)) * (scale->end - scale->start);
}

bool plot_scale_holds(const struct plot_scale *scale, double value)
{
	return value >= scale->low && value <= scale->high;
}

/* Far enough from the ends of double that ranges and margins are finite. */
static double held(double value)
{
	return fmax(-DBL_MAX / 8, fmin(value, DBL_MAX / 8));
}

void plot_range(double *low, double *high, double margin_frac)
{
	double least = held(fmin(*low, *high)), most = held(fmax(*low, *high));
	double magnitude = fmax(fabs(least), fabs(most));
	double margin = margin_frac * (most - least);

	/* What is closer than doubles can be told apart on a scale counts as one value. */
	if (!(most - least > magnitude * 1e-12))
		margin = magnitude > DBL_MIN / EMPTY_OPENS_FRAC ? magnitude * EMPTY_OPENS_FRAC : 1;
	*low = least - margin;
	*high = most + margin;
}

static double round_step(double raw)
{
	double power = pow(10, floor(log10(raw)));
	double lead = raw / power;

	if (lead <= 1)
		return power;
	if (lead <= 2)
		return 2 * power;
	return lead <= 5 ? 5 * power : 10 * power;
}

size_t plot_ticks(double low, double high, size_t wanted, double *ticks, size_t most, int *decimals)
{
	double step = round_step((high / 2 - low / 2) / (double)wanted * 2);
	double first = ceil(low / step - 1e-9);
	size_t count = 0;

	*decimals = 0;
	if (!isnormal(step) || !isfinite(first))
		return 0;
	*decimals = (int)fmax(0, fmin(-floor(log10(step) + 1e-9), 15));
	while (count < most && (first + (double)count) * step <= high + step * 1e-9) {
		double tick = (first + (double)count) * step;

		/* Zero, not what rounding left of it. */
		ticks[count++] = fabs(tick) < step / 2 ? 0 : tick;
	}
	return count;
}
