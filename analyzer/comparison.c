/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "analyzer/comparison.h"

#include <math.h>

#include "analyzer/effect.h"
#include "analyzer/equivalence.h"
#include "analyzer/false_discovery.h"
#include "analyzer/hodges_lehmann.h"
#include "analyzer/level.h"
#include "analyzer/mann_whitney.h"
#include "analyzer/moments.h"
#include "analyzer/power.h"
#include "analyzer/quantile.h"
#include "analyzer/ratio.h"
#include "analyzer/scratch.h"
#include "analyzer/welch.h"

#define POWER 0.8

/* One side, sorted and scaled; the scale is common to both sides. */
struct side {
	double *values; /* owned */
	size_t n;
	struct moments moments;
};

static void side_init(struct side *side, const double *values, size_t n, int exponent)
{
	side->values = scratch_copy(values, n);
	side->n = n;
	for (size_t i = 0; i < n; i++)
		side->values[i] = ldexp(side->values[i], -exponent);
	quantile_sort(side->values, n);
	side->moments = moments_of(side->values, n);
}

static void side_release(struct side *side)
{
	free(side->values);
}

static struct summary summarize(const double *values, size_t n)
{
	_scratch_ double *sorted = scratch_copy(values, n);
	struct moments moments = moments_of(values, n);
	struct summary summary = {.n = n, .mean = moments.mean, .sd = moments.sd};

	if (!n)
		return summary;
	quantile_sort(sorted, n);
	summary.median = quantile_of_sorted(sorted, n, 0.5);
	summary.min = sorted[0];
	summary.max = sorted[n - 1];
	return summary;
}

static bool all_finite(const double *values, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		if (!isfinite(values[i]))
			return false;
	}
	return true;
}

static bool varies(const struct summary *summary)
{
	return summary->min != summary->max;
}

static enum method choose_method(const struct comparison *comparison,
				 const struct comparison_input *input)
{
	bool constant = !varies(&comparison->base) && !varies(&comparison->candidate);

	if (comparison->base.n < 2 || comparison->candidate.n < 2)
		return METHOD_NONE;
	if (input->method == METHOD_MANN_WHITNEY)
		return METHOD_MANN_WHITNEY;
	if (!constant)
		return METHOD_WELCH;
	if (input->method == METHOD_EXACT)
		return METHOD_EXACT;
	if (input->method == METHOD_AUTO && input->deterministic)
		return METHOD_EXACT;
	return METHOD_MANN_WHITNEY;
}

static struct interval scale_interval(struct interval interval, int exponent)
{
	if (interval.known) {
		interval.low = moments_scale(interval.low, exponent);
		interval.high = moments_scale(interval.high, exponent);
	}
	return interval;
}

static void measure_shift(struct comparison *result, const struct side *base,
			  const struct side *candidate, double alpha, int exponent)
{
	struct hodges_lehmann shift = hodges_lehmann_of_sorted(
		base->values, base->n, candidate->values, candidate->n, alpha);

	result->shift = moments_scale(shift.shift, exponent);
	result->shift_ci = scale_interval(shift.interval, exponent);
}

static void measure_ratio(struct comparison *result, const struct side *base,
			  const struct side *candidate, double alpha)
{
	struct ratio ratio = ratio_of_means(&base->moments, &candidate->moments, alpha);

	result->ratio_known = ratio.known;
	result->ratio = ratio.value;
	result->ratio_ci = ratio.interval;
}

static void measure_effect(struct comparison *result, const struct side *base,
			   const struct side *candidate)
{
	struct effect effect = effect_hedges(&base->moments, &candidate->moments);

	result->effect = effect.g;
	result->effect_known = effect.known;
}

static void set_p(struct comparison *result, double p)
{
	result->p = p;
	result->q = p;
	result->p_known = true;
}

/* False where the variance underflows: all values that vary are tiny beside the largest. */
static bool measure_welch(struct comparison *result, const struct side *base,
			  const struct side *candidate, const struct level *level, int exponent)
{
	struct welch welch = welch_test(&base->moments, &candidate->moments, level->alpha);

	if (!welch.known)
		return false;
	set_p(result, welch.p);
	result->difference_ci = scale_interval(welch.interval, exponent);
	result->equivalence_p =
		equivalence_of_means(&base->moments, &candidate->moments, level->limit_frac);
	result->detectable_frac =
		power_detectable_frac(&base->moments, &candidate->moments, level->alpha, POWER);
	return true;
}

/* Logarithms of the magnitudes in ascending order; false when a value is 0 or has another sign. */
static bool take_logs(struct side *logs, const struct side *side, double sign)
{
	bool valid = true;

	side_init(logs, side->values, side->n, 0);
	for (size_t i = 0; i < logs->n; i++) {
		valid = valid && logs->values[i] * sign > 0;
		logs->values[i] = valid ? log(logs->values[i] * sign) : 0;
	}
	quantile_sort(logs->values, logs->n);
	return valid;
}

/* The pairwise ratios are the pairwise differences of the logarithms. */
static void measure_rank_ratio(struct comparison *result, const struct side *base,
			       const struct side *candidate, double alpha)
{
	double sign = copysign(1, base->values[0]);
	struct hodges_lehmann shift = {0};
	struct side log_base, log_candidate;
	bool valid = take_logs(&log_base, base, sign);

	valid = take_logs(&log_candidate, candidate, sign) && valid;
	if (valid)
		shift = hodges_lehmann_of_sorted(log_base.values, log_base.n, log_candidate.values,
						 log_candidate.n, alpha);
	side_release(&log_base);
	side_release(&log_candidate);
	result->ratio_known = valid && isnormal(exp(shift.shift));
	result->ratio = result->ratio_known ? exp(shift.shift) : 0;
	result->ratio_ci = (struct interval){0};
	if (result->ratio_known && shift.interval.known && isfinite(exp(shift.interval.high)))
		result->ratio_ci =
			(struct interval){exp(shift.interval.low), exp(shift.interval.high), true};
}

static void measure_ranks(struct comparison *result, const struct side *base,
			  const struct side *candidate, const struct level *level)
{
	struct mann_whitney test =
		mann_whitney_test(base->values, base->n, candidate->values, candidate->n);
	double detectable =
		power_detectable_frac(&base->moments, &candidate->moments, level->alpha, POWER);

	set_p(result, test.p);
	measure_rank_ratio(result, base, candidate, level->alpha);
	result->equivalence_p = equivalence_of_ranks(base->values, base->n, candidate->values,
						     candidate->n, level->limit_frac);
	if (mann_whitney_critical(base->n, candidate->n, level->alpha))
		result->detectable_frac = detectable / sqrt(POWER_RANK_EFFICIENCY);
}

static void measure_exact(struct comparison *result)
{
	if (result->ratio_known)
		result->ratio_ci = (struct interval){result->ratio, result->ratio, true};
	result->shift_ci = (struct interval){result->shift, result->shift, true};
}

static int common_exponent(const struct comparison_input *input)
{
	int base = moments_exponent(input->base, input->n_base);
	int candidate = moments_exponent(input->candidate, input->n_candidate);

	return base > candidate ? base : candidate;
}

static void measure_sides(struct comparison *result, const struct comparison_input *input)
{
	struct level level = level_of(input);
	int exponent = common_exponent(input);
	struct side base, candidate;

	side_init(&base, input->base, input->n_base, exponent);
	side_init(&candidate, input->candidate, input->n_candidate, exponent);
	measure_shift(result, &base, &candidate, level.alpha, exponent);
	measure_ratio(result, &base, &candidate, level.alpha);
	measure_effect(result, &base, &candidate);
	result->method = choose_method(result, input);
	if (result->method == METHOD_WELCH &&
	    !measure_welch(result, &base, &candidate, &level, exponent))
		result->method = METHOD_MANN_WHITNEY;
	if (result->method == METHOD_MANN_WHITNEY)
		measure_ranks(result, &base, &candidate, &level);
	else if (result->method == METHOD_EXACT)
		measure_exact(result);
	else if (result->method == METHOD_NONE)
		result->shift_ci = (struct interval){0};
	side_release(&base);
	side_release(&candidate);
}

struct comparison comparison_measure(const struct comparison_input *input)
{
	struct comparison result = {.method = METHOD_NONE, .equivalence_p = 1, .p = 1, .q = 1};

	result.base.n = input->n_base;
	result.candidate.n = input->n_candidate;
	if (!all_finite(input->base, input->n_base) ||
	    !all_finite(input->candidate, input->n_candidate))
		return result;
	result.base = summarize(input->base, input->n_base);
	result.candidate = summarize(input->candidate, input->n_candidate);
	if (input->n_base && input->n_candidate)
		measure_sides(&result, input);
	return result;
}

void comparison_adjust(struct comparison *items, size_t count)
{
	_scratch_ double *p = scratch_new(count, sizeof(*p));
	_scratch_ double *q = scratch_new(count, sizeof(*q));
	size_t known = 0;

	for (size_t i = 0; i < count; i++) {
		if (items[i].p_known)
			p[known++] = items[i].p;
	}
	false_discovery_adjust(p, q, known);
	known = 0;
	for (size_t i = 0; i < count; i++) {
		if (items[i].p_known)
			items[i].q = q[known++];
	}
}

double boot_location(const double *samples, size_t n, bool deterministic, double *scratch)
{
	memcpy(scratch, samples, n * sizeof(*scratch));
	if (!deterministic)
		return quantile_median(scratch, n);
	for (size_t i = 1; i < n; i++)
		scratch[0] = fmin(scratch[0], scratch[i]);
	return scratch[0];
}
