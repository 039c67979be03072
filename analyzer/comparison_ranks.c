/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Methods that compare ranks: each sets what its test has to say. */
#include "analyzer/comparison_method.h"

#include <math.h>

#include "analyzer/brunner_munzel.h"
#include "analyzer/equivalence.h"
#include "analyzer/hodges_lehmann.h"
#include "analyzer/kolmogorov_smirnov.h"
#include "analyzer/mann_whitney.h"
#include "analyzer/power.h"
#include "analyzer/quantile.h"
#include "analyzer/scratch.h"
#include "analyzer/signed_rank.h"

/* Logarithms of the magnitudes in ascending order, owned; NULL when a value is 0 or of another
 * sign. */
static double *logs_of(const struct side *side, double sign)
{
	double *logs = scratch_new(side->n, sizeof(*logs));

	for (size_t i = 0; i < side->n; i++) {
		if (!(side->values[i] * sign > 0)) {
			free(logs);
			return NULL;
		}
		logs[i] = log(side->values[i] * sign);
	}
	quantile_sort(logs, side->n);
	return logs;
}

/* The pairwise ratios are the pairwise differences of the logarithms. */
static void set_rank_ratio(struct comparison *result, const struct measurement *measurement)
{
	const struct side *base = &measurement->base;
	const struct side *candidate = &measurement->candidate;
	double sign = copysign(1, base->values[0]);
	_scratch_ double *base_logs = logs_of(base, sign);
	_scratch_ double *candidate_logs = logs_of(candidate, sign);
	struct hodges_lehmann shift = {0};
	bool valid = base_logs && candidate_logs;

	if (valid)
		shift = hodges_lehmann_of_sorted(base_logs, base->n, candidate_logs, candidate->n,
						 measurement->level.alpha);
	result->ratio_known = valid && isnormal(exp(shift.shift));
	result->ratio = result->ratio_known ? exp(shift.shift) : 0;
	result->ratio_ci = (struct interval){0};
	if (result->ratio_known && shift.interval.known && isfinite(exp(shift.interval.high)))
		result->ratio_ci =
			(struct interval){exp(shift.interval.low), exp(shift.interval.high), true};
}

static void set_detectable(struct comparison *result, const struct measurement *measurement,
			   enum method method)
{
	const struct side *base = &measurement->base;
	const struct side *candidate = &measurement->candidate;
	double alpha = measurement->level.alpha;
	double detectable =
		power_detectable_frac(&base->moments, &candidate->moments, alpha, COMPARISON_POWER);

	detectable /= sqrt(method_row(method)->efficiency);
	result->detectable_frac = 0;
	if (isfinite(detectable) && mann_whitney_critical(base->n, candidate->n, alpha))
		result->detectable_frac = detectable;
}

static void set_ranks(struct comparison *result, const struct measurement *measurement, double p,
		      enum method method)
{
	const struct side *base = &measurement->base;
	const struct side *candidate = &measurement->candidate;

	comparison_set_p(result, p);
	set_rank_ratio(result, measurement);
	set_detectable(result, measurement, method);
	result->equivalence_p = equivalence_of_ranks(base->values, base->n, candidate->values,
						     candidate->n, measurement->level.limit_frac);
}

bool measure_mann_whitney(struct comparison *result, const struct measurement *measurement)
{
	const struct side *base = &measurement->base;
	const struct side *candidate = &measurement->candidate;
	struct mann_whitney test =
		mann_whitney_test(base->values, base->n, candidate->values, candidate->n);

	set_ranks(result, measurement, test.p, METHOD_MANN_WHITNEY);
	return true;
}

/* Equivalence and intervals by ranks: the test itself asks for no particular kind of change. */
bool measure_ks(struct comparison *result, const struct measurement *measurement)
{
	const struct side *base = &measurement->base;
	const struct side *candidate = &measurement->candidate;
	struct kolmogorov_smirnov test =
		kolmogorov_smirnov_test(base->values, base->n, candidate->values, candidate->n);

	set_ranks(result, measurement, test.p, METHOD_KS);
	return true;
}

static struct tails brunner_munzel_tails(const double *base, size_t n_base, const double *candidate,
					 size_t n_candidate, unsigned long seed)
{
	struct brunner_munzel test =
		brunner_munzel_test(base, n_base, candidate, n_candidate, 0.05, seed);

	return (struct tails){test.p_less, test.p_greater};
}

bool measure_brunner_munzel(struct comparison *result, const struct measurement *measurement)
{
	const struct side *base = &measurement->base;
	const struct side *candidate = &measurement->candidate;
	struct brunner_munzel test =
		brunner_munzel_test(base->values, base->n, candidate->values, candidate->n,
				    measurement->level.alpha, measurement->seed);

	set_ranks(result, measurement, test.p, METHOD_BRUNNER_MUNZEL);
	result->p_ci = test.p_ci;
	result->equivalence_p = equivalence_of_tails(base->values, base->n, candidate->values,
						     candidate->n, measurement->level.limit_frac,
						     brunner_munzel_tails, measurement->seed);
	return true;
}

static struct tails signed_rank_tails(const double *base, size_t n_base, const double *candidate,
				      size_t n_candidate, unsigned long seed)
{
	struct signed_rank test = signed_rank_test(base, candidate, n_base);

	(void)n_candidate;
	(void)seed;
	return (struct tails){test.p_less, test.p_greater};
}

bool measure_signed_rank(struct comparison *result, const struct measurement *measurement)
{
	const struct block_pairs *pairs = &measurement->pairs;
	const struct level *level = &measurement->level;
	struct signed_rank test = signed_rank_test(pairs->base, pairs->candidate, pairs->n);
	struct paired_location ratio =
		signed_rank_ratio(pairs->base, pairs->candidate, pairs->n, level->alpha);
	double detectable = comparison_paired_detectable(measurement);

	comparison_set_p(result, test.p);
	comparison_set_paired_shift(result, measurement);
	result->ratio_known = ratio.known;
	result->ratio = ratio.value;
	result->ratio_ci = ratio.interval;
	detectable /= sqrt(method_row(METHOD_SIGNED_RANK)->efficiency);
	if (isfinite(detectable) && signed_rank_critical(pairs->n, level->alpha))
		result->detectable_frac = detectable;
	result->equivalence_p =
		equivalence_of_tails(pairs->base, pairs->n, pairs->candidate, pairs->n,
				     level->limit_frac, signed_rank_tails, measurement->seed);
	return true;
}
