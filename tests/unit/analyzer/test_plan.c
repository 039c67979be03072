/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/unit/analyzer/near.h"

#include <gsl/gsl_randist.h>
#include <gsl/gsl_rng.h>

#include "analyzer/moments.h"
#include "analyzer/plan.h"
#include "analyzer/power.h"
#include "analyzer/welch.h"

/* Mean 100; standard deviations 1 of boots, .5 of invocations, 2 of iterations; find 2%. */
static struct plan_request request_of(void)
{
	return (struct plan_request){
		.mean = 100,
		.variance = {[VARIANCE_ITERATION] = 4,
			     [VARIANCE_INVOCATION] = 0.25,
			     [VARIANCE_BOOT] = 1},
		.costs = {{[VARIANCE_ITERATION] = 0.1,
			   [VARIANCE_INVOCATION] = 1,
			   [VARIANCE_BOOT] = 10}},
		.change_frac = 0.02,
		.alpha = 0.05,
		.power = 0.8,
	};
}

static double power_of(const struct plan_request *request, const struct plan *plan)
{
	struct power_design design = {plan->boots, 1, request->alpha};
	double invocations = (double)plan->invocations;
	double variance =
		request->variance[VARIANCE_BOOT] +
		request->variance[VARIANCE_INVOCATION] / invocations +
		request->variance[VARIANCE_ITERATION] / (invocations * (double)plan->iterations);

	return power_welch(&design, request->change_frac * request->mean / sqrt(variance));
}

/* No plan in the neighbourhood is cheaper and suffices. */
static void check_cheapest(const struct plan_request *request, const struct plan *plan)
{
	for (size_t boots = 2; boots <= 20; boots++) {
		for (size_t invocations = 1; invocations <= 4; invocations++) {
			for (size_t iterations = 1; iterations <= 60; iterations++) {
				struct plan other = {.boots = boots,
						     .invocations = invocations,
						     .iterations = iterations};

				if (plan_seconds(&request->costs, boots, invocations, iterations) <
				    plan->seconds * (1 - 1e-9))
					assert_true(power_of(request, &other) < request->power);
			}
		}
	}
}

static void test_cheapest(void **state)
{
	struct plan_request request = request_of();
	struct plan plan = plan_repetitions(&request);

	(void)state;
	assert_true(plan.known && plan.meets_change);
	assert_between(power_of(&request, &plan), 0.8 - 1e-9, 0.99);
	assert_near(plan.seconds,
		    2.0 * (double)plan.boots *
			    (10 + (double)plan.invocations * (1 + 0.1 * (double)plan.iterations)),
		    1e-12);
	assert_true(plan.detectable_frac <= 0.02 * (1 + 1e-9));
	check_cheapest(&request, &plan);
}

/* The plan keeps its promise when it is carried out. */
static void test_promise(void **state)
{
	struct plan_request request = request_of();
	struct plan plan = plan_repetitions(&request);
	gsl_rng *random = gsl_rng_alloc(gsl_rng_mt19937);
	double lower = 4.0 / (double)(plan.invocations * plan.iterations);
	double sd = sqrt(1 + 0.25 / (double)plan.invocations + lower);
	int found = 0;

	(void)state;
	assert_in_range(plan.boots, 3, 20);
	gsl_rng_set(random, 8);
	for (int round = 0; round < 4000; round++) {
		double base[20], candidate[20];
		struct moments a, b;

		for (size_t i = 0; i < plan.boots; i++) {
			base[i] = 100 + gsl_ran_gaussian(random, sd);
			candidate[i] = 102 + gsl_ran_gaussian(random, sd);
		}
		a = moments_of(base, plan.boots);
		b = moments_of(candidate, plan.boots);
		found += welch_test(&a, &b, 0.05).p < 0.05;
	}
	gsl_rng_free(random);
	/* Three standard errors below the promise and above what the plan gives. */
	assert_between(found / 4000.0, 0.78, power_of(&request, &plan) + 0.02);
}

static void test_budget(void **state)
{
	struct plan_request request = request_of();
	struct plan plan = plan_repetitions(&request);
	struct plan bounded;

	(void)state;
	request.budget_s = plan.seconds;
	bounded = plan_repetitions(&request);
	assert_true(bounded.meets_change && bounded.seconds == plan.seconds);
	request.budget_s = plan.seconds / 2;
	bounded = plan_repetitions(&request);
	assert_true(bounded.known && !bounded.meets_change);
	assert_true(bounded.seconds <= request.budget_s);
	assert_true(bounded.detectable_frac > 0.02);
	/* What it says it finds, a plan for that change does find in that time. */
	request.change_frac = bounded.detectable_frac * 1.0001;
	plan = plan_repetitions(&request);
	assert_true(plan.meets_change && plan.seconds <= request.budget_s);
	request.budget_s = 20;
	assert_false(plan_repetitions(&request).known);
}

/* Iterations are no substitute for boots: within the bounds no number of them suffices. */
static void test_out_of_reach(void **state)
{
	struct plan_request request = request_of();
	struct plan plan;

	(void)state;
	request.change_frac = 1e-6;
	plan = plan_repetitions(&request);
	assert_true(plan.known && !plan.meets_change);
	assert_true(plan.detectable_frac > 1e-6);
}

static void test_more_for_medians(void **state)
{
	struct plan_request request = request_of();
	struct plan mean = plan_repetitions(&request);
	struct plan median;

	(void)state;
	request.iteration_inflation = PLAN_MEDIAN_INFLATION;
	median = plan_repetitions(&request);
	assert_true(median.known && median.seconds > mean.seconds);
	request = request_of();
	request.alpha = 0.001;
	assert_true(plan_repetitions(&request).seconds > mean.seconds);
	request = request_of();
	request.invocations_max = 1;
	request.iterations_max = 5;
	median = plan_repetitions(&request);
	assert_true(median.meets_change && median.invocations == 1 && median.iterations <= 5);
}

static void test_bad_request(void **state)
{
	struct plan_request request = request_of();

	(void)state;
	request.mean = 0;
	assert_false(plan_repetitions(&request).known);
	request = request_of();
	request.change_frac = NAN;
	assert_false(plan_repetitions(&request).known);
	request = request_of();
	request.power = 0.05;
	assert_false(plan_repetitions(&request).known);
	request = request_of();
	request.costs.seconds[VARIANCE_BOOT] = INFINITY;
	assert_false(plan_repetitions(&request).known);
	request = request_of();
	request.budget_s = -1;
	assert_false(plan_repetitions(&request).known);
	request = request_of();
	for (int level = 0; level < VARIANCE_LEVELS; level++)
		request.variance[level] = -1;
	assert_false(plan_repetitions(&request).known);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_cheapest),	 cmocka_unit_test(test_promise),
		cmocka_unit_test(test_budget),		 cmocka_unit_test(test_out_of_reach),
		cmocka_unit_test(test_more_for_medians), cmocka_unit_test(test_bad_request),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
