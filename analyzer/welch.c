/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "analyzer/welch.h"

#include <math.h>

#include "analyzer/student.h"

double welch_df(double a, double n_a, double b, double n_b)
{
	double share = a / (a + b);

	/* Shares instead of squared variances: nothing can underflow to 0 / 0. */
	return 1 / (share * share / (n_a - 1) + (1 - share) * (1 - share) / (n_b - 1));
}

struct welch welch_test(const struct moments *base, const struct moments *candidate, double alpha)
{
	struct welch welch = {0};
	double n_base = (double)base->n;
	double n_candidate = (double)candidate->n;
	/* Nothing is squared before it is divided: magnitudes of 1e300 and 1e-300 serve, too. */
	double base_error = base->sd / sqrt(n_base);
	double candidate_error = candidate->sd / sqrt(n_candidate);
	double error = hypot(base_error, candidate_error);
	double width;

	if (base->n < 2 || candidate->n < 2 || !(error > 0) || !isfinite(error))
		return welch;
	base_error /= error;
	candidate_error /= error;
	welch.known = true;
	welch.difference = candidate->mean - base->mean;
	welch.t = welch.difference / error;
	welch.df = welch_df(base_error * base_error, n_base, candidate_error * candidate_error,
			    n_candidate);
	welch.p = student_two_sided(welch.t, welch.df);
	width = student_quantile(alpha / 2, welch.df) * error;
	welch.interval =
		(struct interval){welch.difference - width, welch.difference + width, true};
	return welch;
}
