/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bisect/core/outcome.h"

#include <gsl/gsl_sf_gamma.h>
#include <math.h>

/* count log(probability), where no event of probability 0 costs nothing. */
static double log_power(double probability, size_t count)
{
	if (!count)
		return 0;
	return probability > 0 ? (double)count * log(probability) : -INFINITY;
}

double outcome_log_likelihood(const struct fail_rate *rate, size_t passes, size_t fails)
{
	if (rate->known >= 0)
		return log_power(rate->known, fails) + log_power(1 - rate->known, passes);
	return gsl_sf_lnbeta(rate->a + (double)fails, rate->b + (double)passes) -
	       gsl_sf_lnbeta(rate->a, rate->b);
}

double outcome_fail_probability(const struct fail_rate *rate, size_t passes, size_t fails)
{
	if (rate->known >= 0)
		return rate->known;
	return (rate->a + (double)fails) / (rate->a + rate->b + (double)(passes + fails));
}
