/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "analyzer/comparison.h"

#include <math.h>

#include "analyzer/comparison_method.h"
#include "analyzer/effect.h"
#include "analyzer/hodges_lehmann.h"
#include "analyzer/quantile.h"
#include "analyzer/ratio.h"
#include "analyzer/scaled.h"

static void side_init(struct side *side, const double *values, size_t n, int exponent)
{
	side->values = scratch_copy(values, n);
	side->n = n;
	for (size_t i = 0; i < n; i++)
		side->values[i] = ldexp(side->values[i], -exponent);
	quantile_sort(side->values, n);
	side->moments = moments_of(side->values, n);
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

void comparison_set_p(struct comparison *result, double p)
{
	result->p = p;
	result->q = p;
	result->p_known = true;
}

struct interval comparison_unscale(struct interval interval, int exponent)
{
	if (interval.known) {
		interval.low = moments_scale(interval.low, exponent);
		interval.high = moments_scale(interval.high, exponent);
	}
	return interval;
}

/* What does not hang on the method, or stands when the method has nothing better. */
static void measure_estimates(struct comparison *result, const struct measurement *measurement)
{
	const struct side *base = &measurement->base;
	const struct side *candidate = &measurement->candidate;
	double alpha = measurement->level.alpha;
	struct hodges_lehmann shift = hodges_lehmann_of_sorted(
		base->values, base->n, candidate->values, candidate->n, alpha);
	struct ratio ratio = ratio_of_means(&base->moments, &candidate->moments, alpha);
	struct effect effect = effect_hedges(&base->moments, &candidate->moments);

	result->shift = moments_scale(shift.shift, measurement->exponent);
	result->shift_ci = comparison_unscale(shift.interval, measurement->exponent);
	result->ratio_known = ratio.known;
	result->ratio = ratio.value;
	result->ratio_ci = ratio.interval;
	result->effect = effect.g;
	result->effect_known = effect.known;
}

static int common_exponent(const struct comparison_input *input)
{
	int base = moments_exponent(input->base, input->n_base);
	int candidate = moments_exponent(input->candidate, input->n_candidate);

	return base > candidate ? base : candidate;
}

static void scale_values(double *values, size_t n, int exponent)
{
	for (size_t i = 0; i < n; i++)
		values[i] = ldexp(values[i], -exponent);
}

static void measurement_init(struct measurement *measurement, const struct comparison_input *input)
{
	struct block_pairs *pairs = &measurement->pairs;
	int exponent = common_exponent(input);

	*measurement = (struct measurement){
		.level = level_of(input), .exponent = exponent, .seed = input->seed};
	side_init(&measurement->base, input->base, input->n_base, exponent);
	side_init(&measurement->candidate, input->candidate, input->n_candidate, exponent);
	block_pairs_init(pairs, input->base, input->base_block, input->n_base, input->candidate,
			 input->candidate_block, input->n_candidate);
	scale_values(pairs->base, pairs->n, exponent);
	scale_values(pairs->candidate, pairs->n, exponent);
}

static void measurement_release(struct measurement *measurement)
{
	free(measurement->base.values);
	free(measurement->candidate.values);
	block_pairs_release(&measurement->pairs);
}

static void measure_sides(struct comparison *result, const struct comparison_input *input)
{
	struct measurement measurement;

	measurement_init(&measurement, input);
	measure_estimates(result, &measurement);
	method_apply(result, &measurement, input);
	if (result->method == METHOD_NONE)
		result->shift_ci = (struct interval){0};
	measurement_release(&measurement);
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
	comparison_adjust_by(items, count, ADJUSTMENT_BH);
}

void comparison_adjust_by(struct comparison *items, size_t count, enum adjustment adjustment)
{
	_scratch_ double *p = scratch_new(count, sizeof(*p));
	_scratch_ double *q = scratch_new(count, sizeof(*q));
	size_t known = 0;

	for (size_t i = 0; i < count; i++) {
		if (items[i].p_known)
			p[known++] = items[i].p;
	}
	adjustment_apply(adjustment, p, q, known);
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
