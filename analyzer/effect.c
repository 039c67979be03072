/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "analyzer/effect.h"

#include <math.h>

/* gamma(m / 2) / (sqrt(m / 2) gamma((m - 1) / 2)), m >= 2. */
static double correction(double m)
{
	int sign;

	return exp(lgamma_r(m / 2, &sign) - lgamma_r((m - 1) / 2, &sign)) / sqrt(m / 2);
}

struct effect effect_hedges(const struct moments *base, const struct moments *candidate)
{
	struct effect effect = {0};
	double base_df = (double)base->n - 1;
	double candidate_df = (double)candidate->n - 1;
	double m = base_df + candidate_df;
	double sd;

	if (base->n < 2 || candidate->n < 2)
		return effect;
	sd = hypot(base->sd * sqrt(base_df / m), candidate->sd * sqrt(candidate_df / m));
	if (!(sd > 0))
		return effect;
	effect.g = correction(m) * ((candidate->mean - base->mean) / sd);
	effect.known = isfinite(effect.g);
	if (!effect.known)
		effect.g = 0;
	return effect;
}
