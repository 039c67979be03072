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

static struct mann_whitney test_scaled(const double *base, size_t n_base, const double *candidate,
				       size_t n_candidate, double factor)
{
	_scratch_ double *scaled = scratch_copy(base, n_base);

	for (size_t i = 0; i < n_base; i++)
		scaled[i] *= factor;
	return mann_whitney_test(scaled, n_base, candidate, n_candidate);
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

double equivalence_of_ranks(const double *base, size_t n_base, const double *candidate,
			    size_t n_candidate, double limit_frac)
{
	double sign = copysign(1, base[0]);
	struct mann_whitney low, high;

	if (!(limit_frac > 0) || !has_sign(base, n_base, sign) ||
	    !has_sign(candidate, n_candidate, sign))
		return 1;
	low = test_scaled(base, n_base, candidate, n_candidate, equivalence_low(limit_frac));
	high = test_scaled(base, n_base, candidate, n_candidate, equivalence_high(limit_frac));
	if (sign < 0)
		return fmax(low.p_less, high.p_greater);
	return fmax(low.p_greater, high.p_less);
}
