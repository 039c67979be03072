/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "analyzer/power.h"

#include <math.h>

#include "analyzer/equivalence.h"
#include "analyzer/noncentral_t.h"
#include "analyzer/ratio.h"
#include "analyzer/student.h"
#include "analyzer/welch.h"

double power_detectable_frac(const struct moments *base, const struct moments *candidate,
			     double alpha, double power)
{
	double n_base = (double)base->n;
	double n_candidate = (double)candidate->n;
	double a = base->sd * base->sd / n_base;
	double b = candidate->sd * candidate->sd / n_candidate;
	double df, width;

	if (base->n < 2 || candidate->n < 2 || !(a + b > 0) || base->mean == 0)
		return 0;
	if (!(alpha > 0 && power > alpha && power < 1))
		return 0;
	df = welch_df(a, n_base, b, n_candidate);
	width = noncentral_t_shift(student_quantile(alpha / 2, df), df, power);
	width *= sqrt(a + b) / fabs(base->mean);
	return isfinite(width) ? width : 0;
}

static bool is_told_from(const struct moments *base, const struct moments *candidate, double ratio,
			 double alpha)
{
	struct ratio_statistic statistic = ratio_statistic_at(base, candidate, ratio);

	return student_two_sided(statistic.t, statistic.df) < alpha;
}

static bool settles(struct moments base, struct moments candidate, size_t n,
		    const struct power_question *question)
{
	double ratio = candidate.mean / base.mean;
	double low = equivalence_low(question->limit_frac);
	double high = equivalence_high(question->limit_frac);
	double limit = ratio > 1 ? high : low;

	base.n = n;
	candidate.n = n;
	if (ratio >= low && ratio <= high)
		return equivalence_of_means(&base, &candidate, question->limit_frac) <
		       question->alpha;
	return is_told_from(&base, &candidate, 1, question->alpha_difference) &&
	       is_told_from(&base, &candidate, limit, question->alpha);
}

size_t power_boots_needed(const struct moments *base, const struct moments *candidate,
			  const struct power_question *question)
{
	double ratio = base->mean != 0 ? candidate->mean / base->mean : 0;
	size_t low = 2;
	size_t high = POWER_BOOTS_MAX;

	if (!(ratio > 0) || !isfinite(ratio) || !settles(*base, *candidate, high, question))
		return 0;
	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (settles(*base, *candidate, middle, question))
			high = middle;
		else
			low = middle + 1;
	}
	return low;
}
