/* SPDX-License-Identifier: GPL-3.0-or-later */
/* From measured numbers to a verdict: comparison_decide(). */
#include "analyzer/comparison.h"

#include <float.h>
#include <math.h>

#include "analyzer/comparison_method.h"
#include "analyzer/equivalence.h"
#include "analyzer/level.h"
#include "analyzer/mann_whitney.h"
#include "analyzer/moments.h"
#include "analyzer/power.h"
#include "analyzer/student.h"

/* Where the candidate is, seen from the limits. */
enum position {
	POSITION_UNCLEAR,
	POSITION_HIGHER, /* its values are larger by more than the limit */
	POSITION_LOWER,
};

static void set_verdict(struct comparison *comparison, enum verdict verdict,
			enum verdict_reason reason)
{
	comparison->verdict = verdict;
	comparison->reason = reason;
	comparison->boots_needed = 0;
}

static void set_change(struct comparison *comparison, enum position position, enum better better)
{
	bool worse = (position == POSITION_HIGHER) == (better == BETTER_LOWER);

	set_verdict(comparison, worse ? VERDICT_REGRESSED : VERDICT_IMPROVED, REASON_BEYOND_LIMIT);
}

static enum position position_of_interval(struct interval interval, double low, double high)
{
	if (interval.known && interval.low > high)
		return POSITION_HIGHER;
	if (interval.known && interval.high < low)
		return POSITION_LOWER;
	return POSITION_UNCLEAR;
}

/* A larger ratio of negative values means a smaller value. */
static enum position flip_negative(enum position position, double base)
{
	if (base >= 0 || position == POSITION_UNCLEAR)
		return position;
	return position == POSITION_HIGHER ? POSITION_LOWER : POSITION_HIGHER;
}

static enum position find_position(const struct comparison *comparison, double limit_frac)
{
	enum position position = position_of_interval(
		comparison->ratio_ci, equivalence_low(limit_frac), equivalence_high(limit_frac));

	if (position != POSITION_UNCLEAR || limit_frac > 0)
		return flip_negative(position, comparison->base.mean);
	/* Beyond zero needs no ratio. */
	if (comparison->difference_ci.known)
		return position_of_interval(comparison->difference_ci, 0, 0);
	return position_of_interval(comparison->shift_ci, 0, 0);
}

static void decide_exact(struct comparison *comparison, double limit_frac, enum better better)
{
	double base = comparison->base.min;
	double candidate = comparison->candidate.min;
	enum position position = candidate > base ? POSITION_HIGHER : POSITION_LOWER;
	/* A change of exactly the limit is within it, whatever the last digit of the quotient. */
	double high = equivalence_high(limit_frac) * (1 + 4 * DBL_EPSILON);
	double low = equivalence_low(limit_frac) * (1 - 4 * DBL_EPSILON);

	if (candidate == base) {
		set_verdict(comparison, VERDICT_EQUIVALENT, REASON_WITHIN_LIMIT);
		return;
	}
	if (limit_frac > 0 && !comparison->ratio_known) {
		set_verdict(comparison, VERDICT_INCONCLUSIVE, REASON_ZERO_BASE);
		return;
	}
	if (limit_frac > 0 && comparison->ratio >= low && comparison->ratio <= high)
		set_verdict(comparison, VERDICT_EQUIVALENT, REASON_WITHIN_LIMIT);
	else
		set_change(comparison, position, better);
}

static bool is_beyond(double ratio, double limit_frac)
{
	return ratio > equivalence_high(limit_frac) || ratio < equivalence_low(limit_frac);
}

static enum verdict_reason find_doubt(const struct comparison *comparison,
				      const struct level *level, bool significant)
{
	if (level->limit_frac > 0 && !comparison->ratio_known)
		return REASON_ZERO_BASE;
	if (significant)
		return REASON_SPANS_LIMIT;
	if (!(level->limit_frac > 0) || is_beyond(comparison->ratio, level->limit_frac))
		return REASON_NOT_SIGNIFICANT;
	return REASON_SPANS_LIMIT;
}

/* The summary on a scale where squares are finite. */
static struct moments scaled_moments(const struct summary *summary, int exponent)
{
	return (struct moments){summary->n, ldexp(summary->mean, -exponent),
				ldexp(summary->sd, -exponent)};
}

/* Pairs needed until even complete agreement of the signs is rare: 2 / 2^n below alpha. */
static size_t smallest_pairs(double alpha)
{
	double p = 2;
	size_t n = 0;

	while (p >= alpha * (1 - 1e-12) && n < 1000) {
		n++;
		p /= 2;
	}
	return n;
}

/*
 * By how much pairing shrinks the error of the difference: that of the test at hand, read back from
 * its interval, against that of independent sides.
 */
static double pairing_factor(const struct comparison *comparison, double alpha)
{
	const struct interval *interval = comparison->difference_ci.known
						  ? &comparison->difference_ci
						  : &comparison->shift_ci;
	double scale = fmax(fabs(interval->low), fabs(interval->high));
	double base = comparison->base.sd / scale / sqrt((double)comparison->base.n);
	double candidate = comparison->candidate.sd / scale / sqrt((double)comparison->candidate.n);
	double width;

	if (!comparison->blocks || !interval->known || !(scale > 0))
		return 1;
	width = (interval->high / scale - interval->low / scale) / 2;
	width /= student_quantile(alpha / 2, (double)comparison->blocks - 1);
	width /= hypot(base, candidate);
	return isfinite(width) ? width : 1;
}

static size_t question_boots(const struct comparison *comparison, const struct level *level,
			     const struct power_question *question)
{
	const struct summary *base = &comparison->base;
	const struct summary *candidate = &comparison->candidate;
	double ends[] = {base->min, base->max, candidate->min, candidate->max};
	int exponent = moments_exponent(ends, 4);
	struct moments base_moments = scaled_moments(base, exponent);
	struct moments candidate_moments = scaled_moments(candidate, exponent);
	double factor = pairing_factor(comparison, level->alpha);

	base_moments.sd *= factor;
	candidate_moments.sd *= factor;
	return power_boots_needed(&base_moments, &candidate_moments, question);
}

static size_t find_boots_needed(const struct comparison *comparison, const struct level *level)
{
	const struct method_row *row = method_row(comparison->method);
	struct power_question question = {level->limit_frac, level->alpha, level->alpha};
	size_t n_base = comparison->base.n;
	size_t n_candidate = comparison->candidate.n;
	size_t fewest = (n_base < n_candidate ? n_base : n_candidate) + 1;
	double needed;

	/* With the share of the level that the false discovery rate left to this series. */
	if (comparison->p_known && comparison->q > 0)
		question.alpha_difference *= fmin(comparison->p / comparison->q, 1);
	needed = (double)question_boots(comparison, level, &question);
	if (needed > 0)
		needed = ceil(needed / row->efficiency);
	if (row->ranks && needed > 0) {
		double alpha = question.alpha_difference;
		size_t smallest =
			row->paired ? smallest_pairs(alpha) : mann_whitney_smallest_n(alpha);

		needed = fmax(needed, (double)smallest);
	}
	if (!(needed > 0) || needed > POWER_BOOTS_MAX)
		return 0;
	return needed > (double)fewest ? (size_t)needed : fewest;
}

static void decide_test(struct comparison *comparison, const struct level *level,
			enum better better)
{
	bool significant = comparison->p_known && comparison->q < level->alpha;
	enum position position = find_position(comparison, level->limit_frac);

	if (significant && position != POSITION_UNCLEAR) {
		set_change(comparison, position, better);
	} else if (comparison->equivalence_p < level->alpha) {
		set_verdict(comparison, VERDICT_EQUIVALENT, REASON_WITHIN_LIMIT);
	} else {
		set_verdict(comparison, VERDICT_INCONCLUSIVE,
			    find_doubt(comparison, level, significant));
		comparison->boots_needed = find_boots_needed(comparison, level);
	}
}

/* Two show that nothing varies where nothing should; ranks tell from four a side at 0.05. */
static size_t fewest_boots(const struct comparison_input *input, double alpha)
{
	size_t fewest = mann_whitney_smallest_n(alpha);

	return input->deterministic || fewest < 2 ? 2 : fewest;
}

void comparison_decide(struct comparison *comparison, const struct comparison_input *input)
{
	struct level level = level_of(input);

	if (!comparison->base.n || !comparison->candidate.n) {
		set_verdict(comparison, VERDICT_INCONCLUSIVE, REASON_NO_SAMPLES);
	} else if (comparison->base.n < 2 || comparison->candidate.n < 2) {
		set_verdict(comparison, VERDICT_INCONCLUSIVE, REASON_ONE_BOOT);
		comparison->boots_needed = fewest_boots(input, level.alpha);
	} else if (comparison->method == METHOD_EXACT) {
		decide_exact(comparison, level.limit_frac, input->better);
	} else if (comparison->method == METHOD_NONE) {
		set_verdict(comparison, VERDICT_FAILED, REASON_NONE);
	} else {
		decide_test(comparison, &level, input->better);
	}
}
