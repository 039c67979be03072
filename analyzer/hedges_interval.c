/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "analyzer/hedges_interval.h"

#include <math.h>

#include "analyzer/noncentral_t.h"

#define STATISTIC_MAX 1e3

/* The shift at which P(T >= t) is `upper`, t >= 0: it grows with the shift. */
static double find_shift_of_positive(double t, double df, double upper)
{
	double low = t - 1;
	double high = t + 1;
	double step = 1;

	for (; noncentral_t_upper(t, df, low) > upper && step < 1e5; step *= 2)
		low -= step;
	for (step = 1; noncentral_t_upper(t, df, high) < upper && step < 1e5; step *= 2)
		high += step;
	for (int i = 0; i < 60 && high - low > 1e-13 * fmax(t, 1); i++) {
		double middle = low + (high - low) / 2;

		if (noncentral_t_upper(t, df, middle) < upper)
			low = middle;
		else
			high = middle;
	}
	return low + (high - low) / 2;
}

static double find_shift(double t, double df, double upper)
{
	return t < 0 ? -find_shift_of_positive(-t, df, 1 - upper)
		     : find_shift_of_positive(t, df, upper);
}

struct interval hedges_interval(const struct moments *base, const struct moments *candidate,
				double alpha)
{
	struct interval none = {0};
	double n_base = (double)base->n;
	double n_candidate = (double)candidate->n;
	double df = n_base + n_candidate - 2;
	double sd, error, t;

	if (base->n < 2 || candidate->n < 2)
		return none;
	sd = hypot(base->sd * sqrt((n_base - 1) / df),
		   candidate->sd * sqrt((n_candidate - 1) / df));
	error = sqrt(1 / n_base + 1 / n_candidate);
	t = sd > 0 ? (candidate->mean - base->mean) / sd / error : INFINITY;
	if (!(fabs(t) <= STATISTIC_MAX))
		return none;
	return (struct interval){find_shift(t, df, alpha / 2) * error,
				 find_shift(t, df, 1 - alpha / 2) * error, true};
}
