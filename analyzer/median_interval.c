/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "analyzer/median_interval.h"

#include <math.h>

#include "analyzer/quantile.h"
#include "analyzer/scaled.h"
#include "analyzer/scratch.h"

/*
 * The lower binomial tail for a half, P(X < rank), doubled. The terms are binomial coefficients,
 * exact below 2^53, with a power of two beside them, so that no n underflows.
 */
struct tail {
	size_t n;
	size_t rank;
	double term; /* binomial(n, rank), and the sum of those before it, both in 2^exponent */
	double sum;
	int exponent;
};

static bool is_level(double alpha)
{
	return alpha > 0 && alpha < 1;
}

static void tail_advance(struct tail *tail)
{
	tail->sum += tail->term;
	tail->term = tail->term * (double)(tail->n - tail->rank) / (double)(tail->rank + 1);
	tail->rank++;
	if (tail->term > 0x1p500) {
		tail->term = ldexp(tail->term, -500);
		tail->sum = ldexp(tail->sum, -500);
		tail->exponent += 500;
	}
}

static double tail_outside(const struct tail *tail)
{
	return ldexp(tail->sum, tail->exponent);
}

/* Fills rank and coverage, and the interval from the ascending values. */
static void set_interval(struct median_interval *median, const double *sorted, size_t n,
			 double alpha)
{
	struct tail tail = {.n = n, .term = 1, .exponent = 1 - (int)n};
	double outside = 0;

	while (tail.rank < n / 2) {
		tail_advance(&tail);
		if (tail_outside(&tail) > alpha)
			break;
		outside = tail_outside(&tail);
		median->rank = tail.rank;
	}
	if (!median->rank)
		return;
	median->coverage_frac = 1 - outside;
	median->interval =
		(struct interval){sorted[median->rank - 1], sorted[n - median->rank], true};
}

struct median_interval median_interval_of(const double *values, size_t n, double alpha)
{
	struct median_interval median = {0};
	_scratch_ double *sorted = NULL;

	if (!n || !all_finite(values, n))
		return median;
	sorted = scratch_copy(values, n);
	median.known = true;
	median.median = quantile_median(sorted, n);
	if (is_level(alpha))
		set_interval(&median, sorted, n, alpha);
	return median;
}

size_t median_interval_smallest_n(double alpha)
{
	size_t n = 2;

	if (!is_level(alpha))
		return 0;
	while (ldexp(2, -(int)n) > alpha)
		n++;
	return n;
}
