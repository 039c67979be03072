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

/* P(Beta(c, d) > Beta(a, b)) for a whole c >= 1. */
static double greater(double a, double b, double c, double d)
{
	double sum = 0;

	for (size_t k = 0; (double)k < c; k++) {
		double i = (double)k;

		sum += exp(gsl_sf_lnbeta(a + i, b + d) - log(d + i) - gsl_sf_lnbeta(1 + i, d) -
			   gsl_sf_lnbeta(a, b));
	}
	return fmin(fmax(sum, 1e-300), 1);
}

double outcome_log_ordered(const struct fail_rate *fast, const struct fail_rate *slow,
			   const size_t passes[2], const size_t fails[2])
{
	if (fast->known >= 0 || slow->known >= 0)
		return 0;
	return log(greater(fast->a + (double)fails[0], fast->b + (double)passes[0],
			   slow->a + (double)fails[1], slow->b + (double)passes[1])) -
	       log(greater(fast->a, fast->b, slow->a, slow->b));
}

double outcome_fail_probability(const struct fail_rate *rate, size_t passes, size_t fails)
{
	if (rate->known >= 0)
		return rate->known;
	return (rate->a + (double)fails) / (rate->a + rate->b + (double)(passes + fails));
}
