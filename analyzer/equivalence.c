/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "analyzer/equivalence.h"

#include <math.h>

#include "analyzer/mann_whitney.h"
#include "analyzer/ratio.h"
#include "analyzer/scratch.h"
#include "analyzer/student.h"

double equivalence_low(double limit_frac)
{
	return 1 / (1 + limit_frac);
}

double equivalence_high(double limit_frac)
{
	return 1 + limit_frac;
}

double equivalence_of_means(const struct moments *base, const struct moments *candidate,
			    double limit_frac)
{
	struct ratio_statistic low, high;
	double ratio = base->mean != 0 ? candidate->mean / base->mean : 0;

	if (!(limit_frac > 0) || base->n < 2 || candidate->n < 2)
		return 1;
	if (!(ratio > 0) || !isfinite(ratio))
		return 1;
	low = ratio_statistic_at(base, candidate, equivalence_low(limit_frac));
	high = ratio_statistic_at(base, candidate, equivalence_high(limit_frac));
	return fmax(student_upper(low.t, low.df), student_upper(-high.t, high.df));
}

/* All values on one side of zero, that of `sign`. */
static bool has_sign(const double *values, size_t n, double sign)
{
	for (size_t i = 0; i < n; i++) {
		if (!(values[i] * sign > 0))
			return false;
	}
	return true;
}

static struct tails test_scaled(const double *base, size_t n_base, const double *candidate,
				size_t n_candidate, double factor, tails_test test,
				unsigned long seed)
{
	_scratch_ double *scaled = scratch_copy(base, n_base);

	for (size_t i = 0; i < n_base; i++)
		scaled[i] *= factor;
	return test(scaled, n_base, candidate, n_candidate, seed);
}

double equivalence_of_tails(const double *base, size_t n_base, const double *candidate,
			    size_t n_candidate, double limit_frac, tails_test test,
			    unsigned long seed)
{
	double sign = n_base ? copysign(1, base[0]) : 1;
	struct tails low, high;

	if (!(limit_frac > 0) || !n_base || !n_candidate || !has_sign(base, n_base, sign) ||
	    !has_sign(candidate, n_candidate, sign))
		return 1;
	low = test_scaled(base, n_base, candidate, n_candidate, equivalence_low(limit_frac), test,
			  seed);
	high = test_scaled(base, n_base, candidate, n_candidate, equivalence_high(limit_frac), test,
			   seed);
	if (sign < 0)
		return fmax(low.less, high.greater);
	return fmax(low.greater, high.less);
}

static struct tails rank_tails(const double *base, size_t n_base, const double *candidate,
			       size_t n_candidate, unsigned long seed)
{
	struct mann_whitney test = mann_whitney_test(base, n_base, candidate, n_candidate);

	(void)seed;
	return (struct tails){test.p_less, test.p_greater};
}

double equivalence_of_ranks(const double *base, size_t n_base, const double *candidate,
			    size_t n_candidate, double limit_frac)
{
	return equivalence_of_tails(base, n_base, candidate, n_candidate, limit_frac, rank_tails,
				    0);
}
