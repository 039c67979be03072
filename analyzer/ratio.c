/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "analyzer/ratio.h"

#include <float.h>
#include <math.h>

#include "analyzer/student.h"
#include "analyzer/welch.h"

/* Stands for an infinite statistic, where neither mean has an error. */
#define T_HUGE 1e100
/* Bounds farther away than this factor are no statement. */
#define FACTOR_MAX 1e30

/* Both means divided by themselves: relative standard errors are all that is left. */
struct relative {
	double base_error;
	double candidate_error;
	double n_base;
	double n_candidate;
};

static double relative_error(const struct moments *side)
{
	return side->sd / fabs(side->mean) / sqrt((double)side->n);
}

static struct relative relative_of(const struct moments *base, const struct moments *candidate)
{
	return (struct relative){
		.base_error = fmin(relative_error(base), T_HUGE),
		.candidate_error = fmin(relative_error(candidate), T_HUGE),
		.n_base = (double)base->n,
		.n_candidate = (double)candidate->n,
	};
}

/* The statistic at `factor` times the estimated ratio. */
static struct ratio_statistic statistic_at(const struct relative *relative, double factor)
{
	double base_error = factor * relative->base_error;
	double error = hypot(base_error, relative->candidate_error);
	struct ratio_statistic statistic = {0, relative->n_base + relative->n_candidate - 2};
	double base_share, candidate_share;

	if (factor == 1)
		error = fmax(error, 1 / T_HUGE);
	if (!(error > 0)) {
		statistic.t = factor < 1 ? T_HUGE : -T_HUGE;
		return statistic;
	}
	statistic.t = (1 - factor) / error;
	base_share = base_error / error;
	candidate_share = relative->candidate_error / error;
	if (base_share + candidate_share > 0)
		statistic.df = welch_df(base_share * base_share, relative->n_base,
					candidate_share * candidate_share, relative->n_candidate);
	return statistic;
}

/* Log of p over alpha: negative where the factor is rejected. */
static double evidence(const struct relative *relative, double factor, double alpha)
{
	struct ratio_statistic statistic = statistic_at(relative, factor);

	return log(fmax(student_two_sided(statistic.t, statistic.df), DBL_MIN) / alpha);
}

/* Both means are told from zero. */
static bool is_bounded(const struct relative *relative, double alpha)
{
	double t_base = 1 / fmax(relative->base_error, 1 / T_HUGE);
	double t_candidate = 1 / fmax(relative->candidate_error, 1 / T_HUGE);

	return student_two_sided(t_base, relative->n_base - 1) < alpha &&
	       student_two_sided(t_candidate, relative->n_candidate - 1) < alpha;
}

struct point {
	double factor;
	double evidence;
};

/*
 * Where the evidence changes its sign between the two points: regula falsi with halved ends
 * (Dowell & Jarratt's Illinois method, BIT 11, 1971), which needs a sixth of the steps of
 * bisection for this smooth function.
 */
static double find_crossing(const struct relative *relative, struct point inner, struct point outer,
			    double alpha)
{
	double before = 0;

	for (int i = 0; i < 100; i++) {
		double part = inner.evidence / (inner.evidence - outer.evidence);
		double factor = inner.factor + part * (outer.factor - inner.factor);
		struct point middle = {factor, evidence(relative, factor, alpha)};

		if (fabs(middle.evidence) < 1e-14 || factor == inner.factor ||
		    factor == outer.factor)
			return factor;
		if (middle.evidence < 0) {
			outer = middle;
			inner.evidence /= before < 0 ? 2 : 1;
		} else {
			inner = middle;
			outer.evidence /= before > 0 ? 2 : 1;
		}
		before = middle.evidence;
	}
	return inner.factor + (outer.factor - inner.factor) / 2;
}

/*
 * Where the test begins to reject, above the estimate (step > 1) or below it (step < 1): an outer
 * bracket by repeated multiplication, then bisection to the last digits. 0 when there is none.
 */
static double find_bound(const struct relative *relative, double step, double alpha)
{
	struct point inner = {1, evidence(relative, 1, alpha)};
	struct point outer = {step, evidence(relative, step, alpha)};

	while (outer.evidence >= 0) {
		inner = outer;
		outer.factor *= step;
		if (outer.factor > FACTOR_MAX || outer.factor < 1 / FACTOR_MAX)
			return 0;
		outer.evidence = evidence(relative, outer.factor, alpha);
	}
	return find_crossing(relative, inner, outer, alpha);
}

static struct interval find_interval(const struct relative *relative, double estimate, double alpha)
{
	struct interval none = {0};
	double low, high;

	if (!is_bounded(relative, alpha))
		return none;
	low = find_bound(relative, 0.5, alpha);
	high = find_bound(relative, 2, alpha);
	if (!(low > 0 && high > 0 && isfinite(high * estimate)))
		return none;
	return (struct interval){low * estimate, high * estimate, true};
}

struct ratio ratio_of_means(const struct moments *base, const struct moments *candidate,
			    double alpha)
{
	struct ratio ratio = {0};
	double value = base->mean != 0 ? candidate->mean / base->mean : 0;
	struct relative relative;

	if (!base->n || !candidate->n || !(value > 0) || !isfinite(value))
		return ratio;
	ratio.known = true;
	ratio.value = value;
	if (base->n < 2 || candidate->n < 2 || !(base->sd > 0 || candidate->sd > 0))
		return ratio;
	relative = relative_of(base, candidate);
	ratio.interval = find_interval(&relative, value, alpha);
	return ratio;
}

struct ratio_statistic ratio_statistic_at(const struct moments *base,
					  const struct moments *candidate, double ratio)
{
	struct relative relative = relative_of(base, candidate);

	return statistic_at(&relative, ratio / (candidate->mean / base->mean));
}
