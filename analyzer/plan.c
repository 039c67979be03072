/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "analyzer/plan.h"

#include <math.h>

#include "analyzer/power.h"

/* The request with its defaults filled in. */
struct task {
	double variance[VARIANCE_LEVELS];
	const double *seconds;
	double invocations_max;
	double iterations_max;
	double budget_s; /* infinite without a bound */
};

double plan_seconds(const struct level_costs *costs, size_t boots, size_t invocations,
		    size_t iterations)
{
	const double *seconds = costs->seconds;
	double invocation =
		seconds[VARIANCE_INVOCATION] + (double)iterations * seconds[VARIANCE_ITERATION];

	return 2 * (double)boots * (seconds[VARIANCE_BOOT] + (double)invocations * invocation);
}

static bool is_positive(double value)
{
	return value > 0 && isfinite(value);
}

static bool request_is_valid(const struct plan_request *request)
{
	double variance = 0;

	for (int level = 0; level < VARIANCE_LEVELS; level++) {
		variance += fmax(request->variance[level], 0);
		if (!isfinite(request->variance[level]) || !(request->costs.seconds[level] >= 0) ||
		    !isfinite(request->costs.seconds[level]))
			return false;
	}
	return is_positive(fabs(request->mean)) && is_positive(request->change_frac) &&
	       request->alpha > 0 && request->power > request->alpha && request->power < 1 &&
	       is_positive(variance) && !(request->budget_s < 0);
}

static struct task task_of(const struct plan_request *request)
{
	struct task task = {.seconds = request->costs.seconds};

	for (int level = 0; level < VARIANCE_LEVELS; level++)
		task.variance[level] = fmax(request->variance[level], 0);
	task.variance[VARIANCE_ITERATION] *= fmax(request->iteration_inflation, 1);
	task.invocations_max = fmin((double)request->invocations_max, PLAN_INVOCATIONS_MAX);
	if (!request->invocations_max)
		task.invocations_max = PLAN_INVOCATIONS_MAX;
	task.iterations_max = request->iterations_max ? (double)request->iterations_max : 1000;
	task.budget_s = request->budget_s > 0 ? request->budget_s : HUGE_VAL;
	return task;
}

static double boot_variance(const struct task *task, double invocations, double iterations)
{
	return task->variance[VARIANCE_BOOT] + task->variance[VARIANCE_INVOCATION] / invocations +
	       task->variance[VARIANCE_ITERATION] / (invocations * iterations);
}

/* Fewest iterations that bring a boot's variance down to `wanted`; above the bound when none do. */
static double iterations_for(const struct task *task, double invocations, double wanted)
{
	double rest = wanted - task->variance[VARIANCE_BOOT] -
		      task->variance[VARIANCE_INVOCATION] / invocations;

	if (task->variance[VARIANCE_ITERATION] == 0)
		return rest >= 0 ? 1 : HUGE_VAL;
	if (!(rest > 0))
		return HUGE_VAL;
	/* A hair less than the quotient, so that an exact fit is not rounded up. */
	return fmax(ceil(task->variance[VARIANCE_ITERATION] / (invocations * rest) * (1 - 1e-12)),
		    1);
}

/* Most iterations in the time that a boot may take; below 1 when none fit. */
static double iterations_within(const struct task *task, double invocations, double boot_s)
{
	double rest = (boot_s - task->seconds[VARIANCE_BOOT]) / invocations -
		      task->seconds[VARIANCE_INVOCATION];

	if (!(rest >= task->seconds[VARIANCE_ITERATION]))
		return 0;
	if (task->seconds[VARIANCE_ITERATION] == 0)
		return task->iterations_max;
	return fmin(floor(rest / task->seconds[VARIANCE_ITERATION] * (1 + 1e-12)),
		    task->iterations_max);
}

static size_t next_boots(size_t boots)
{
	return boots < 20 ? boots + 1 : boots + boots / 20;
}

static struct plan plan_of(const struct plan_request *request, const struct task *task,
			   double unit_frac, size_t boots, double invocations, double iterations)
{
	struct plan plan = {.known = true,
			    .boots = boots,
			    .invocations = (size_t)invocations,
			    .iterations = (size_t)iterations};

	plan.seconds = plan_seconds(&request->costs, boots, plan.invocations, plan.iterations);
	plan.detectable_frac = unit_frac * sqrt(boot_variance(task, invocations, iterations));
	plan.meets_change = plan.detectable_frac <= request->change_frac * (1 + 1e-9);
	return plan;
}

static bool is_cheaper(const struct plan *plan, const struct plan *best)
{
	return !best->known || plan->seconds < best->seconds ||
	       (plan->seconds == best->seconds && plan->detectable_frac < best->detectable_frac);
}

static bool is_finer(const struct plan *plan, const struct plan *best)
{
	return !best->known || plan->detectable_frac < best->detectable_frac;
}

/* Tries every number of invocations with `boots` boots, for both aims. */
static void try_boots(const struct plan_request *request, const struct task *task, size_t boots,
		      struct plan *cheapest, struct plan *finest)
{
	struct power_design design = {boots, 1, request->alpha};
	/* Smallest change for a boot value of variance 1. */
	double unit_frac = power_welch_difference(&design, request->power) / fabs(request->mean);
	double wanted = request->change_frac / unit_frac;

	for (size_t number = 1; (double)number <= task->invocations_max; number++) {
		double invocations = (double)number;
		double enough = iterations_for(task, invocations, wanted * wanted);
		double most =
			iterations_within(task, invocations, task->budget_s / (2 * (double)boots));
		struct plan plan;

		if (enough <= task->iterations_max) {
			plan = plan_of(request, task, unit_frac, boots, invocations, enough);
			if (plan.meets_change && is_cheaper(&plan, cheapest))
				*cheapest = plan;
		}
		if (most >= 1) {
			plan = plan_of(request, task, unit_frac, boots, invocations, most);
			if (is_finer(&plan, finest))
				*finest = plan;
		}
	}
}

/* Whether so many boots, as short as can be, still compete with the plan at hand and the budget. */
static bool is_worth_trying(const struct plan_request *request, const struct task *task,
			    size_t boots, const struct plan *cheapest)
{
	double least_s = plan_seconds(&request->costs, boots, 1, 1);
	bool found = cheapest->known && cheapest->seconds <= task->budget_s;

	return least_s <= task->budget_s && !(found && least_s > cheapest->seconds);
}

struct plan plan_repetitions(const struct plan_request *request)
{
	struct plan cheapest = {0};
	struct plan finest = {0};
	struct task task;

	if (!request_is_valid(request))
		return cheapest;
	task = task_of(request);
	for (size_t boots = 2;
	     boots <= PLAN_BOOTS_MAX && is_worth_trying(request, &task, boots, &cheapest);
	     boots = next_boots(boots))
		try_boots(request, &task, boots, &cheapest, &finest);
	if (cheapest.known && cheapest.seconds <= task.budget_s)
		return cheapest;
	return finest;
}
