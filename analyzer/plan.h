/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * How many boots, invocations and iterations find a change of a given size, and how long they take.
 *
 * The boots are what is tested, so the plan minimises time under the exact power of Welch's test
 * (power_welch_difference()) for boot values whose variance is that of the boot, plus that of the
 * invocation over their number, plus that of the iteration over theirs. All numbers of boots up to
 * 20, then in steps of a twentieth, are tried with every number of invocations up to 16 and the
 * iterations that suffice; the answer is the cheapest.
 */
#ifndef KREGRESS_ANALYZER_PLAN_H
#define KREGRESS_ANALYZER_PLAN_H

#include <stdbool.h>
#include <stddef.h>

#include "analyzer/variance_components.h"

#define PLAN_BOOTS_MAX	     1000
#define PLAN_INVOCATIONS_MAX 16

/* Variance of the median to that of the mean, for many normal values: pi / 2. */
#define PLAN_MEDIAN_INFLATION 1.5707963267948966

struct plan_request {
	double mean;
	double variance[VARIANCE_LEVELS]; /* negative ones count as 0 */
	struct level_costs costs;
	double change_frac; /* to be found, 0.02 for 2% */
	double alpha;	    /* of the test; when many series are tested, smaller */
	double power;	    /* 0.8, say; above alpha */
	double budget_s;    /* for both sides together; 0: no bound */
	/* Of the iterations' variance, by the way a boot is reduced to one value: 1 for the mean,
	 * PLAN_MEDIAN_INFLATION for the median. Anything below 1 counts as 1. */
	double iteration_inflation;
	size_t invocations_max; /* in a boot; 0 counts as PLAN_INVOCATIONS_MAX, which bounds it */
	size_t iterations_max;	/* in an invocation; 0 counts as 1000 */
};

struct plan {
	bool known;   /* false: a request without sense, or nothing within the bounds suffices */
	size_t boots; /* a side */
	size_t invocations;	/* in a boot */
	size_t iterations;	/* in an invocation */
	double seconds;		/* both sides */
	double detectable_frac; /* smallest change found with that power */
	bool meets_change;	/* detectable_frac is not above change_frac */
};

/*
 * The cheapest plan that finds the change; where it takes longer than the budget, the plan within
 * the budget that finds the smallest change, with meets_change false. known is false where not even
 * two boots a side fit.
 */
struct plan plan_repetitions(const struct plan_request *request);

/* Time of both sides. */
double plan_seconds(const struct level_costs *costs, size_t boots, size_t invocations,
		    size_t iterations);

#endif
