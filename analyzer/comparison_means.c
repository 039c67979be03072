/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Methods that compare means: each sets what its test has to say. */
#include "analyzer/comparison_method.h"

#include <math.h>

#include "analyzer/equivalence.h"
#include "analyzer/mann_whitney.h"
#include "analyzer/noncentral_t.h"
#include "analyzer/paired.h"
#include "analyzer/permutation.h"
#include "analyzer/power.h"
#include "analyzer/ratio.h"
#include "analyzer/scratch.h"
#include "analyzer/signed_rank.h"
#include "analyzer/student.h"
#include "analyzer/welch.h"
#include "analyzer/yuen.h"

static void set_ratio(struct comparison *result, struct ratio ratio)
{
	result->ratio_known = ratio.known;
	result->ratio = ratio.value;
	result->ratio_ci = ratio.interval;
}

/* By Welch's test of any location that has moments; false without variance. */
static bool measure_moments(struct comparison *result, const struct moments *base,
			    const struct moments *candidate, const struct measurement *measurement)
{
	const struct level *level = &measurement->level;
	struct welch welch = welch_test(base, candidate, level->alpha);

	if (!welch.known)
		return false;
	comparison_set_p(result, welch.p);
	result->difference_ci = comparison_unscale(welch.interval, measurement->exponent);
	set_ratio(result, ratio_of_means(base, candidate, level->alpha));
	result->equivalence_p = equivalence_of_means(base, candidate, level->limit_frac);
	result->detectable_frac =
		power_detectable_frac(base, candidate, level->alpha, COMPARISON_POWER);
	return true;
}

bool measure_welch(struct comparison *result, const struct measurement *measurement)
{
	return measure_moments(result, &measurement->base.moments, &measurement->candidate.moments,
			       measurement);
}

bool measure_yuen(struct comparison *result, const struct measurement *measurement)
{
	const struct side *base = &measurement->base;
	const struct side *candidate = &measurement->candidate;
	struct moments base_moments = yuen_moments(base->values, base->n);
	struct moments candidate_moments = yuen_moments(candidate->values, candidate->n);

	return measure_moments(result, &base_moments, &candidate_moments, measurement);
}

static struct tails permutation_tails(const double *base, size_t n_base, const double *candidate,
				      size_t n_candidate, unsigned long seed)
{
	struct permutation test = permutation_test(base, n_base, candidate, n_candidate, seed);

	return (struct tails){test.p_less, test.p_greater};
}

/* The intervals are Welch's: for the means, which are what is permuted. */
bool measure_permutation(struct comparison *result, const struct measurement *measurement)
{
	const struct side *base = &measurement->base;
	const struct side *candidate = &measurement->candidate;
	struct permutation test = permutation_test(base->values, base->n, candidate->values,
						   candidate->n, measurement->seed);

	if (!measure_welch(result, measurement))
		return false;
	comparison_set_p(result, test.p);
	result->p_ci = test.p_ci;
	if (!mann_whitney_critical(base->n, candidate->n, measurement->level.alpha))
		result->detectable_frac = 0;
	result->equivalence_p = equivalence_of_tails(base->values, base->n, candidate->values,
						     candidate->n, measurement->level.limit_frac,
						     permutation_tails, measurement->seed);
	return true;
}

void comparison_set_paired_shift(struct comparison *result, const struct measurement *measurement)
{
	const struct block_pairs *pairs = &measurement->pairs;
	struct paired_location shift = signed_rank_shift(pairs->base, pairs->candidate, pairs->n,
							 measurement->level.alpha);

	if (!shift.known)
		return;
	result->shift = moments_scale(shift.value, measurement->exponent);
	result->shift_ci = comparison_unscale(shift.interval, measurement->exponent);
}

double comparison_paired_detectable(const struct measurement *measurement)
{
	const struct block_pairs *pairs = &measurement->pairs;
	double alpha = measurement->level.alpha;
	struct paired paired = paired_test(pairs->base, pairs->candidate, pairs->n, alpha);
	double mean = fabs(measurement->base.moments.mean);
	double widths, detectable;

	if (!paired.known || !(mean > 0) || alpha >= COMPARISON_POWER)
		return 0;
	widths = noncentral_t_shift(student_quantile(alpha / 2, paired.df), paired.df,
				    COMPARISON_POWER);
	detectable = widths * paired.error / mean;
	return isfinite(detectable) ? detectable : 0;
}

bool measure_paired(struct comparison *result, const struct measurement *measurement)
{
	const struct block_pairs *pairs = &measurement->pairs;
	const struct level *level = &measurement->level;
	struct paired paired = paired_test(pairs->base, pairs->candidate, pairs->n, level->alpha);

	if (!paired.known)
		return false;
	comparison_set_p(result, paired.p);
	result->difference_ci = comparison_unscale(paired.interval, measurement->exponent);
	set_ratio(result, paired_ratio(pairs->base, pairs->candidate, pairs->n, level->alpha));
	comparison_set_paired_shift(result, measurement);
	result->equivalence_p =
		paired_equivalence(pairs->base, pairs->candidate, pairs->n, level->limit_frac);
	result->detectable_frac = comparison_paired_detectable(measurement);
	return true;
}

static struct tails sign_tails(const double *base, size_t n_base, const double *candidate,
			       size_t n_candidate, unsigned long seed)
{
	_scratch_ double *differences = scratch_copy(candidate, n_candidate);
	struct permutation test;

	for (size_t i = 0; i < n_base && i < n_candidate; i++)
		differences[i] -= base[i];
	test = block_permutation_test(differences, n_candidate, seed);
	return (struct tails){test.p_less, test.p_greater};
}

/* The intervals are those of the paired t test. */
bool measure_block_permutation(struct comparison *result, const struct measurement *measurement)
{
	const struct block_pairs *pairs = &measurement->pairs;
	_scratch_ double *differences = scratch_copy(pairs->candidate, pairs->n);
	struct permutation test;

	if (!measure_paired(result, measurement))
		return false;
	for (size_t i = 0; i < pairs->n; i++)
		differences[i] -= pairs->base[i];
	test = block_permutation_test(differences, pairs->n, measurement->seed);
	comparison_set_p(result, test.p);
	result->p_ci = test.p_ci;
	if (!signed_rank_critical(pairs->n, measurement->level.alpha))
		result->detectable_frac = 0;
	result->equivalence_p =
		equivalence_of_tails(pairs->base, pairs->n, pairs->candidate, pairs->n,
				     measurement->level.limit_frac, sign_tails, measurement->seed);
	return true;
}

bool measure_exact(struct comparison *result, const struct measurement *measurement)
{
	(void)measurement;
	if (result->ratio_known)
		result->ratio_ci = (struct interval){result->ratio, result->ratio, true};
	result->shift_ci = (struct interval){result->shift, result->shift, true};
	return true;
}
