/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Exact power of Welch's test for two sides of equal number. */
#include "analyzer/power.h"

#include <math.h>

#include "analyzer/noncentral_t.h"
#include "analyzer/power_solve.h"
#include "analyzer/student.h"
#include "analyzer/welch.h"

#define NODES_MAX   400
#define POOLED_FROM 31
#define WEIGHT_MIN  1e-12

/*
 * The rejection rule, given the base's share of the pooled sum of squares: |T| above `critical`,
 * T noncentral with `df`. The shares are logistic in equal steps, for the trapezoidal rule.
 */
struct rule {
	int count;
	double df;
	double unit; /* T's shift for a difference of one base standard deviation */
	double weight[NODES_MAX];
	double critical[NODES_MAX];
};

/* Welch's critical value as a multiple of the pooled, correctly weighted standard error. */
static double critical_at(const struct power_design *design, double share)
{
	double ratio = design->sd_ratio * design->sd_ratio;
	double n = (double)design->n;
	double a = 2 * share;
	double b = 2 * (1 - share) * ratio;
	double df = welch_df(a, n, b, n);

	return student_quantile(design->alpha / 2, df) * sqrt((a + b) / (1 + ratio));
}

static void rule_init(struct rule *rule, const struct power_design *design)
{
	double half_df = (double)(design->n - 1) / 2;
	double reach = fmin(1 / sqrt(half_df), 1) * 6.5 + 20 / half_df;
	double step = fmax(2 * reach / (NODES_MAX - 1), fmin(0.5, 0.6 / sqrt(half_df)));
	double total = 0;

	rule->count = (int)(2 * reach / step) + 1;
	rule->df = 4 * half_df;
	rule->unit = sqrt((double)design->n / (1 + design->sd_ratio * design->sd_ratio));
	for (int i = 0; i < rule->count; i++) {
		double place = (i - (rule->count - 1) / 2.0) * step;
		double share = 1 / (1 + exp(-place));
		double other = 1 / (1 + exp(place));

		rule->weight[i] = exp(half_df * log(4 * share * other));
		if (rule->weight[i] > WEIGHT_MIN)
			rule->critical[i] = critical_at(design, share);
		total += rule->weight[i];
	}
	for (int i = 0; i < rule->count; i++)
		rule->weight[i] /= total;
}

static double rule_power(const void *context, double difference)
{
	const struct rule *rule = context;
	double power = 0;

	for (int i = 0; i < rule->count; i++) {
		if (rule->weight[i] > WEIGHT_MIN)
			power += rule->weight[i] * noncentral_t_two_sided(rule->critical[i],
									  rule->df,
									  difference * rule->unit);
	}
	return power;
}

static bool design_is_valid(const struct power_design *design)
{
	return design->n >= 2 && design->alpha > 0 && design->alpha < 1 && design->sd_ratio > 0 &&
	       isfinite(design->sd_ratio);
}

double power_welch(const struct power_design *design, double difference)
{
	struct rule rule = {0};

	if (!design_is_valid(design))
		return 0;
	rule_init(&rule, design);
	return rule_power(&rule, difference);
}

/* Of the pooled test: what Welch's test needs at large n, and a little less than it needs else. */
static double pooled_difference(const struct power_design *design, double power)
{
	double ratio = design->sd_ratio * design->sd_ratio;
	double n = (double)design->n;
	double df = welch_df(1, n, ratio, n);

	return noncentral_t_shift(student_quantile(design->alpha / 2, df), df, power) *
	       sqrt((1 + ratio) / n);
}

double power_welch_difference(const struct power_design *design, double power)
{
	struct power_curve curve = {rule_power, NULL};
	struct rule rule = {0};
	double pooled;

	if (!design_is_valid(design) || !(power > design->alpha && power < 1))
		return 0;
	pooled = pooled_difference(design, power);
	if (design->n >= POOLED_FROM)
		return pooled;
	rule_init(&rule, design);
	curve.context = &rule;
	return power_solve(&curve, power, pooled);
}
