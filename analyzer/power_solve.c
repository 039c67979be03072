/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "analyzer/power_solve.h"

#include <math.h>

#include <gsl/gsl_cdf.h>

#define STEPS_MAX 100
#define PRECISION 1e-10

/* On the scale of the normal quantile, power is close to linear in the effect. */
static double quantile_of(double power)
{
	return gsl_cdf_ugaussian_Pinv(fmin(fmax(power, 1e-300), 1 - 1e-16));
}

/* Within the bounds, or where bisection would go. */
static double hold(double effect, double low, double high)
{
	if (effect > low && effect < high)
		return effect;
	return isfinite(high) ? low + (high - low) / 2 : 2 * low;
}

/* Secant steps, kept between bounds that hold the answer. */
double power_solve(const struct power_curve *curve, double wanted, double start)
{
	double target = quantile_of(wanted);
	double low = 0;
	double high = HUGE_VAL;
	double effect = start;
	double last_effect = start;
	double last = 0;
	double slope = target > 0 ? (target + 2) / start : 1 / start;

	for (int step = 0; step < STEPS_MAX; step++) {
		double here = quantile_of(curve->power(curve->context, effect));
		double next;

		if (here > target)
			high = effect;
		else
			low = effect;
		if (step > 0 && (here - last) * (effect - last_effect) > 0)
			slope = (here - last) / (effect - last_effect);
		last = here;
		last_effect = effect;
		next = hold(effect - (here - target) / slope, low, high);
		if (fabs(next - effect) <= PRECISION * effect)
			return next;
		effect = next;
	}
	return effect;
}
